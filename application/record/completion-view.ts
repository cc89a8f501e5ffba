import { Type } from 'typebox';
import type { Guide } from '../call/guide.ts';
import {
  Actor,
  JsonObjectSchema,
  RECORD_GUIDANCE,
  Sha256,
  SignedStatementSchema,
  Status,
  Timestamp,
  Uuid,
  nullable,
  oneOf,
  orNull,
} from '../call/schemas.ts';
import type { ViewOf } from '../call/view-of.ts';
import { newestStatementView } from '../sealing/signed-statement-view.ts';
import { guidanceView } from './guidance-view.ts';
import { CLAIMED_GATE_RESULT } from './inputs.ts';
import type { CompletionResult } from './results.ts';

export const GateResultSchema = Type.Object({
  gateId: Type.String(),
  description: Type.String(),
  outcome: oneOf(['pass', 'fail', 'error']),
  severity: oneOf(['block', 'warn']),
  expression: Type.String(),
  inputsDigest: Sha256,
  detail: nullable(Type.String()),
});

export const FieldErrorSchema = Type.Object({
  path: Type.String({ description: 'RFC 6901 JSON Pointer' }),
  keyword: Type.String(),
  message: Type.String(),
});

export const GateStateSchema = oneOf([
  'PENDING',
  'PASSED',
  'FAILED',
  'ADVISORY_PASSED',
  'ADVISORY_FAILED',
  'SKIPPED',
]);

export const CompletionSchema = Type.Object({
  id: Uuid,
  recordId: Uuid,
  recordStatus: { ...Status, description: 'Status of the record after the call' },
  revision: Type.Integer({ minimum: 1 }),
  evidence: JsonObjectSchema,
  evidenceHash: Sha256,
  submittedBy: Actor,
  submittedAt: Timestamp,
  structural: Type.Object(
    { valid: Type.Boolean(), errors: Type.Array(FieldErrorSchema) },
    { description: 'Phase 1; what fails it is never stored' },
  ),
  gate: Type.Object(
    {
      state: GateStateSchema,
      evaluatedAt: nullable(Timestamp),
      results: Type.Array(GateResultSchema),
    },
    { description: 'Phase 2' },
  ),
  verdict: orNull(
    Type.Object({
      verdict: oneOf(['accept', 'reject']),
      reason: nullable(Type.String()),
      renderedBy: Actor,
      renderedAt: Timestamp,
      gateResults: Type.Optional(
        Type.Array(Type.Object({ ...CLAIMED_GATE_RESULT, detail: nullable(Type.String()) }), {
          description: 'As claimed by the principal; in the encrypted mode',
        }),
      ),
    }),
  ),
  references: Type.Array(JsonObjectSchema),
  signedStatement: orNull(SignedStatementSchema),
  ...RECORD_GUIDANCE,
});

/** A completion is stored only if it passed phase 1; one that fails it is refused. */
export const PASSED = { valid: true, errors: [] } as const;

export const completionView = (
  { completion, record, signedStatement, guidance }: CompletionResult,
  guide: Guide,
): ViewOf<typeof CompletionSchema> => ({
  id: completion.id,
  recordId: completion.recordId,
  recordStatus: record.status,
  revision: completion.revision,
  evidence: completion.evidence,
  evidenceHash: completion.evidenceHash,
  submittedBy: completion.submittedBy,
  submittedAt: completion.submittedAt,
  structural: PASSED,
  gate: completion.gate,
  verdict: completion.verdict,
  references: [],
  signedStatement: newestStatementView(signedStatement),
  ...guidanceView(guidance, record.id, guide),
});
