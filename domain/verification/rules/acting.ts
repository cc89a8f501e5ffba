import type { Caller } from '../../identity/caller.ts';
import { sidesOf, type ActingAs, type Parties } from '../../record/sides.ts';
import type { Side } from '../../record/record-state.ts';
import type { ActorClaim } from '../../vault/statement.ts';

/** Who a sealed actor is, as the rules about callers ask. */
export type SealedCaller = Pick<Caller, 'role' | 'agentId' | 'orgId' | 'apiKeyId' | 'oidc'> & {
  readonly cert: { readonly id: string } | null;
};

/** Null for the service itself and for a peer. */
export const callerOf = ({
  kind,
  agentId,
  orgId,
  apiKeyId,
  certId,
  oidc,
}: ActorClaim): SealedCaller | null =>
  kind === 'system' || kind === 'peer'
    ? null
    : {
        role: kind,
        agentId: agentId ?? null,
        orgId: orgId ?? null,
        apiKeyId: apiKeyId ?? null,
        oidc: oidc ?? null,
        cert: certId === undefined ? null : { id: certId },
      };

/** Null for a peer: no entry of this version says that a record has one. */
export const actingOf = (actor: ActorClaim, parties: Parties): ActingAs | null => {
  if (actor.kind === 'system') return 'system';
  const caller = callerOf(actor);
  return caller && { caller, sides: sidesOf(caller, parties) };
};

export const sidesOfActor = (actor: ActorClaim, parties: Parties): ReadonlySet<Side> => {
  const caller = callerOf(actor);
  return caller ? sidesOf(caller, parties) : NONE;
};

/** What is wrong with an actor whatever it does; null: nothing. */
export const actorFault = (actor: ActorClaim, parties: Parties): string | null => {
  const { kind, agentId, orgId, apiKeyId, certId, oidc } = actor;
  if (kind !== 'peer' && actor.peerHubId !== undefined) return 'only a peer acts for another hub';
  if (kind !== 'peer' && kind !== 'system' && (apiKeyId ?? certId ?? oidc) === undefined)
    return 'whoever acts is sealed with a credential';
  switch (kind) {
    case 'system':
      return Object.keys(actor).length === 1 ? null : 'the service itself has no credential';
    case 'peer':
      return 'no peer has a part in the record';
    case 'agent': {
      if (agentId === undefined || orgId === undefined)
        return 'an agent acts with its id and its org';
      const sides = sidesOfActor(actor, parties);
      const isOfItsOrg =
        (!sides.has('principal') || orgId === parties.orgId) &&
        (!sides.has('performer') || orgId === parties.performerOrgId);
      return isOfItsOrg ? null : 'the agent is of another org than its side';
    }
    case 'admin':
      return orgId === undefined ? 'an admin acts for an org' : null;
    case 'platform':
      return null;
  }
};

const NONE: ReadonlySet<Side> = new Set();
