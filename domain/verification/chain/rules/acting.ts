import type { Caller } from '../../../identity/caller.ts';
import { sidesOf, type ActingAs, type Parties } from '../../../record/sides.ts';
import type { Side } from '../../../record/record-state.ts';
import type { FederationClaim } from '../../../record/record-statement.ts';
import type { ActorClaim } from '../../../vault/statement.ts';

/** The parties of a record, and whether one of them is on another hub. */
export type SealedParties = Omit<Parties, 'federation'> & {
  readonly federation?: FederationClaim | null;
};

/** Who a sealed actor is, as the rules about callers ask. */
export type SealedCaller = Pick<
  Caller,
  'role' | 'agentId' | 'orgId' | 'apiKeyId' | 'oidc' | 'peerHubId'
> & {
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

/** At home a peer speaks for the performer, as the rules about callers have it. */
const peerAsCaller = (
  { peerHubId }: ActorClaim,
  { federation, performerAgentId, performerOrgId }: SealedParties,
): SealedCaller | null =>
  federation?.role === 'home' && federation.peerHubId === peerHubId
    ? {
        role: 'agent',
        agentId: performerAgentId,
        orgId: performerOrgId,
        apiKeyId: null,
        oidc: null,
        cert: null,
        peerHubId: federation.peerHubId,
      }
    : null;

/** Null for a hub that is not the peer of the record. */
export const actingOf = (actor: ActorClaim, parties: SealedParties): ActingAs | null => {
  if (actor.kind === 'system') return 'system';
  const caller = callerOf(actor, parties);
  return caller && { caller, sides: sidesOf(caller, parties) };
};

export const sidesOfActor = (actor: ActorClaim, parties: SealedParties): ReadonlySet<Side> => {
  // Of a mirror all that comes is home's word, and so its principal's.
  if (actor.kind === 'peer' && parties.federation?.role === 'mirror') return OF_HOME;
  const caller = callerOf(actor, parties);
  return caller ? sidesOf(caller, parties) : NONE;
};

const OF_HOME: ReadonlySet<Side> = new Set<Side>(['principal']);

/** What is wrong with an actor whatever it does, given the parties; null: nothing. Its credential is judged on every chain. */
export const actorFault = (actor: ActorClaim, parties: SealedParties): string | null => {
  const { kind, agentId, orgId } = actor;
  switch (kind) {
    case 'system':
      return null;
    case 'peer':
      if (!parties.federation) return 'no peer has a part in the record';
      return actor.peerHubId === parties.federation.peerHubId
        ? null
        : 'the peer that acts is not the one of the record';
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
