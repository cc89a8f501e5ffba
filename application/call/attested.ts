import type { Caller } from '../../domain/identity/caller.ts';
import type { Traced } from '../ports/tracer.port.ts';
import type { CallContext } from './call-context.ts';
import type { Operation, Target } from './operation.ts';
import type { Proofs } from './proofs.ts';

/** What a call proves beyond its credential. */
export type Attested = Pick<CallContext, 'coSigned' | 'onBehalfOf'>;

/** What a call is about to do, as far as it is known before its input is read. */
export interface Attempt extends Traced {
  readonly effect: Operation['effect'];
  /** It is about credentials, orgs and administration alone. */
  readonly governs: boolean;
  /** Null where there is none yet, because the call creates it. */
  readonly target: () => Target | null;
}

/** Checks what a caller signed, or had signed, about one call. */
export interface CallAttester {
  /**
   * @throws UNAUTHORIZED where something is given that does not hold, or is missing where it is demanded; FORBIDDEN where
   *   it is demanded and the credential can give none.
   */
  attest(caller: Caller, proofs: Proofs | null, attempt: Attempt): Promise<Attested>;
}
