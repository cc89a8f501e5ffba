import { actorOf, SYSTEM_ACTOR } from '../../domain/identity/caller.ts';
import type { CallContext } from '../call/call-context.ts';
import type { CoSignature } from '../../domain/identity/co-signature.ts';
import type { OnBehalfOf } from '../../domain/identity/on-behalf-of.ts';
import type { ActorClaim } from '../../domain/vault/statement.ts';

/** Who caused an entry, and in which request. */
export interface Origin {
  readonly actor: ActorClaim;
  readonly requestId: string;
  /** For whom the actor acts. */
  readonly onBehalfOf?: OnBehalfOf;
  readonly coSignature?: CoSignature;
}

export const originOf = ({ caller, requestId, onBehalfOf, coSignature }: CallContext): Origin => ({
  actor: actorOf(caller),
  requestId,
  ...(onBehalfOf ? { onBehalfOf } : {}),
  ...(coSignature ? { coSignature } : {}),
});

/** The service itself. */
export const systemOrigin = (requestId: string): Origin => ({ actor: SYSTEM_ACTOR, requestId });
