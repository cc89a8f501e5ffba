import { IDS, KEY_ID } from '../call/example-story.ts';
import { DEGRADED_REASONS } from './degraded-reasons.ts';
import { QUEUES } from './health-reads.port.ts';

const { severity, says, cure } = DEGRADED_REASONS.sink_blocked;
const STANDING = {
  status: 'degraded',
  degradedReasons: [{ code: 'sink_blocked', severity, detail: says, suggestion: cure }],
  uptime: 86_400,
};

export const SYSTEM_HEALTH = {
  ...STANDING,
  database: { reachable: true, migrated: true },
  queues: {
    ...Object.fromEntries(QUEUES.map((name) => [name, { depth: 0, oldestSeconds: 0 }])),
    siem_collector: { depth: 412, oldestSeconds: 37.2 },
  },
  breakers: { webhookOpen: 0, webhookHalfOpen: 0, peerOpen: 0 },
  workers: {
    status: 'ok',
    jobs: [
      {
        name: 'siem-http-sink',
        status: 'failing',
        everySeconds: 1,
        lastSeenSecondsAgo: 2.1,
        running: true,
        lastStartedAt: '2026-03-01T12:00:00.000Z',
        lastDurationMs: null,
        lastFailure: 'The collector answered 503.',
      },
    ],
  },
  webhookDeadLetters: 0,
  process: {
    pid: 1,
    nodeVersion: 'v24.11.0',
    residentBytes: 148_000_000,
    heapUsedBytes: 61_000_000,
    eventLoopDelayMs: 4.2,
  },
};

export const OPS_SUMMARY = {
  ...STANDING,
  vault: {
    hubId: IDS.hub,
    signingKeyId: KEY_ID,
    fingerprint: 'b5c1d2e3f40516273849506172839405162738495061728394051627384950aa',
    algorithm: 'Ed25519',
    keys: 1,
    rewoundChains: 0,
    newestCheckpointAt: '2026-03-01T12:00:00.000Z',
    anchoring: {
      backend: 'filesystem',
      intervalMinutes: 360,
      lastSweepAt: '2026-03-01T11:00:00.000Z',
      lastSuccessAt: '2026-03-01T11:00:00.000Z',
      pending: 0,
      failures: 0,
      lastVerify: { at: '2026-03-01T11:00:00.000Z', checked: 20, mismatches: 0 },
    },
  },
};
