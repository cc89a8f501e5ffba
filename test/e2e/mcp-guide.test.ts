import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TOOLS } from '../../adapters/mcp/tools.ts';
import { OUTCOMES } from '../../adapters/cli/mcp/wrap/wrap-type.ts';
import { useApi } from '../support/service/api.ts';
import { McpHost } from '../support/peers/mcp-host.ts';
import { Guide, Home, NOTARY } from '../support/runner/guide.ts';
import { hasTools } from '../support/runner/tools.ts';
import { ok, type Body } from '../support/service/world.ts';

const guide = Guide.of('tool-servers');

describe('tool-servers.md', () => {
  it('names every tool and every outcome, and no other', () => {
    const named = [...guide.section('Tools').text.matchAll(/^\|[^|]*\|(.*)\|$/gm)].flatMap(
      ([, cell]) => [...cell!.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name!),
    );
    expect(named.sort()).toEqual(TOOLS.map(({ name }) => name).sort());
    const outcomes = [...guide.section('The calls').text.matchAll(/^\| `([a-z-]+)` \|/gm)].map(
      ([, one]) => one,
    );
    const [, ...said] = outcomes;
    expect(said).toEqual(OUTCOMES);
  });
});

describe.skipIf(!hasTools('bash', 'curl'))('tool-servers.md, as it is written', () => {
  const api = useApi();
  const home = new Home();
  const run = async (script: string): Promise<string> => {
    const { url, admin, principal } = api.world;
    const keys = { KEY: String(principal.client.key), ADMIN_KEY: String(admin.key) };
    const env = { NOTARY: url, ...keys, TYPE: 'note' };
    const { code, stdout, stderr } = await home.bash(NOTARY + script, env, home.path);
    expect(code, stdout + stderr).toBe(0);
    return stdout;
  };

  it('calls tools by hand', async () => {
    const [, script] = guide.section('By hand').blocks('sh');
    const said = await run(String(script));
    expect(said).toContain('"submit_completion"');
    expect(said).toContain('"RECORDED"');
  });

  it('wraps a tool server, with the type that it registers', async () => {
    const [register] = guide.section('The calls').blocks('sh');
    expect(await run(String(register))).toContain('"mcp.tool-call"');
    const [config] = guide.section('The calls').blocks('json');
    const { args } = (JSON.parse(String(config)) as Body)['mcpServers'].files as Body;
    // The package that it fetches is here already.
    const [, ...given] = (args as string[]).filter((word) => !['npx', '-y'].includes(word));
    const server = 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js';
    const words = given.flatMap((word) =>
      word.startsWith('@') ? [process.execPath, server] : word === '/data' ? [home.path] : [word],
    );
    const host = new McpHost(
      ['dist/config/main.js', 'mcp', '--queue', join(home.path, 'queue'), ...words],
      { NOTARY_URL: api.world.url, NOTARY_API_KEY: String(api.world.principal.client.key) },
    );
    await host.initialize();
    await host.call(1, 'list_directory', { path: home.path });
    expect(await host.end(), host.errors).toBe(0);
    const { data } = await ok(
      api.world.principal.client.get('/v1/records?type=mcp.tool-call&sort=createdAt'),
    );
    expect((data as Body[]).map(({ criteria }) => criteria.event)).toEqual(['call', 'result']);
  });
});
