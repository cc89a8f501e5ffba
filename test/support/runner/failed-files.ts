import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** Writes the files that failed to NOTARY_FAILED_FILES, one a line, so that `.ci/run` can try them when nothing else runs. */
export class FailedFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const path = process.env['NOTARY_FAILED_FILES'];
    if (!path) return;
    const failed = modules.filter((module) => module.state() === 'failed');
    writeFileSync(path, failed.map(({ relativeModuleId }) => `${relativeModuleId}\n`).join(''));
  }
}
