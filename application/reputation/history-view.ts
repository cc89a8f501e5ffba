import { Type } from 'typebox';
import { OUTCOMES, type PerformedRecord } from '../../domain/reputation/performance-reads.port.ts';
import { Sha256, Status, Timestamp, Uuid, nullable, oneOf } from '../call/schemas.ts';
import type { ViewOf } from '../call/view-of.ts';

export const HistoryRowSchema = Type.Object({
  recordId: Uuid,
  type: Type.String(),
  status: Status,
  outcome: oneOf(OUTCOMES),
  completionId: nullable(Uuid),
  evidenceHash: nullable(Sha256),
  createdAt: Timestamp,
  activatedAt: Timestamp,
  submittedAt: nullable(Timestamp),
  decidedAt: nullable({ ...Timestamp, description: 'When a verdict or a dispute set the outcome' }),
  completionMs: nullable(Type.Integer({ description: 'From activation to the latest submission' })),
});

export const historyRowView = ({
  expiresAt: _,
  orgId: _org,
  ...row
}: PerformedRecord): ViewOf<typeof HistoryRowSchema> => row;
