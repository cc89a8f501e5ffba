import type { Caller } from '../../domain/identity/caller.ts';
import type { CoSignedRequest } from '../../domain/identity/co-signed-request.ts';
import type { OnBehalfOf } from '../../domain/identity/on-behalf-of.ts';
import type { PeerCall } from './peer-call.ts';
import type { Traced } from '../ports/tracer.port.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import type { DpopProof } from './proofs.ts';

/** A call that needs no credential. */
export interface PublicContext extends Traced {
  readonly requestId: string;
  /** By which the caller shows that a token is its own. */
  readonly dpop?: DpopProof;
}

/** One call of a use case: who, under which request id, and what the caller proves. */
export interface CallContext extends PublicContext {
  readonly caller: Caller;
  /** For whom the caller acts, as a token proves that came with the call. */
  readonly onBehalfOf?: OnBehalfOf;
  /** What the caller itself signed of this call; entries that the call writes seal it. */
  readonly coSigned?: CoSignedRequest;
  /** The versions of the resource of which the caller expects one. */
  readonly expectedVersions?: readonly number[];
  /** Of a live operation: aborts where nobody pulls any more, or the credential ended. */
  readonly signal?: AbortSignal;
  /** Present where a peer asks for a step of its party: the record is at home here. */
  readonly peer?: PeerCall;
  /** Written with the effect of the call, in its unit of work. What it throws undoes both; it may run more than once. */
  readonly beside?: (stores: Stores, result: unknown) => Promise<void>;
  /** Present where the call must not act twice. */
  readonly idempotency?: IdempotencyClaim;
}

/** The identity of a call that must not act twice. */
export interface IdempotencyClaim {
  /** 32 bytes: SHA-256 over credential owner, operation, target and the caller's key. */
  readonly scope: Uint8Array;
  /** 32 bytes: SHA-256 over the RFC 8785 form of the checked input. */
  readonly fingerprint: Uint8Array;
  /** The outcome of a result, as it is kept and given again. */
  readonly keep: (result: unknown) => string;
}
