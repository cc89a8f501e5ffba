import type { Static, TObject, TSchema } from 'typebox';
import type { ErrorCode } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { SliceRequest } from '../../domain/kernel/page.ts';
import type { Access } from './access.ts';
import type { Budget } from './budgets.ts';
import type { CallContext, PublicContext } from './call-context.ts';
import type { Guide } from './guide.ts';
import type { SlotPool } from './slots.ts';
import type { ViewOf } from './view-of.ts';

/** What people read of an operation: in the OpenAPI document, in tools, skills and help. */
export interface Words {
  readonly summary: string;
  readonly description?: string;
  /** The heading under which documents list it. */
  readonly group: string;
}

/** What an operation acts on. Idempotency keys are scoped to it, and a co-signature has to name it. */
export interface Target {
  readonly kind: string;
  readonly id: string;
}

/** Whose data a result shows: these orgs, and those of these agents. */
export interface Concerned {
  readonly orgs?: readonly (Uuid | null)[];
  readonly agents?: readonly (Uuid | null)[];
  /** These and no other: not that of the caller for its own sake, nor the one that was asked for. */
  readonly isExact?: true;
}

/** What every front-end shows of a result, and what a repetition of the call is given again. */
export interface Shown<V = unknown> {
  readonly view: V;
  /** Of the resource, where it has one: the next change may be made to depend on it. */
  readonly version?: number;
  /** What else is shown by now at this version, in lowercase letters: the passing of time changes no version. */
  readonly stage?: string;
  /** False where the call found what it would have made. */
  readonly isNew?: boolean;
}

/** An answer of the documentation: what comes back, in words and as an example of the view. */
export interface ResultWords {
  readonly description: string;
  readonly example: unknown;
  /** What comes back where the call found what it would have made. */
  readonly found?: { readonly description: string; readonly example: unknown };
}

/**
 * One thing that the service does for whoever calls, as static data. Every front-end binds it, and none says again
 * what stands here: who may call it, how often, what it takes, how it is shown.
 */
export interface Operation<I extends TObject = TObject, R = unknown, V extends TSchema = TSchema> {
  readonly id: string;
  readonly words: Words;
  readonly effect: 'read' | 'write';
  /** One flat object. Lengths, patterns and defaults stand here and nowhere else. */
  readonly input: I;
  readonly output: V;
  /** Inputs, by name; the first one is shown to whoever sent a bad one. */
  readonly examples: { readonly [name: string]: object };
  readonly result: ResultWords;
  /** Refusals beyond those that follow from the access and the input. */
  readonly problems: readonly ErrorCode[];
  readonly budget: Budget;
  /** Members of the view that are shown once: a repetition has null in their place. */
  readonly secrets: readonly string[];
  /** Takes `limit` and `cursor`; the use case is given a `slice` in their place. */
  readonly isPaged: boolean;
  /** Takes the versions of the resource that the caller expects. */
  readonly isVersioned: boolean;
  /** The view holds a list that comes item by item. */
  readonly isStreamed: boolean;
  /** Its use case gives pages for as long as somebody pulls; each is shown, and logged, by itself. */
  readonly isLive: boolean;
  /** Of whose slots each call holds one until its answer was sent; null where calls need none. */
  readonly pool: SlotPool | null;
  readonly useCase: UseCaseClass<R>;
  /** @param known what is certain before the input is read, such as the action of an alias; later the whole input. */
  access(known: Partial<Static<I>>): Access;
  /** How many calls this one counts for. */
  cost?(input: Static<I>): number;
  /** @param known as above: what is not a text there names no target. */
  target?(known: Partial<Static<I>>): Target | null;
  /** What of the input is left to the caller where a binding fixes the rest. */
  narrow?(fixed: Partial<Static<I>>): TObject;
  /**
   * On reads of what orgs have here: a read by an administrator or an operator is entered in the logs of these orgs, and
   * of that of the caller. Left out where nobody's data is shown.
   */
  concerns?(result: R, input: Static<I>): Concerned;
  /** Pure: it may be called more than once for one result. */
  view(result: R, guide: Guide): Shown<ViewOf<V>>;
}

/** What an operation runs. A method, so that every operation fits into one list; `operation` checks the input strictly. */
export interface UseCase<R = unknown> {
  execute(context: PublicContext, input: object): Promise<R>;
}

/** How it is constructed is known to whoever wires. */
export type UseCaseClass<R = unknown> = new (...parts: never[]) => UseCase<R>;

/** The one instance of a use case, as whoever wires holds it. */
export type FindUseCase = (type: UseCaseClass) => UseCase;

/** The same, held to exactly this input. */
type StrictUseCaseClass<R, I> = new (...parts: never[]) => {
  readonly execute: (context: CallContext, input: I) => Promise<R>;
};

type Defaulted =
  | 'examples'
  | 'problems'
  | 'budget'
  | 'secrets'
  | 'isPaged'
  | 'isVersioned'
  | 'isStreamed'
  | 'isLive'
  | 'pool';

type Row<I extends TObject, R, V extends TSchema> = Omit<
  Operation<I, R, V>,
  Defaulted | 'useCase'
> &
  Partial<Pick<Operation<I, R, V>, Defaulted>>;

/** An operation, checked against its use case: what the schemas say is what `execute` is given. */
export const operation = <I extends TObject, R, V extends TSchema>(
  row: Row<I, R, V> & { readonly useCase: StrictUseCaseClass<R, Static<I>> },
): Operation<I, R, V> => ({ ...DEFAULTS, ...row });

/** The members of a page that every listing takes. */
export type Paged<I> = Omit<I, 'limit' | 'cursor'> & { readonly slice: SliceRequest };

/** A listing: its use case is given the filters, and the slice that `limit` and `cursor` stand for. */
export const listing = <I extends TObject, R, V extends TSchema>(
  row: Omit<Row<I, R, V>, 'effect' | 'isPaged'> & {
    readonly useCase: StrictUseCaseClass<R, Paged<Static<I>>>;
  },
): Operation<I, R, V> => ({ ...DEFAULTS, ...row, effect: 'read', isPaged: true });

/** Pages as they come: its use case is given a signal that ends it, and `view` and `concerns` get one page. */
export const liveOperation = <I extends TObject, P, V extends TSchema>(
  row: Omit<Row<I, P, V>, 'isStreamed' | 'isLive'> & {
    readonly useCase: StrictUseCaseClass<AsyncIterable<P>, Static<I>>;
  },
): Operation<I, P, V> => {
  const { useCase, ...rest } = row;
  // Whoever performs it hands the pages on, one by one.
  const pages = useCase as unknown as UseCaseClass<P>;
  return { ...DEFAULTS, ...rest, useCase: pages, isStreamed: true, isLive: true };
};

const DEFAULTS = {
  examples: {},
  problems: [],
  budget: 'default',
  secrets: [],
  isPaged: false,
  isVersioned: false,
  isStreamed: false,
  isLive: false,
  pool: null,
} as const;
