import type { Reporter, TestModule } from 'vitest/node';
import { hasBrowser } from '../browsers/browser.ts';
import { databases } from '../databases/databases.ts';
import { hasGalera, hasMariadb } from '../databases/galera.ts';
import { hasPrometheus } from '../peers/prometheus.ts';
import { hasRedis } from '../peers/redis-server.ts';
import { SoftHsm } from '../peers/soft-hsm.ts';
import { hasTools } from './tools.ts';

/** What suites use besides Node: its name, whether this machine has it, and what to install. */
const NEEDS: readonly (readonly [string, () => boolean, string])[] = [
  [
    'MySQL or MariaDB',
    () => hasMariadb() || databases().length > 1,
    'mariadb-server-core, or set TEST_MYSQL_URL, or start Docker',
  ],
  ['Galera', hasGalera, 'mariadb-server-core and galera-4'],
  ['Chromium', () => hasBrowser, 'chromium'],
  ['a hardware security module', () => SoftHsm.isInstalled(), 'softhsm2 and opensc'],
  ['Prometheus', hasPrometheus, 'prometheus'],
  ['Redis', hasRedis, 'redis-server'],
  ['shells and their tools', () => hasTools('bash', 'curl', 'openssl'), 'bash, curl and openssl'],
];

/** Reports at the end of a run which files skipped tests, and what to install for them. */
export class SkippedSuites implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules
      .map((module) => ({
        file: module.relativeModuleId,
        count: [...module.children.allTests('skipped')].length,
      }))
      .filter(({ count }) => count > 0);
    if (skipped.length === 0) return;
    const lines = skipped.map(({ file, count }) => `  ${file}: ${count}`);
    const lacking = NEEDS.filter(([, isThere]) => !isThere()).map(
      ([name, , cure]) => `  ${name}: install ${cure}`,
    );
    console.log(['', 'Skipped tests, by file:', ...lines].join('\n'));
    if (lacking.length > 0)
      console.log(['This machine lacks, for some of them:', ...lacking].join('\n'));
  }
}
