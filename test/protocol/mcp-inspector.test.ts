import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';
import type { Body } from '../support/service/world.ts';

/** The command line of the official inspector. It is no dependency: MCP_INSPECTOR names its clients/launcher/build/index.js. */
const INSPECTOR = process.env['MCP_INSPECTOR'] ?? '';

describe.skipIf(INSPECTOR === '')('the inspector', () => {
  const api = useApi();
  const home = mkdtempSync(join(tmpdir(), 'mcp-inspector-'));
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  const inspect = (...args: readonly string[]): Promise<{ code: unknown; output: string }> =>
    new Promise((resolve) => {
      const { url, key } = api.world.principal.client;
      const door = ['--transport', 'http', '--header', `Authorization: Bearer ${String(key)}`];
      execFile(
        process.execPath,
        [INSPECTOR, '--cli', `${url}/mcp`, ...door, '--stored-auth-only', ...args],
        { cwd: home, env: { PATH: process.env['PATH'], HOME: home } },
        (error, stdout, stderr) =>
          resolve({ code: error?.code ?? 0, output: stdout === '' ? stderr : stdout }),
      );
    });

  describe.each(['auto', 'legacy'])('of the era %s', (era) => {
    const asks = (...args: readonly string[]) => inspect('--protocol-era', era, ...args);

    it('lists the tools, whose schemas it finds nothing wrong with', async () => {
      const { code, output } = await asks('--method', 'tools/list', '--strict');
      expect(code, output).toBe(0);
      expect((JSON.parse(output) as Body)['tools'].length).toBeGreaterThan(20);
    });

    it('calls a tool, and exits otherwise where that is refused', async () => {
      const call = ['--method', 'tools/call', '--tool-name', 'notarize', '--tool-arg', 'type=note'];
      const { code, output } = await asks(...call, 'criteria={"n":1}');
      expect(code, output).toBe(0);
      expect((JSON.parse(output) as Body)['structuredContent'].status).toBe('RECORDED');
      const refused = await asks(...call, 'criteria={"n":1}', 'publisher=nobody');
      expect(refused.code, refused.output).toBe(5);
    });
  });
});
