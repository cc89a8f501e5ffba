import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { useApi } from '../support/api.ts';
import { hasTools } from '../support/tools.ts';

const api = useApi();
const run = promisify(execFile);
const guide = readFileSync('docs/guides/a2a.md', 'utf8');

describe('the example of A2A', () => {
  it('goes the gate path with streaming, and what it leaves verifies offline', async () => {
    expect(packageJson.scripts['example:a2a']).toBe('tsx docs/examples/a2a.ts');
    const { stdout } = await run('node', ['--import', 'tsx', 'docs/examples/a2a.ts'], {
      timeout: 60_000,
    });
    expect(stdout).toContain('stream     TASK_STATE_COMPLETED');
    expect(stdout).toContain('offline    the chain is valid');
  });

  it.skipIf(!hasTools('bash', 'curl'))('by hand is as the guide says', async () => {
    const [commands] = [...guide.matchAll(/^```sh\n(curl[^]*?)^```$/gm)].map(([, block]) => block!);
    const { key } = api.world.principal.client;
    const script = `set -eo pipefail\nNOTARY=${api.world.url}\nKEY=${key}\nTYPE=note\n${commands}`;
    const { stdout } = await run('bash', ['-c', script]);
    expect(stdout).toContain('"supportedInterfaces"');
    expect(stdout).toContain('"state":"TASK_STATE_COMPLETED"');
  });
});
