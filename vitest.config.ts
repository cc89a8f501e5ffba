import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

/** COSE libraries that register extensions of a CBOR library for the whole process: nothing else may find them there. */
const ALONE = ['test/vectors/*.test.ts', 'test/security/predicates.test.ts'];

/** Suites that measure time, or memory under load: one after the other, when nothing else runs. */
const QUIET = [
  'api/foreign-rows',
  'api/slow-signer',
  'e2e/a2a-idle-streams',
  'e2e/grpc-idle-streams',
  'e2e/start-speed',
  'security/event-loop',
  'security/every-body',
  'security/hostile-flood',
  'security/hostile-tokens',
  'security/large-exports',
  'security/listings',
  'security/turns',
  'unit/http/connections',
].map((name) => `test/${name}.test.ts`);

/**
 * Suites that try everything there is (every column, every body, every state, the largest exports) or start the program
 * dozens of times take minutes together. CI runs them at each commit, `npm run test:all` at the desk; `npm test` leaves them out.
 */
const LONG =
  process.env['NOTARY_TEST_ALL'] === '1'
    ? []
    : [
        'api/bulk-revoke',
        'api/cascade',
        'api/dump',
        'api/lifecycle-table',
        'api/compliance-exports',
        'api/dump-of-trees',
        'api/evaluation-left-behind',
        'api/openapi-delivery',
        'api/rotation',
        'api/settlement-signals',
        'api/siem-sinks',
        'api/slow-signer',
        'api/time-stamps',
        'api/vault-scans',
        'contract/held-key',
        'contract/many-chains',
        'contract/timestamp-checker',
        'api/webhook-delivery',
        'api/webhook-outage',
        'crash/dispatchers-stopped',
        'crash/federation-killed',
        'crash/mysql-killed',
        'crash/push-killed',
        'crash/receivers-killed',
        'crash/rotation-killed',
        'crash/sequencers-stopped',
        'crash/sinks-killed',
        'crash/webhooks-killed',
        'e2e/a2a-idle-streams',
        'e2e/delegation-races',
        'e2e/demo-keep',
        'e2e/export',
        'e2e/generated-clients',
        'e2e/grpc-idle-streams',
        'e2e/grpc-python',
        'e2e/host-keys',
        'e2e/hsm',
        'e2e/million-events',
        'e2e/notary-verify',
        'e2e/operator',
        'e2e/packed',
        'e2e/receivers-away',
        'e2e/revocation-nodes',
        'e2e/scan',
        'e2e/sink-away',
        'e2e/start-faults',
        'e2e/tour',
        'e2e/webhook-burst',
        'e2e/verify-page',
        'property/compatibility',
        'property/dump-mutations',
        'property/walks',
        'security/attack-compliance-exports',
        'security/attack-egress-answers',
        'security/attack-events-pages',
        'security/attack-siem-collector',
        'security/attack-webhooks-races',
        'security/attack-webhooks-starvation',
        'security/audit-export-record',
        'security/audit-export-tamper',
        'security/database-edits',
        'security/delegation-edits',
        'security/dump-tampering',
        'security/listings',
        'security/predicates',
        'security/dump-threads',
        'security/every-body',
        'security/every-column',
        'security/large-exports',
        'security/row-edits',
        'security/scan-names-edits',
        'security/schema-lanes',
        'security/socket-edges',
        'security/unusual-paths',
        'unit/http/connections',
      ].map((name) => `test/${name}.test.ts`);

export default defineConfig({
  test: {
    setupFiles: ['test/support/watch-secrets.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    sequence: { sequencer: LongestFirst },
    // One more than the two cores at hand: there is always one that waits for a deadline.
    maxWorkers: 3,
    projects: [
      // To load the service anew for each file would take longer than most files do. So no test changes what the next
      // one finds in the process: modules, environment, clock.
      {
        extends: true,
        test: {
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: [...ALONE, ...QUIET, ...LONG],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'alone', include: ALONE, exclude: LONG, isolate: true } },
      {
        extends: true,
        test: {
          name: 'quiet',
          include: QUIET,
          exclude: LONG,
          isolate: false,
          maxWorkers: 1,
          sequence: { groupOrder: 1, sequencer: LongestFirst },
        },
      },
    ],
  },
});
