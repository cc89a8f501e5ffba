import type { ErrorKind, FieldError } from '../../../domain/kernel/errors.ts';
import type { Body } from '../service/world.ts';

/** A way into the service by which a story can be told. */
export interface StoryFrontEnd {
  perform(step: Step): Promise<Told>;
  /** Whether the protocol has words for the step; where this is left out, for every one. */
  says?(step: Step): boolean;
}

/** One call of a story, in the words of no protocol. */
export interface Step {
  readonly credential: string;
  readonly operation: string;
  readonly input: Body;
  readonly key?: string | undefined;
  readonly expectedVersions?: readonly number[];
}

export type Told = { readonly isReplay: boolean } & (
  | { readonly view: Body; readonly version?: number; readonly isNew?: boolean }
  | { readonly refusal: ToldRefusal }
);

/** What every protocol can say of a refusal. */
export interface ToldRefusal {
  readonly kind: ErrorKind;
  readonly detail: string;
  readonly errors: readonly FieldError[];
  /** Of the call that met it first. */
  readonly requestId: string;
}
