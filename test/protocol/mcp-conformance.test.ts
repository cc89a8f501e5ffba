import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';

/**
 * The scenarios of the official suite (@modelcontextprotocol/conformance) that concern the transport. The others call tools,
 * prompts and resources of fixed names, which a product does not have. The suite needs Node 22 or newer and is no dependency: MCP_CONFORMANCE
 * names its dist/index.js, MCP_CONFORMANCE_NODE the Node to run it by.
 */
const SUITE = process.env['MCP_CONFORMANCE'] ?? '';
const NODE = process.env['MCP_CONFORMANCE_NODE'] ?? process.execPath;

/** Of 0.1.16, which speaks as a client of 2025. */
const OF_2025 = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'server-sse-multiple-streams',
  'dns-rebinding-protection',
];
/** Of 0.2.0-alpha.12, by the requirements of 2026-07-28. */
const OF_2026 = [
  'tools-list',
  'resources-list',
  'server-sse-multiple-streams',
  'dns-rebinding-protection',
  'http-header-validation',
  'sep-2164-resource-not-found',
  'input-required-result-missing-input-response',
  'input-required-result-unsupported-methods',
  'input-required-result-ignore-extra-params',
  'input-required-result-validate-input',
];
const isAlpha = /alpha|0\.2/.test(process.env['MCP_CONFORMANCE_VERSION'] ?? '');

describe.skipIf(SUITE === '')('the conformance suite', () => {
  const api = useApi();
  const home = mkdtempSync(join(tmpdir(), 'mcp-conformance-'));
  let door: Server;
  let url: string;

  beforeAll(async () => {
    // The suite knows no credentials: this door adds one, and is the same service otherwise.
    const { hostname, port } = new URL(api.world.url);
    const { key } = api.world.principal.client;
    door = createServer((asked, answer) => {
      const { origin } = asked.headers;
      const headers = {
        ...asked.headers,
        authorization: `Bearer ${String(key)}`,
        ...(origin ? { origin: origin.replace(`:${own()}`, `:${port}`) } : {}),
      };
      const { method, url: path } = asked;
      const onward = request({ hostname, port, method, path, headers }, (response) => {
        answer.writeHead(response.statusCode!, response.headers);
        response.pipe(answer);
      });
      onward.on('error', () => answer.destroy());
      asked.pipe(onward);
    });
    await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
    url = `http://localhost:${own()}/mcp`;
  });
  const own = (): number => (door.address() as AddressInfo).port;
  afterAll(() => {
    door?.close();
    rmSync(home, { recursive: true, force: true });
  });

  it.each(isAlpha ? OF_2026 : OF_2025)('passes in %s', { timeout: 120_000 }, async (scenario) => {
    const args = [SUITE, 'server', '--url', url, '--scenario', scenario];
    const version = isAlpha ? ['--spec-version', '2026-07-28'] : [];
    const { code, output } = await new Promise<{ code: unknown; output: string }>((resolve) =>
      execFile(NODE, [...args, ...version], { cwd: home }, (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, output: `${stdout}${stderr}` }),
      ),
    );
    expect(code, output).toBe(0);
    expect(output).not.toContain('FAILURE');
  });
});
