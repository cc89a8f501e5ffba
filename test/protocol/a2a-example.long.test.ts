import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { useApi } from '../support/service/api.ts';
import { Guide, Home } from '../support/runner/guide.ts';
import { hasTools } from '../support/runner/tools.ts';

const api = useApi();
const home = new Home();

describe('the example of A2A', () => {
  it('goes the gate path with streaming, and what it leaves verifies offline', async () => {
    expect(packageJson.scripts['example:a2a']).toBe('tsx docs/examples/a2a.ts');
    const example = ['--import', 'tsx', 'docs/examples/a2a.ts'];
    // tsx caches the compiled modules of the service here. Without the cache it compiles all of them.
    const env = { TMPDIR: tmpdir() };
    const { code, stdout, stderr } = await home.run(process.execPath, example, env);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('stream     TASK_STATE_COMPLETED');
    expect(stdout).toContain('offline    the chain is valid');
  });

  it.skipIf(!hasTools('bash', 'curl'))('by hand is as the guide says', async () => {
    const commands = Guide.of('a2a')
      .blocks('sh')
      .find((block) => block.startsWith('curl'));
    const env = {
      NOTARY: api.world.url,
      KEY: String(api.world.principal.client.key),
      TYPE: 'note',
    };
    const { code, stdout, stderr } = await home.bash(String(commands), env);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('"supportedInterfaces"');
    expect(stdout).toContain('"state":"TASK_STATE_COMPLETED"');
  });
});
