import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import type { Completion, RenderedVerdict } from '../../../domain/record/completion.ts';
import type { GateState } from '../../../domain/record/gate.ts';
import type { ActorClaim } from '../../../domain/vault/statement.ts';
import type { SqlValue } from '../session.ts';
import {
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

export const COMPLETIONS = table('completions', [
  'id',
  'record_id',
  'revision',
  'evidence',
  'evidence_hash',
  'submitted_by',
  'submitted_at',
  'gate_state',
  'gate_evaluated_at',
  'gate_results',
  'verdict',
  'verdict_reason',
  'verdict_by',
  'verdict_at',
  'verdict_gate_results',
  'entry_position',
]);

export interface CompletionRow {
  readonly id: Uint8Array;
  readonly record_id: Uint8Array;
  readonly revision: number;
  readonly evidence: string;
  readonly evidence_hash: Uint8Array;
  readonly submitted_by: string;
  readonly submitted_at: number;
  readonly gate_state: GateState;
  readonly gate_evaluated_at: number | null;
  readonly gate_results: string;
  /** The four columns of a verdict are null together. */
  readonly verdict: RenderedVerdict['verdict'] | null;
  readonly verdict_reason: string | null;
  readonly verdict_by: string | null;
  readonly verdict_at: number | null;
  /** Null also where the verdict came without them. */
  readonly verdict_gate_results: string | null;
  readonly entry_position: number;
}

/** In the order of COMPLETIONS.columns. */
export const completionToRow = (completion: Completion): readonly SqlValue[] => [
  uuidToSql(completion.id),
  uuidToSql(completion.recordId),
  completion.revision,
  jsonToSql(completion.evidence),
  hexToSql(completion.evidenceHash),
  jsonToSql(completion.submittedBy),
  timeToSql(completion.submittedAt),
  ...gateAndVerdictToRow(completion),
  completion.entryPosition,
];

/** gate_state, gate_evaluated_at, gate_results, verdict, verdict_reason, verdict_by, verdict_at, verdict_gate_results: what may change. */
export const gateAndVerdictToRow = ({ gate, verdict }: Completion): readonly SqlValue[] => [
  gate.state,
  orNull(gate.evaluatedAt, timeToSql),
  jsonToSql(gate.results),
  verdict?.verdict ?? null,
  verdict?.reason ?? null,
  verdict ? jsonToSql(verdict.renderedBy) : null,
  verdict ? timeToSql(verdict.renderedAt) : null,
  verdict?.gateResults ? jsonToSql(verdict.gateResults) : null,
];

export const rowToCompletion = (row: CompletionRow): Completion => ({
  id: uuidFromSql(row.id),
  recordId: uuidFromSql(row.record_id),
  revision: row.revision,
  evidence: jsonFromSql<JsonObject>(row.evidence),
  evidenceHash: hexFromSql(row.evidence_hash),
  submittedBy: jsonFromSql<ActorClaim>(row.submitted_by),
  submittedAt: timeFromSql(row.submitted_at),
  gate: {
    state: row.gate_state,
    evaluatedAt: orNull(row.gate_evaluated_at, timeFromSql),
    results: jsonFromSql<Completion['gate']['results']>(row.gate_results),
  },
  verdict:
    row.verdict === null || row.verdict_by === null || row.verdict_at === null
      ? null
      : {
          verdict: row.verdict,
          reason: row.verdict_reason,
          renderedBy: jsonFromSql<ActorClaim>(row.verdict_by),
          renderedAt: timeFromSql(row.verdict_at),
          ...claimedResults(row),
        },
  entryPosition: row.entry_position,
});

const claimedResults = ({
  verdict_gate_results: results,
}: CompletionRow): Pick<RenderedVerdict, 'gateResults'> =>
  results === null
    ? {}
    : { gateResults: jsonFromSql<NonNullable<RenderedVerdict['gateResults']>>(results) };
