import type { Uuid } from '../kernel/ids.ts';
import type { Action } from '../record/actions.ts';

export type FederationRole = 'home' | 'mirror';

/** A step that the performer's side offered and that home has neither applied nor refused yet. */
export interface PendingStep {
  readonly action: Action;
  readonly sequence: number;
  /** ISO 8601: when it was offered. */
  readonly since: string;
}

/** Why a record no longer follows its peer. */
export type DetachedReason =
  'equivocation' | 'broken' | 'peer_revoked' | 'rewind_acknowledged' | 'peer_detached';

/** The federated half of a record. */
export interface FederationState {
  readonly role: FederationRole;
  readonly peerHubId: Uuid;
  /** Home's id of the record: at home, its own. */
  readonly homeRecordId: Uuid;
  /** The mirror's id of the record: on the mirror, its own; null at home until the first attestation. */
  readonly mirrorRecordId: Uuid | null;
  readonly performerAgentId: Uuid;
  /** The org of the foreign party; null at home until the first attestation. */
  readonly peerOrgId: Uuid | null;
  /** Messages queued so far: the next one has the sequence after it. */
  readonly sent: number;
  /** The highest sequence of the peer that was processed. */
  readonly received: number;
  /** The highest of our own sequences that the peer says it processed. */
  readonly acknowledged: number;
  /** The newest entry of the peer's chain that was verified. */
  readonly peerPosition: number;
  /** Lowercase hex; null before the first. */
  readonly peerHeadHash: string | null;
  readonly refusedSteps: number;
  readonly pendingStep: PendingStep | null;
  readonly detached: DetachedReason | null;
}

/** After so many refused steps a mirror takes none. */
export const MAX_REFUSED_STEPS = 32;
