import type { Caller } from '../../identity/caller.ts';
import { sidesOf, type ActingAs, type Parties } from '../../record/sides.ts';
import type { Side } from '../../record/record-state.ts';
import type { FederationClaim } from '../../record/record-statement.ts';
import type { ActorClaim } from '../../vault/statement.ts';

/** The parties of a record, and whether one of them is on another hub. */
export type SealedParties = Parties & { readonly federation?: FederationClaim | null };

/** Who a sealed actor is, as the rules about callers ask. */
export type SealedCaller = Pick<Caller, 'role' | 'agentId' | 'orgId' | 'apiKeyId' | 'oidc'> & {
  readonly cert: { readonly id: string } | null;
};

/** Null for the service itself, and for a hub that is not the peer of the record. */
export const callerOf = (actor: ActorClaim, parties: SealedParties): SealedCaller | null => {
  const { kind, agentId, orgId, apiKeyId, certId, oidc } = actor;
  if (kind === 'system') return null;
  if (kind === 'peer') return peerAsCaller(actor, parties);
  return {
    role: kind,
    agentId: agentId ?? null,
    orgId: orgId ?? null,
    apiKeyId: apiKeyId ?? null,
    oidc: oidc ?? null,
    cert: certId === undefined ? null : { id: certId },
  };
};

/** A peer speaks for the party that is on it: at home for the performer, on a mirror for the principal. */
const peerAsCaller = (
  { peerHubId }: ActorClaim,
  { federation, principalAgentId, performerAgentId, performerOrgId }: SealedParties,
): SealedCaller | null => {
  if (!federation || federation.peerHubId !== peerHubId) return null;
  const isHome = federation.role === 'home';
  return {
    role: 'agent',
    agentId: isHome ? performerAgentId : principalAgentId,
    orgId: isHome ? performerOrgId : null,
    apiKeyId: null,
    oidc: null,
    cert: null,
  };
};

/** Null for a hub that is not the peer of the record. */
export const actingOf = (actor: ActorClaim, parties: SealedParties): ActingAs | null => {
  if (actor.kind === 'system') return 'system';
  const caller = callerOf(actor, parties);
  return caller && { caller, sides: sidesOf(caller, localTo(parties)) };
};

export const sidesOfActor = (actor: ActorClaim, parties: SealedParties): ReadonlySet<Side> => {
  const caller = callerOf(actor, parties);
  return caller ? sidesOf(caller, localTo(parties)) : NONE;
};

/** A mirror is a record of the performer's org; nobody of it is on the principal's side. */
const localTo = (parties: SealedParties): Parties =>
  parties.federation?.role === 'mirror' ? { ...parties, orgId: NO_ORG } : parties;

const NO_ORG = '';

/** What is wrong with an actor whatever it does; null: nothing. */
export const actorFault = (actor: ActorClaim, parties: SealedParties): string | null => {
  const { kind, agentId, orgId, apiKeyId, certId, oidc } = actor;
  if (kind !== 'peer' && actor.peerHubId !== undefined) return 'only a peer acts for another hub';
  if (kind !== 'peer' && kind !== 'system' && (apiKeyId ?? certId ?? oidc) === undefined)
    return 'whoever acts is sealed with a credential';
  switch (kind) {
    case 'system':
      return Object.keys(actor).length === 1 ? null : 'the service itself has no credential';
    case 'peer':
      if (!parties.federation) return 'no peer has a part in the record';
      return actor.peerHubId === parties.federation.peerHubId && Object.keys(actor).length === 2
        ? null
        : 'the peer that acts is not the one of the record, or has a credential of this hub';
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
