import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

/** COSE libraries that register extensions of a CBOR library for the whole process: nothing else may find them there. */
const ALONE = ['test/vectors/*.test.ts', 'test/security/predicates.test.ts'];

/**
 * Suites that try everything there is (every column, every body, every state, the largest exports) or start the program
 * dozens of times take minutes. CI runs them at each commit, `npm run test:all` at the desk; `npm test` leaves them out.
 */
const LONG =
  process.env['NOTARY_TEST_ALL'] === '1'
    ? []
    : [
        'api/lifecycle-table',
        'e2e/operator',
        'e2e/start-faults',
        'security/audit-export-tamper',
        'security/database-edits',
        'security/every-body',
        'security/every-column',
        'security/large-exports',
        'security/row-edits',
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
          exclude: [...ALONE, ...LONG],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'alone', include: ALONE, isolate: true } },
    ],
  },
});
