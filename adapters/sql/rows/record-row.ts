import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import type { OnBehalfOf } from '../../../domain/identity/on-behalf-of.ts';
import type { RecordStatus } from '../../../domain/record/lifecycle.ts';
import type {
  Awaiting,
  CounterProposal,
  RecordState,
} from '../../../domain/record/record-state.ts';
import type { Reference } from '../../../domain/record/reference.ts';
import type { SqlValue, Table } from '../session.ts';
import {
  booleanFromSql,
  booleanToSql,
  hexFromSql,
  hexToSql,
  jsonFromSql,
  jsonToSql,
  orNull,
  timeFromSql,
  timeToSql,
  uuidFromSql,
  uuidToSql,
} from '../values.ts';
import { table } from './tables.ts';

export const RECORDS = table('records', [
  'id',
  'org_id',
  'performer_org_id',
  'schema_org_id',
  'publisher',
  'type',
  'type_version',
  'manifest_digest',
  'platform',
  'platform_ref',
  'gate_mode',
  'operating_mode',
  'status',
  'criteria',
  'criteria_hash',
  'message',
  'principal_agent_id',
  'performer_agent_id',
  'parent_record_id',
  'root_record_id',
  'depth',
  'awaiting',
  'revision_count',
  'max_revisions',
  'latest_completion_id',
  'completion_pending',
  'latest_evidence_hash',
  'disputed',
  'open_dispute_id',
  'dispute_count',
  'max_disputes',
  'dispute_window_seconds',
  'verdict_window_seconds',
  'expires_at',
  'created_at',
  'activated_at',
  'terminal_at',
  'updated_at',
  'version',
  'counter_proposal',
  'proposal_rounds',
  'reference_count',
  'depth_limit',
  'child_count',
  'cascade_rule',
  'cancelled_by',
  'dispute_deadline',
  'latest_signal_id',
  'on_behalf_of',
]);

/** What a record that was sealed at its creation mostly leaves empty: a third of the columns, which then need not be bound. */
const EMPTY_AT_BIRTH: ReadonlySet<string> = new Set([
  'message',
  'parent_record_id',
  'root_record_id',
  'awaiting',
  'latest_completion_id',
  'latest_evidence_hash',
  'open_dispute_id',
  'expires_at',
  'activated_at',
  'counter_proposal',
  'proposal_rounds',
  'reference_count',
  'depth_limit',
  'child_count',
  'cascade_rule',
  'cancelled_by',
  'dispute_deadline',
  'latest_signal_id',
  'on_behalf_of',
]);
const isBrief = RECORDS.columns.map((column) => !EMPTY_AT_BIRTH.has(column));
const BRIEF_RECORDS = table(
  'records',
  RECORDS.columns.filter((_column, index) => isBrief[index]),
);

/** What to insert for a record, and by which columns: the fewer there are, the cheaper it is. */
export const recordInsert = (record: RecordState): readonly [Table, readonly SqlValue[]] => {
  const row = recordToRow(record);
  return row.every((value, index) => isBrief[index] || value === null)
    ? [BRIEF_RECORDS, row.filter((_value, index) => isBrief[index])]
    : [RECORDS, row];
};

export interface RecordRow {
  readonly id: Uint8Array;
  readonly org_id: Uint8Array;
  readonly performer_org_id: Uint8Array | null;
  readonly schema_org_id: Uint8Array;
  readonly publisher: string;
  readonly type: string;
  readonly type_version: number;
  readonly manifest_digest: Uint8Array;
  readonly platform: string;
  readonly platform_ref: string | null;
  readonly gate_mode: RecordState['gateMode'];
  readonly operating_mode: RecordState['operatingMode'];
  readonly status: RecordStatus;
  readonly criteria: string;
  readonly criteria_hash: Uint8Array;
  readonly message: string | null;
  readonly principal_agent_id: Uint8Array;
  readonly performer_agent_id: Uint8Array | null;
  readonly parent_record_id: Uint8Array | null;
  /** Null where the record is its own root, which keeps most records out of the index. */
  readonly root_record_id: Uint8Array | null;
  readonly depth: number;
  readonly awaiting: Awaiting;
  readonly revision_count: number;
  readonly max_revisions: number;
  readonly latest_completion_id: Uint8Array | null;
  readonly completion_pending: number;
  readonly latest_evidence_hash: Uint8Array | null;
  readonly disputed: number;
  readonly open_dispute_id: Uint8Array | null;
  readonly dispute_count: number;
  readonly max_disputes: number;
  readonly dispute_window_seconds: number;
  readonly verdict_window_seconds: number;
  readonly expires_at: number | null;
  readonly created_at: number;
  readonly activated_at: number | null;
  readonly terminal_at: number | null;
  readonly updated_at: number;
  readonly version: number;
  readonly counter_proposal: string | null;
  /** Null: none yet. */
  readonly proposal_rounds: number | null;
  /** Null: none. */
  readonly reference_count: number | null;
  readonly depth_limit: number | null;
  /** Null: none. */
  readonly child_count: number | null;
  /** Null: the rule `none`. */
  readonly cascade_rule: RecordState['cascadeRule'] | null;
  readonly cancelled_by: RecordState['cancelledBy'];
  readonly dispute_deadline: number | null;
  readonly latest_signal_id: Uint8Array | null;
  readonly on_behalf_of: string | null;
}

/** In the order of RECORDS.columns. */
export const recordToRow = (record: RecordState): readonly SqlValue[] => [
  uuidToSql(record.id),
  uuidToSql(record.orgId),
  orNull(record.performerOrgId, uuidToSql),
  uuidToSql(record.schema.orgId),
  record.schema.publisher,
  record.schema.type,
  record.schema.version,
  hexToSql(record.schema.manifestDigest),
  record.platform,
  record.platformRef,
  record.gateMode,
  record.operatingMode,
  record.status,
  jsonToSql(record.criteria),
  hexToSql(record.criteriaHash),
  record.message,
  uuidToSql(record.principalAgentId),
  orNull(record.performerAgentId, uuidToSql),
  orNull(record.parentRecordId, uuidToSql),
  record.rootRecordId === record.id ? null : uuidToSql(record.rootRecordId),
  record.depth,
  record.awaiting,
  record.revisionCount,
  record.maxRevisions,
  orNull(record.latestCompletionId, uuidToSql),
  booleanToSql(record.completionPending),
  orNull(record.latestEvidenceHash, hexToSql),
  booleanToSql(record.disputed),
  orNull(record.openDisputeId, uuidToSql),
  record.disputeCount,
  record.maxDisputes,
  record.disputeWindowSeconds,
  record.verdictWindowSeconds,
  orNull(record.expiresAt, timeToSql),
  timeToSql(record.createdAt),
  orNull(record.activatedAt, timeToSql),
  orNull(record.terminalAt, timeToSql),
  timeToSql(record.updatedAt),
  record.version,
  orNull(record.counterProposal, jsonToSql),
  record.proposalRounds || null,
  record.references.length || null,
  record.depthLimit,
  record.childCount || null,
  record.cascadeRule === 'none' ? null : record.cascadeRule,
  record.cancelledBy,
  orNull(record.disputeDeadline, timeToSql),
  orNull(record.latestSignalId, uuidToSql),
  orNull(record.onBehalfOf, jsonToSql),
];

/** @param references of this record; `rowsToRecords` reads them. */
export const rowToRecord = (row: RecordRow, references: readonly Reference[]): RecordState => {
  const id = uuidFromSql(row.id);
  return {
    id,
    orgId: uuidFromSql(row.org_id),
    performerOrgId: orNull(row.performer_org_id, uuidFromSql),
    schema: {
      orgId: uuidFromSql(row.schema_org_id),
      publisher: row.publisher,
      type: row.type,
      version: row.type_version,
      manifestDigest: hexFromSql(row.manifest_digest),
    },
    platform: row.platform,
    platformRef: row.platform_ref,
    gateMode: row.gate_mode,
    operatingMode: row.operating_mode,
    status: row.status,
    criteria: jsonFromSql<JsonObject>(row.criteria),
    criteriaHash: hexFromSql(row.criteria_hash),
    message: row.message,
    counterProposal: orNull(row.counter_proposal, (text) => jsonFromSql<CounterProposal>(text)),
    proposalRounds: row.proposal_rounds ?? 0,
    onBehalfOf: orNull(row.on_behalf_of, (text) => jsonFromSql<OnBehalfOf>(text)),
    principalAgentId: uuidFromSql(row.principal_agent_id),
    performerAgentId: orNull(row.performer_agent_id, uuidFromSql),
    parentRecordId: orNull(row.parent_record_id, uuidFromSql),
    rootRecordId: row.root_record_id === null ? id : uuidFromSql(row.root_record_id),
    depth: row.depth,
    depthLimit: row.depth_limit,
    childCount: row.child_count ?? 0,
    cascadeRule: row.cascade_rule ?? 'none',
    awaiting: row.awaiting,
    revisionCount: row.revision_count,
    maxRevisions: row.max_revisions,
    latestCompletionId: orNull(row.latest_completion_id, uuidFromSql),
    completionPending: booleanFromSql(row.completion_pending),
    latestEvidenceHash: orNull(row.latest_evidence_hash, hexFromSql),
    cancelledBy: row.cancelled_by,
    disputed: booleanFromSql(row.disputed),
    openDisputeId: orNull(row.open_dispute_id, uuidFromSql),
    disputeCount: row.dispute_count,
    maxDisputes: row.max_disputes,
    disputeWindowSeconds: row.dispute_window_seconds,
    disputeDeadline: orNull(row.dispute_deadline, timeFromSql),
    latestSignalId: orNull(row.latest_signal_id, uuidFromSql),
    verdictWindowSeconds: row.verdict_window_seconds,
    expiresAt: orNull(row.expires_at, timeFromSql),
    createdAt: timeFromSql(row.created_at),
    activatedAt: orNull(row.activated_at, timeFromSql),
    terminalAt: orNull(row.terminal_at, timeFromSql),
    updatedAt: timeFromSql(row.updated_at),
    references,
    version: row.version,
  };
};
