import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toNodeHandler } from 'h3/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpApp } from '../../adapters/http/app.ts';
import { refuse } from '../../adapters/http/refuse.ts';
import { McpRoute } from '../../adapters/mcp/mcp-route.ts';
import { CallGateway } from '../../application/call/call-gateway.ts';
import { TOKENS } from '../../config/tokens.ts';
import { useApi } from '../support/service/api.ts';
import { fixtureServer } from '../support/peers/mcp-fixture.ts';

/**
 * The scenarios of the official suite (@modelcontextprotocol/conformance) that concern the transport, against the service.
 * Others call tools, prompts and resources of fixed names, which a product does not have: they run against a server
 * that has them, on the same route. Those that need a session (sampling, elicitation, logs and subscriptions of 2025) are left out,
 * for the service keeps none. The suite needs Node 22 or newer and is no dependency: MCP_CONFORMANCE names its
 * dist/index.js, MCP_CONFORMANCE_NODE the Node to run it by, MCP_CONFORMANCE_VERSION its version.
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
const FIXTURE_2025 = [
  'completion-complete',
  'logging-set-level',
  'tools-call-simple-text',
  'tools-call-image',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-mixed-content',
  'tools-call-error',
  'resources-read-text',
  'resources-read-binary',
  'resources-templates-read',
  'prompts-list',
  'prompts-get-simple',
  'prompts-get-with-image',
];
const FIXTURE_2026 = [
  ...FIXTURE_2025.filter((name) => name !== 'logging-set-level'),
  'tools-call-with-progress',
  'server-stateless',
  'caching',
  'input-required-result-basic-elicitation',
];
const isAlpha = /alpha|0\.2/.test(process.env['MCP_CONFORMANCE_VERSION'] ?? '');

describe.skipIf(SUITE === '')('the conformance suite', () => {
  const api = useApi();
  const home = mkdtempSync(join(tmpdir(), 'mcp-conformance-'));
  const servers: { stop(): Promise<unknown> }[] = [];
  afterAll(async () => {
    for (const server of servers) await server.stop();
    rmSync(home, { recursive: true, force: true });
  });

  /** The suite knows no credentials: this door adds one, and is the same service otherwise. */
  const doorTo = async (url: string): Promise<string> => {
    const { hostname, port } = new URL(url);
    const { key } = api.world.principal.client;
    const door = createServer((asked, answer) => {
      const { origin } = asked.headers;
      const headers = {
        ...asked.headers,
        authorization: `Bearer ${String(key)}`,
        ...(origin ? { origin: origin.replace(`:${own}`, `:${port}`) } : {}),
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
    servers.push({ stop: async () => void door.close() });
    const own = (door.address() as AddressInfo).port;
    return `http://localhost:${own}/mcp`;
  };

  /** The fixture, on the route of the service, in a server of its own. */
  const fixture = async (): Promise<string> => {
    const { container } = api.service;
    const log = container.get(TOKENS.log);
    const gateway = container.get(CallGateway);
    const clientAddress = container.get(TOKENS.clientAddress);
    const parts = {
      gateway,
      inputs: container.get(TOKENS.inputCheck),
      json: container.get(TOKENS.jsonReader),
      clientAddress,
      log,
      refuse: refuse(log),
      server: fixtureServer,
    };
    const settings = { version: '1', maxBodyBytes: 1_048_576, corsOrigins: ['*'] };
    const route = new McpRoute(parts, { ...settings, baseUrl: api.world.url });
    const app = createHttpApp(
      [route],
      { admitAnybody: () => Promise.resolve(), log },
      { handlerTimeoutMs: 30_000, corsOrigins: [] },
    );
    const server = createServer(toNodeHandler(app) as never);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    servers.push({ stop: async () => void server.close() });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };

  const passes = async (url: string, scenario: string): Promise<void> => {
    const args = [SUITE, 'server', '--url', url, '--scenario', scenario];
    const version = isAlpha ? ['--spec-version', '2026-07-28'] : [];
    const { code, output } = await new Promise<{ code: unknown; output: string }>((resolve) =>
      execFile(NODE, [...args, ...version], { cwd: home }, (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, output: `${stdout}${stderr}` }),
      ),
    );
    expect(code, output).toBe(0);
    expect(output).not.toContain('FAILURE');
  };

  describe('against the service', () => {
    let url: string;
    beforeAll(async () => {
      url = await doorTo(api.world.url);
    });
    it.each(isAlpha ? OF_2026 : OF_2025)('passes in %s', { timeout: 120_000 }, (scenario) =>
      passes(url, scenario),
    );
  });

  describe('against a fixture on the same route', () => {
    let url: string;
    beforeAll(async () => {
      url = await doorTo(await fixture());
    });
    it.each(isAlpha ? FIXTURE_2026 : FIXTURE_2025)(
      'passes in %s',
      { timeout: 120_000 },
      (scenario) => passes(url, scenario),
    );
  });
});
