import type { OnBehalfOf } from '../../../domain/identity/on-behalf-of.ts';
import type { FederationState } from '../../../domain/record/federated-record.ts';
import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import { NOT_READ } from '../../../domain/record/content.ts';
import type { RecordStatus } from '../../../domain/record/record-status.ts';
import type {
  Awaiting,
  CounterProposal,
  RecordState,
} from '../../../domain/record/record-state.ts';
import type { Reference } from '../../../domain/record/reference.ts';
import type { SqlValue, Table } from '../base/session.ts';
import { jsonFromSql, jsonToSql } from '../base/values.ts';
import {
  BOOLEAN,
  HEX,
  INSTANT,
  INTEGER,
  json,
  nullable,
  oneOf,
  TEXT,
  translated,
  usually,
  UUID,
} from '../tables/codec.ts';
import { column, computed, derived, given, group } from '../tables/column.ts';
import type { RowOf } from '../tables/column-map.ts';
import { table } from '../tables/tables.ts';

/** Without its criteria where they were not read, or stand elsewhere. */
export const counterToSql = ({ criteria, ...rest }: CounterProposal): string =>
  jsonToSql(criteria === NOT_READ ? rest : { criteria, ...rest });

const COUNTER_PROPOSAL = translated<string, CounterProposal>(counterToSql, (text) => {
  const { criteria = NOT_READ, ...rest } = jsonFromSql<
    Omit<CounterProposal, 'criteria'> & Partial<CounterProposal>
  >(text);
  return { criteria, ...rest };
});

export const RECORDS = table('records', {
  id: column('id', UUID),
  orgId: column('org_id', UUID),
  performerOrgId: column('performer_org_id', nullable(UUID)),
  schema: group({
    orgId: column('schema_org_id', UUID),
    publisher: column('publisher', TEXT),
    type: column('type', TEXT),
    version: column('type_version', INTEGER),
    manifestDigest: column('manifest_digest', HEX),
  }),
  platform: column('platform', TEXT),
  platformRef: column('platform_ref', nullable(TEXT)),
  gateMode: column('gate_mode', oneOf<RecordState['gateMode']>()),
  operatingMode: column('operating_mode', oneOf<RecordState['operatingMode']>()),
  status: column('status', oneOf<RecordStatus>()),
  /** NULL where they are large; then `record_contents` holds them under their hash. */
  criteria: column('criteria', usually(NOT_READ, json<JsonObject>())),
  criteriaHash: column('criteria_hash', HEX),
  message: column('message', nullable(TEXT)),
  counterProposal: column('counter_proposal', nullable(COUNTER_PROPOSAL)),
  proposalRounds: column('proposal_rounds', usually(0, INTEGER)),
  onBehalfOf: column('on_behalf_of', nullable(json<OnBehalfOf>())),
  federation: column('federation', nullable(json<FederationState>())),
  principalAgentId: column('principal_agent_id', UUID),
  performerAgentId: column('performer_agent_id', nullable(UUID)),
  parentRecordId: column('parent_record_id', nullable(UUID)),
  /** NULL where the record is its own root, which keeps most records out of the index. */
  rootRecordId: computed(
    'root_record_id',
    nullable(UUID),
    ({ id, rootRecordId }: Pick<RecordState, 'id' | 'rootRecordId'>) =>
      rootRecordId === id ? null : rootRecordId,
    (root, { id }: Pick<RecordState, 'id'>) => root ?? id,
  ),
  depth: column('depth', INTEGER),
  childCount: column('child_count', usually(0, INTEGER)),
  cascadeRule: column('cascade_rule', usually('none', oneOf<RecordState['cascadeRule']>())),
  awaiting: column('awaiting', nullable(oneOf<NonNullable<Awaiting>>())),
  revisionCount: column('revision_count', INTEGER),
  maxRevisions: column('max_revisions', INTEGER),
  latestCompletionId: column('latest_completion_id', nullable(UUID)),
  completionPending: column('completion_pending', BOOLEAN),
  latestEvidenceHash: column('latest_evidence_hash', nullable(HEX)),
  cancelledBy: column('cancelled_by', nullable(oneOf<NonNullable<RecordState['cancelledBy']>>())),
  disputed: column('disputed', BOOLEAN),
  openDisputeId: column('open_dispute_id', nullable(UUID)),
  disputeCount: column('dispute_count', INTEGER),
  maxDisputes: column('max_disputes', INTEGER),
  disputeWindowSeconds: column('dispute_window_seconds', INTEGER),
  disputeDeadline: column('dispute_deadline', nullable(INSTANT)),
  latestSignalId: column('latest_signal_id', nullable(UUID)),
  verdictWindowSeconds: column('verdict_window_seconds', INTEGER),
  expiresAt: column('expires_at', nullable(INSTANT)),
  createdAt: column('created_at', INSTANT),
  activatedAt: column('activated_at', nullable(INSTANT)),
  terminalAt: column('terminal_at', nullable(INSTANT)),
  updatedAt: column('updated_at', INSTANT),
  references: given<readonly Reference[]>(),
  /** NULL where there are no references, so that most records are read with one statement. */
  referenceCount: derived(
    'reference_count',
    usually(0, INTEGER),
    ({ references }: Pick<RecordState, 'references'>) => references.length,
  ),
  version: column('version', INTEGER),
});

export type RecordRow = RowOf<typeof RECORDS>;

/** Of a mirror the clock of its home decides. The role is the first member that is written. */
export const NO_MIRROR = `(federation IS NULL OR federation NOT LIKE '{"role":"mirror"%')`;

/** All columns but those of the criteria, for whoever changes nothing of them. */
export const RECORD_STATE = RECORDS.only(
  ...(Object.keys(RECORDS.members) as (keyof typeof RECORDS.members)[]).filter(
    (member) => member !== 'criteria' && member !== 'counterProposal',
  ),
);

/** The columns of a record whose criteria are left where they are stored. */
export const CARRIED_COLUMNS = RECORDS.columns
  .map((name) => (name === 'criteria' ? 'NULL AS criteria' : name))
  .join(', ');

/** The columns that a record notarized in one call fills although they may be NULL. */
const FILLED_AT_BIRTH: ReadonlySet<string> = new Set([
  'criteria',
  'performer_org_id',
  'platform_ref',
  'performer_agent_id',
  'terminal_at',
]);

/**
 * The place of each column of a brief insert in a whole row, and the places of all other columns.
 */
const BRIEF = RECORDS.columns.flatMap((name, i) =>
  RECORDS.nullable.has(name) && !FILLED_AT_BIRTH.has(name) ? [] : [i],
);
const LEFT_OUT = RECORDS.columns.flatMap((_name, i) => (BRIEF.includes(i) ? [] : [i]));
const BRIEF_RECORDS: Table = {
  name: RECORDS.name,
  order: RECORDS.order,
  columns: BRIEF.map((i) => RECORDS.columns[i]!),
};

/** What is inserted for the row of a record, and its columns: fewer columns make a cheaper insert. */
export const recordInsert = (row: readonly SqlValue[]): readonly [Table, readonly SqlValue[]] =>
  LEFT_OUT.every((i) => row[i] === null)
    ? [BRIEF_RECORDS, BRIEF.map((i) => row[i]!)]
    : [RECORDS, row];
