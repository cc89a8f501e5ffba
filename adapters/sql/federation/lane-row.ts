import type { LaneStop } from '../../../domain/federation/lane.ts';
import { INSTANT, INTEGER, nullable, oneOf, TEXT, UUID } from '../tables/codec.ts';
import { column, group, nullableGroup } from '../tables/column.ts';
import { table } from '../tables/tables.ts';

/** What is written of a lane. Its lease is not read back. */
export const LANES = table('federation_lanes', {
  recordId: column('record_id', UUID),
  peerHubId: column('peer_hub_id', UUID),
  failures: group({
    attempts: column('attempts', INTEGER),
    since: column('failing_since', nullable(INSTANT)),
  }),
  dueAt: column('due_at', INSTANT),
  stopped: nullableGroup({
    reason: column('stopped_reason', oneOf<LaneStop>()),
    at: column('stopped_at', INSTANT),
  }),
  lastStatus: column('last_status', nullable(INTEGER)),
  lastError: column('last_error', nullable(TEXT)),
});

export const BREAKERS = table('federation_breakers', {
  peerHubId: column('peer_hub_id', UUID),
  consecutiveFailures: column('consecutive_failures', INTEGER),
  openedAt: column('opened_at', nullable(INSTANT)),
  probeAt: column('probe_at', nullable(INSTANT)),
});
