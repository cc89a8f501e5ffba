import type { AnchorVerification } from '../../../domain/vault/anchor-log.port.ts';
import type { RewindKind } from '../../../domain/vault/rewind.ts';
import { BOOLEAN, BYTES, INSTANT, INTEGER, json, nullable, oneOf, TEXT } from '../tables/codec.ts';
import { column, derived } from '../tables/column.ts';
import { table } from '../tables/tables.ts';

export const ANCHORED_CHECKPOINTS = table('anchored_checkpoints', {
  logIndex: column('log_index', INTEGER),
  chainKey: column('chain_key', TEXT),
  position: column('position', INTEGER),
  objectKey: column('object_key', TEXT),
  anchoredAt: column('anchored_at', INSTANT),
});

/** One row at most, since its primary key is the constant 1. */
export const ANCHOR_SWEEPS = table('anchor_sweeps', {
  id: derived('id', INTEGER, () => 1),
  lastSweepAt: column('last_sweep_at', nullable(INSTANT)),
  lastSuccessAt: column('last_success_at', nullable(INSTANT)),
  failures: column('failures', INTEGER),
  pending: column('pending', INTEGER),
  lastVerify: column('last_verify', nullable(json<AnchorVerification>())),
});

export const REWIND_FINDINGS = table('rewind_findings', {
  chainKey: column('chain_key', TEXT),
  checkpointHash: column('checkpoint_hash', BYTES),
  finding: column('finding', oneOf<RewindKind>()),
  localPosition: column('local_position', INTEGER),
  localHash: column('local_hash', nullable(BYTES)),
  anchoredPosition: column('anchored_position', INTEGER),
  anchoredHash: column('anchored_hash', BYTES),
  isKeyLost: column('key_lost', BOOLEAN),
  detectedAt: column('detected_at', INSTANT),
  acknowledgedAt: column('acknowledged_at', nullable(INSTANT)),
});
