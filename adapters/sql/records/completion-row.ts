import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import type { Completion, RenderedVerdict } from '../../../domain/record/completion.ts';
import type { GateState } from '../../../domain/record/gate.ts';
import type { ActorClaim } from '../../../domain/vault/statement.ts';
import { HEX, INSTANT, INTEGER, json, nullable, oneOf, TEXT, UUID } from '../tables/codec.ts';
import { column, group, nullableGroup, optional } from '../tables/column.ts';
import { table } from '../tables/tables.ts';

export const COMPLETIONS = table('completions', {
  id: column('id', UUID),
  recordId: column('record_id', UUID),
  revision: column('revision', INTEGER),
  evidence: column('evidence', json<JsonObject>()),
  evidenceHash: column('evidence_hash', HEX),
  submittedBy: column('submitted_by', json<ActorClaim>()),
  submittedAt: column('submitted_at', INSTANT),
  gate: group({
    state: column('gate_state', oneOf<GateState>()),
    evaluatedAt: column('gate_evaluated_at', nullable(INSTANT)),
    results: column('gate_results', json<Completion['gate']['results']>()),
  }),
  verdict: nullableGroup({
    verdict: column('verdict', oneOf<RenderedVerdict['verdict']>()),
    reason: column('verdict_reason', nullable(TEXT)),
    renderedBy: column('verdict_by', json<ActorClaim>()),
    renderedAt: column('verdict_at', INSTANT),
    gateResults: optional(
      'verdict_gate_results',
      json<NonNullable<RenderedVerdict['gateResults']>>(),
    ),
  }),
  entryPosition: column('entry_position', INTEGER),
});
