import { describe, expect, it } from 'vitest';
import { mcpHeaders, mcpRequest } from '../support/clients/mcp.ts';
import { useApi } from '../support/service/api.ts';
import type { Answer, Body } from '../support/service/world.ts';

const api = useApi();
type Headers = Readonly<Record<string, string>>;

const LIST = mcpRequest('tools/list', {});
const LEGACY_LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
const LEGACY_VERSION = { 'mcp-protocol-version': '2025-06-18' };
const GET_TASK = { jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: 'x' } };
const NOTE = { type: 'note', criteria: { n: 1 } };

const post = (path: string, body: object, own: Headers) => (headers: Headers) =>
  api.world.principal.client.post(path, body, { ...own, ...headers });
const get = (path: string) => (headers: Headers) =>
  api.world.principal.client.call('GET', path, undefined, headers);

const REST = post('/v1/records', NOTE, {});
const MCP = post('/mcp', LIST, mcpHeaders(LIST));
const MCP_2025 = post('/mcp', LEGACY_LIST, { ...mcpHeaders(LIST), ...LEGACY_VERSION });
const A2A = post('/a2a', GET_TASK, { 'a2a-version': '1.0' });

const statuses = async (
  doors: readonly ((headers: Headers) => Promise<Answer<Body>>)[],
  headers: Headers,
): Promise<readonly number[]> =>
  Promise.all(doors.map(async (door) => (await door(headers)).status));

describe('Accept is parsed as media ranges by every front-end (RFC 9110 section 12.5.1)', () => {
  it.each([
    ['*/*', 200],
    ['application/*', 200],
    ['application/json', 200],
    ['APPLICATION/JSON, Text/Event-Stream', 200],
    ['text/html;q=0.9, */*;q=0.1', 200],
    ['application/json;q=0, */*', 406],
    ['application/json;Q=0', 406],
    ['application/*;q=0', 406],
    ['text/event-stream', 406],
  ])('%s gets %i', async (accept, status) => {
    const doors = [MCP, MCP_2025, get('/v1/records'), get('/.well-known/agent-card.json')];
    expect(await statuses(doors, { accept })).toEqual(doors.map(() => status));
  });

  it('refuses a call of MCP in the form of JSON-RPC', async () => {
    expect((await MCP({ accept: 'image/png' })).body).toMatchObject({
      error: { data: { code: 'NOT_ACCEPTABLE', status: 406 } },
    });
  });
});

describe('a JSON body is UTF-8 for every front-end', () => {
  const doors = [REST, MCP, MCP_2025, A2A];

  it.each([
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'Application/JSON; Charset=Utf-8',
    'application/vnd.example+json; v=1',
  ])('accepts %s', async (type) => {
    expect(await statuses(doors, { 'content-type': type })).toEqual([201, 200, 200, 200]);
  });

  it.each([
    'application/json; charset=latin1',
    'application/json; charset="utf-16"',
    'application/json; charset=utf-8; charset=latin1',
    'application/json; charset=',
    'text/plain; charset=utf-8',
  ])('answers 415 to %s', async (type) => {
    expect(await statuses(doors, { 'content-type': type })).toEqual([415, 415, 415, 415]);
  });
});
