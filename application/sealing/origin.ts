import { actorOf, SYSTEM_ACTOR } from '../../domain/identity/caller.ts';
import type { CallContext } from '../call/call-context.ts';
import type { CoSignedRequest } from '../../domain/identity/co-signed-request.ts';
import type { OnBehalfOf } from '../../domain/identity/on-behalf-of.ts';
import type { ActorClaim } from '../../domain/vault/statement.ts';

/** Who caused an entry, and in which request. */
export interface Origin {
  readonly actor: ActorClaim;
  readonly requestId: string;
  /** For whom the actor acts. */
  readonly onBehalfOf?: OnBehalfOf;
  readonly coSigned?: CoSignedRequest;
}

export const originOf = ({ caller, requestId, onBehalfOf, coSigned }: CallContext): Origin => ({
  actor: actorOf(caller),
  requestId,
  ...(onBehalfOf ? { onBehalfOf } : {}),
  ...(coSigned ? { coSigned } : {}),
});

/**
 * Of the further entries of one call on one chain. A co-signature stands on the first of them alone: a verifier takes a
 * second one for a signature that was used twice.
 */
export const furtherOrigin = ({ coSigned: _, ...origin }: Origin): Origin => origin;

/** The service itself. */
export const systemOrigin = (requestId: string): Origin => ({ actor: SYSTEM_ACTOR, requestId });
