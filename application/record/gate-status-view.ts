import { Type } from 'typebox';
import type { Guide } from '../call/guide.ts';
import { RECORD_GUIDANCE, Timestamp, Uuid, nullable, oneOf } from '../call/schemas.ts';
import type { ViewOf } from '../call/view-of.ts';
import { FieldErrorSchema, GateResultSchema, GateStateSchema, PASSED } from './completion-view.ts';
import { guidanceView } from './guidance-view.ts';
import { AwaitingSchema } from './record-view.ts';
import type { GateStatusResult } from './results.ts';

export const GateStatusSchema = Type.Object({
  recordId: Uuid,
  completionId: nullable(Uuid),
  phase1: Type.Object({
    valid: nullable(Type.Boolean({ description: 'Null before the first completion' })),
    errors: Type.Array(FieldErrorSchema),
  }),
  phase2: Type.Object({
    state: nullable(GateStateSchema),
    evaluatedAt: nullable(Timestamp),
    results: Type.Array(GateResultSchema),
  }),
  mode: oneOf(['auto', 'principal']),
  awaiting: AwaitingSchema,
  ...RECORD_GUIDANCE,
});

export const gateStatusView = (
  { record, completion, guidance }: GateStatusResult,
  guide: Guide,
): ViewOf<typeof GateStatusSchema> => ({
  recordId: record.id,
  completionId: completion?.id ?? null,
  phase1: completion ? PASSED : { valid: null, errors: [] },
  phase2: completion?.gate ?? { state: null, evaluatedAt: null, results: [] },
  mode: record.gateMode,
  awaiting: record.awaiting,
  ...guidanceView(guidance, record.id, guide),
});
