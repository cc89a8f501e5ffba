import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/watch-secrets.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // To load the service anew for each file would take longer than most files do. So no test changes what the next one
    // finds in the process: modules, environment, clock.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // One more than the two cores at hand: there is always one that waits for a deadline.
    maxWorkers: 3,
  },
});
