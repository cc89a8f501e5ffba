import { defineConfig } from 'vitest/config';
import { ByWeight } from './test/support/runner/by-weight.ts';
import { FailedFiles } from './test/support/runner/failed-files.ts';
import { SecondAttempts } from './test/support/runner/second-attempts.ts';
import { SkippedSuites } from './test/support/runner/skipped-suites.ts';

/** The suffix of a file's name says which tier runs it; CONTRIBUTING has the table. */
const tier = (suffix: string): string => `test/**/*.${suffix}.test.ts`;

const runner = (name: string): string => `test/support/runner/${name}.ts`;

export default defineConfig({
  test: {
    globalSetup: ['scratch', 'global-setup'].map(runner),
    setupFiles: ['equal-bytes', 'watch-secrets'].map(runner),
    reporters: ['default', new SecondAttempts(), new SkippedSuites(), new FailedFiles()],
    // 0 at the desk. CI names every test that it had to try again, until loaded runs have shown that none needs it.
    retry: Number(process.env['NOTARY_TEST_RETRIES'] ?? 0),
    sequence: { sequencer: ByWeight },
    // A machine half as fast whose core another process uses needs six times the usual time, so only a hang reaches these.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000, interval: 25 } },
    // Tests of one file that wait for their deadlines wait together.
    maxConcurrency: 20,
    // Two workers more than the two cores, because some usually wait for a deadline.
    maxWorkers: 4,
    projects: [
      {
        // Loading the service for each file would take longer than most files do, so the files of a worker share its
        // modules. A test must not change the modules, the environment or the clock that the next file finds.
        extends: true,
        test: {
          name: 'test',
          include: ['test/**/*.test.ts'],
          exclude: ['long', 'quiet', 'alone'].map(tier),
          isolate: false,
        },
      },
      // Files that load a library which registers types for the whole process, as CBOR libraries do.
      { extends: true, test: { name: 'alone', include: [tier('alone')], isolate: true } },
      // Files that try every column, byte or kill. They wait for processes more than they compute.
      {
        extends: true,
        test: {
          name: 'long',
          include: [tier('long')],
          isolate: false,
          maxWorkers: 4,
          sequence: { groupOrder: 1, sequencer: ByWeight },
        },
      },
      // Files that measure time, or memory under load: one after the other, when no other file runs.
      {
        extends: true,
        test: {
          name: 'quiet',
          include: [tier('quiet')],
          isolate: false,
          maxWorkers: 1,
          sequence: { groupOrder: 2, sequencer: ByWeight },
        },
      },
    ],
  },
});
