import type { OnBehalfOf } from '../identity/on-behalf-of.ts';
import type { JsonObject } from '../kernel/canonical-json.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { CascadeRuleName } from '../record-type/manifest.ts';
import type { ActorClaim } from '../vault/statement.ts';
import type { Awaiting, Side } from './awaiting.ts';
import type { FederationState } from './federated-record.ts';
import type { SchemaRef } from './record-statement.ts';
import type { RecordStatus } from './record-status.ts';
import type { Reference } from './reference.ts';

export type { Awaiting, Side } from './awaiting.ts';

/** Other criteria, offered by the awaited side. They stay on the record if the proposal ends without acceptance. */
export interface CounterProposal {
  readonly criteria: JsonObject;
  readonly criteriaHash: string;
  readonly message: string | null;
  readonly proposedBy: ActorClaim;
  readonly proposedAt: string;
}

/** Everything a record is, as one immutable value. Times are ISO 8601 with milliseconds. */
export interface RecordState {
  readonly id: Uuid;
  /** The principal's org. */
  readonly orgId: Uuid;
  readonly performerOrgId: Uuid | null;
  /** The manifest that was pinned at creation; later versions never change it. */
  readonly schema: SchemaRef;
  readonly platform: string;
  readonly platformRef: string | null;
  readonly gateMode: 'auto' | 'principal';
  readonly operatingMode: 'cleartext' | 'encrypted';
  readonly status: RecordStatus;
  readonly criteria: JsonObject;
  readonly criteriaHash: string;
  readonly message: string | null;
  readonly counterProposal: CounterProposal | null;
  /** How many counter-proposals were made. */
  readonly proposalRounds: number;
  /** For whom its creator acted. */
  readonly onBehalfOf: OnBehalfOf | null;
  readonly principalAgentId: Uuid;
  readonly performerAgentId: Uuid | null;
  readonly parentRecordId: Uuid | null;
  readonly rootRecordId: Uuid;
  readonly depth: number;
  /** How many records were delegated under it. */
  readonly childCount: number;
  readonly cascadeRule: CascadeRuleName;
  readonly awaiting: Awaiting;
  readonly revisionCount: number;
  readonly maxRevisions: number;
  readonly latestCompletionId: Uuid | null;
  /** The latest completion waits for its verdict or its gate. */
  readonly completionPending: boolean;
  readonly latestEvidenceHash: string | null;
  /** Null unless it is CANCELLED. */
  readonly cancelledBy: Side | null;
  readonly disputed: boolean;
  readonly openDisputeId: Uuid | null;
  readonly disputeCount: number;
  readonly maxDisputes: number;
  readonly disputeWindowSeconds: number;
  /**
   * When the phase of the open dispute ends or, without one, when the HOLD on its settlement ends. Null if nothing is
   * due.
   */
  readonly disputeDeadline: string | null;
  /** The newest settlement signal. */
  readonly latestSignalId: Uuid | null;
  readonly verdictWindowSeconds: number;
  readonly expiresAt: string | null;
  readonly createdAt: string;
  readonly activatedAt: string | null;
  readonly terminalAt: string | null;
  readonly updatedAt: string;
  /** Null where the record is of this hub alone. */
  readonly federation: FederationState | null;
  /** In the order in which they were added. */
  readonly references: readonly Reference[];
  /** Grows by one with every change; the ETag. */
  readonly version: number;
}

/** The criteria on the table: an acceptance accepts them, and every entry of the chain binds them. */
export const criteriaHashOnTable = (record: RecordState): string =>
  record.counterProposal?.criteriaHash ?? record.criteriaHash;
