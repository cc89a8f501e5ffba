import type { JsonObject, JsonValue } from '../kernel/canonical-json.ts';
import { MAX_REFUSED_STEPS } from './limits.ts';
import type { Uuid } from '../kernel/ids.ts';

export type FederationRole = 'home' | 'mirror';

/** A step that the performer's side offered and that home has neither applied nor refused yet. */
export interface PendingStep {
  readonly action: string;
  readonly sequence: number;
  /** ISO 8601: when it was offered. */
  readonly since: string;
}

/** Why a record no longer follows its peer. The words are sealed. */
export const DETACHED_REASONS = [
  'equivocation',
  'broken',
  'peer_revoked',
  'rewind_acknowledged',
  'offer_refused',
  'peer_detached',
  'refused_by_peer',
] as const;
export type DetachedReason = (typeof DETACHED_REASONS)[number];

/** With these the peer takes nothing more, so nothing that was queued before is sent either. */
const SILENCING: ReadonlySet<DetachedReason> = new Set<DetachedReason>([
  'offer_refused',
  'peer_detached',
  'refused_by_peer',
]);

/** Whether messages that were queued before a record was detached are still sent. */
export const isSilenced = (detached: DetachedReason | null): boolean =>
  detached !== null && SILENCING.has(detached);

/** The federated half of a record. Every member but `recordId` at home follows from the entries of its chain. */
export interface FederationState {
  readonly role: FederationRole;
  readonly peerHubId: Uuid;
  /** The peer's id of the record. Null at home until the first attestation of the mirror. */
  readonly recordId: Uuid | null;
  /** Messages queued so far: the next one has the sequence after it. */
  readonly sent: number;
  /** The highest sequence of the peer that was processed. */
  readonly received: number;
  /** The highest one of them that was applied: what the peer is told in `ack`. */
  readonly applied: number;
  readonly refusedSteps: number;
  readonly pendingStep: PendingStep | null;
  /**
   * The registration of the peer under which the record was shared: registered again after it was revoked, the peer starts
   * with new records only. Missing on records from before it was kept.
   */
  readonly generation?: number;
  readonly detached: DetachedReason | null;
}

/** Whether a record was shared under a registration of the peer that ended. */
export const isOfFormerPeer = (
  { generation }: Pick<FederationState, 'generation'>,
  peer: { readonly generation: number },
): boolean => generation !== undefined && generation < peer.generation;

/** What a chain says of the federated half of its record. The newest step may be answered: that, no entry says. */
export const federationFacts = (federation: FederationState | null | undefined): JsonValue =>
  federation
    ? {
        role: federation.role,
        peerHubId: federation.peerHubId,
        homeRecordId: federation.role === 'mirror' ? federation.recordId : null,
        sent: federation.sent,
        received: federation.received,
        applied: federation.applied,
        refusedSteps: federation.refusedSteps,
        detached: federation.detached,
      }
    : null;

/** What `federationFacts` gives of a record that was just opened. */
export const openingFacts = (claim: JsonObject): JsonObject => ({
  role: claim['role'] ?? null,
  peerHubId: claim['peerHubId'] ?? null,
  homeRecordId: claim['recordId'] ?? null,
  sent: claim['role'] === 'home' ? 1 : 0,
  received: 0,
  applied: 0,
  refusedSteps: 0,
  detached: null,
});

/** Home's id of a record: its own, or the one that its mirror follows. */
export const homeRecordId = (record: {
  readonly id: Uuid;
  readonly federation?: FederationState | null;
}): Uuid =>
  record.federation?.role === 'mirror' ? (record.federation.recordId ?? record.id) : record.id;

/** Whether an entry of the record is told to the peer. */
export const isTold = (federation: FederationState | null | undefined): boolean =>
  federation?.role === 'home' && federation.detached === null;

/** What the performer's side does on a mirror without asking home: its children live there. */
export const OWN_OF_MIRROR: ReadonlySet<string> = new Set(['delegate', 'verify-cascade']);

/** Why a mirror takes no step now; null where it does, and for every other record. */
export const stepObstacle = (record: {
  readonly federation?: FederationState | null;
}): 'detached' | 'pending' | 'exhausted' | null => {
  const { federation } = record;
  if (federation?.role !== 'mirror') return null;
  if (federation.detached !== null) return 'detached';
  if (federation.pendingStep !== null) return 'pending';
  return federation.refusedSteps >= MAX_REFUSED_STEPS ? 'exhausted' : null;
};

export const isMirror = (record: {
  readonly federation?: Pick<FederationState, 'role'> | null;
}): boolean => record.federation?.role === 'mirror';
