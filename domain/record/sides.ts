import type { FederationState } from './federated-record.ts';
import type { Caller } from '../identity/caller.ts';
import type { LifecycleActor, Transition } from './lifecycle.ts';
import type { RecordState, Side } from './record-state.ts';
import { losingSide, type Ending } from './settlement.ts';

/** As far as it decides for whom somebody may act. */
export type Speaker = Pick<Caller, 'role' | 'agentId' | 'orgId' | 'peerHubId'>;

export type Parties = Pick<
  RecordState,
  'principalAgentId' | 'orgId' | 'performerAgentId' | 'performerOrgId'
> & { readonly federation?: Pick<FederationState, 'role' | 'peerHubId'> | null };

/** The sides of a record that a caller may act for: its own agent, the agents of an admin's org, or any. */
export const sidesOf = (caller: Speaker, record: Parties): ReadonlySet<Side> => {
  const sides = new Set<Side>();
  const { federation = null } = record;
  if (caller.peerHubId !== undefined) {
    // A hub speaks for the party that lives on it.
    if (federation?.peerHubId === caller.peerHubId)
      sides.add(federation.role === 'home' ? 'performer' : 'principal');
    return sides;
  }
  if (federation?.role !== 'mirror' && belongs(caller, record.principalAgentId, record.orgId))
    sides.add('principal');
  // Nobody here acts for the party of another hub.
  if (
    federation?.role !== 'home' &&
    record.performerAgentId !== null &&
    belongs(caller, record.performerAgentId, record.performerOrgId)
  )
    sides.add('performer');
  return sides;
};

/** Both parties, the admins of both parties' orgs, and platform. To anyone else a record does not exist. */
export const mayRead = (caller: Speaker, record: Parties): boolean =>
  caller.role === 'platform' || sidesOf(caller, record).size > 0;

/** Whether an agent is the caller's to name: its own, one of its org, or any. */
export const belongs = (caller: Speaker, agentId: string, orgId: string | null): boolean => {
  switch (caller.role) {
    case 'agent':
      return caller.agentId === agentId;
    case 'admin':
      return caller.orgId !== null && caller.orgId === orgId;
    case 'platform':
      return true;
  }
};

/** Who acts: a caller with the sides it may speak for, or the service itself. */
export type Acting = { readonly caller: Caller; readonly sides: ReadonlySet<Side> } | 'system';

export const actingOn = (caller: Caller, record: RecordState): Acting => ({
  caller,
  sides: sidesOf(caller, record),
});

/** Whether a transition lets them act on this record now. */
export const mayAct = (
  transition: Pick<Transition, 'actors'>,
  acting: ActingAs,
  record: ActedOn,
): boolean => transition.actors.some((actor) => isActor(actor, acting, record));

/** Who acts, as far as the table asks. */
export type ActingAs =
  { readonly caller: Pick<Caller, 'role'>; readonly sides: ReadonlySet<Side> } | 'system';
type ActedOn = Ending & Pick<RecordState, 'awaiting'>;

const isActor = (actor: LifecycleActor, acting: ActingAs, record: ActedOn): boolean => {
  if (acting === 'system') return actor === 'system';
  switch (actor) {
    case 'principal':
    case 'performer':
      return acting.sides.has(actor);
    case 'awaited':
    case 'other': {
      const awaited = record.awaiting;
      // Only a proposal awaits a side. In other states the state refuses, not the side.
      if (record.status !== 'PROPOSED' || (awaited !== 'principal' && awaited !== 'performer'))
        return acting.sides.size > 0;
      return acting.sides.has(actor === 'awaited' ? awaited : otherSide(awaited));
    }
    case 'admin':
      return acting.caller.role !== 'agent' && acting.sides.size > 0;
    case 'loser': {
      const loser = losingSide(record);
      return loser !== null && acting.sides.has(loser);
    }
    case 'creator':
    case 'system':
    case 'initiator':
    case 'resolver':
      return false;
  }
};

/** The names of those who may, for `allowedActors`. */
export const actorNames = (
  transitions: readonly Transition[],
  record: RecordState,
): readonly string[] => {
  const names = transitions
    .flatMap((transition) => transition.actors)
    .flatMap((actor): readonly string[] => {
      if (actor === 'loser') return [losingSide(record) ?? actor];
      if (actor !== 'awaited' && actor !== 'other') return [actor];
      const awaited = record.awaiting;
      if (awaited !== 'principal' && awaited !== 'performer') return ['principal', 'performer'];
      return [actor === 'awaited' ? awaited : otherSide(awaited)];
    });
  return [...new Set(names)];
};

export const otherSide = (side: Side): Side => (side === 'principal' ? 'performer' : 'principal');
