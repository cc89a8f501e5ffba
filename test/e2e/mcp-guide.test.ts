import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { TOOLS } from '../../adapters/mcp/tools.ts';
import { OUTCOMES } from '../../adapters/cli/mcp/wrap/wrap-type.ts';
import { useApi } from '../support/api.ts';
import { McpHost } from '../support/mcp-host.ts';
import { hasTools } from '../support/tools.ts';
import { ok, type Body } from '../support/world.ts';

const guide = readFileSync('docs/guides/tool-servers.md', 'utf8');
const section = (heading: string): string =>
  guide.split(/^## /m).find((part) => part.startsWith(heading)) ?? '';
const blocks = (heading: string, language: string): string[] =>
  [...section(heading).matchAll(/^```(\w+)\n([^]*?)^```$/gm)]
    .filter(([, found]) => found === language)
    .map(([, , block]) => block!);

describe('tool-servers.md', () => {
  it('names every tool and every outcome, and no other', () => {
    const named = [...section('Tools').matchAll(/^\|[^|]*\|(.*)\|$/gm)].flatMap(([, cell]) =>
      [...cell!.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name!),
    );
    expect(named.sort()).toEqual(TOOLS.map(({ name }) => name).sort());
    const outcomes = [...section('The calls').matchAll(/^\| `([a-z-]+)` \|/gm)].map(
      ([, one]) => one,
    );
    const [, ...said] = outcomes;
    expect(said).toEqual(OUTCOMES);
  });
});

describe.skipIf(!hasTools('bash', 'curl'))('tool-servers.md, as it is written', () => {
  const api = useApi();
  const folder = mkdtempSync(join(tmpdir(), 'notary-guide-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const run = (script: string): Promise<string> =>
    new Promise((done, fail) => {
      const { url, admin, principal } = api.world;
      const env = {
        PATH: process.env['PATH'],
        NOTARY: url,
        KEY: String(principal.client.key),
        ADMIN_KEY: String(admin.key),
        TYPE: 'note',
      };
      const notary = `notary() { "${process.execPath}" "${resolve('dist/config/main.js')}" "$@"; }`;
      execFile(
        'bash',
        ['-c', `set -eo pipefail\n${notary}\n${script}`],
        { cwd: folder, env },
        (error, stdout, stderr) => (error ? fail(new Error(`${stdout}${stderr}`)) : done(stdout)),
      );
    });

  it('calls tools by hand', async () => {
    const [, script] = blocks('By hand', 'sh');
    const said = await run(String(script));
    expect(said).toContain('"submit_completion"');
    expect(said).toContain('"RECORDED"');
  });

  it('wraps a tool server, with the type that it registers', async () => {
    const [register] = blocks('The calls', 'sh');
    expect(await run(String(register))).toContain('"mcp.tool-call"');
    const [config] = blocks('The calls', 'json');
    const { args } = (JSON.parse(String(config)) as Body)['mcpServers'].files as Body;
    // The package that it fetches is here already.
    const [, ...given] = (args as string[]).filter((word) => !['npx', '-y'].includes(word));
    const server = 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js';
    const words = given.flatMap((word) =>
      word.startsWith('@') ? [process.execPath, server] : word === '/data' ? [folder] : [word],
    );
    const host = new McpHost(
      ['dist/config/main.js', 'mcp', '--queue', join(folder, 'queue'), ...words],
      { NOTARY_URL: api.world.url, NOTARY_API_KEY: String(api.world.principal.client.key) },
    );
    await host.initialize();
    await host.call(1, 'list_directory', { path: folder });
    expect(await host.end(), host.errors).toBe(0);
    const { data } = await ok(
      api.world.principal.client.get('/v1/records?type=mcp.tool-call&sort=createdAt'),
    );
    expect((data as Body[]).map(({ criteria }) => criteria.event)).toEqual(['call', 'result']);
  });
});
