import { describe, expect, it } from 'vitest';
import { MCP_VERSIONS } from '../../adapters/mcp/spoken-versions.ts';
import { META } from '../../adapters/mcp/refusal.ts';
import { useApi } from '../support/service/api.ts';
import { callTool, mcp, mcpClient, mcpHeaders, mcpRequest } from '../support/clients/mcp.ts';
import { GOAL, type Answer, type Body } from '../support/service/world.ts';

/** What stands before a tool is called: the head, the body, the credential, the page that asks, the limits. */
const api = useApi({ CORS_ORIGINS: 'https://console.example', MAX_BODY_BYTES: '65536' });
const list = mcpRequest('tools/list', {});
const post = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  api.world.principal.client.post('/mcp', body, { ...mcpHeaders(list), ...headers });

describe('POST /mcp', () => {
  it('asks for a credential, and says how', async () => {
    const answer = await api.world.anonymous.post('/mcp', list, mcpHeaders(list));
    expect(answer).toMatchObject({
      status: 401,
      body: { jsonrpc: '2.0', id: null, error: { code: -32000, data: { status: 401 } } },
    });
    expect(answer.headers.get('www-authenticate')).toContain('Bearer');
    await expect(mcpClient(api.world.anonymous)).rejects.toThrow();
  });

  it('is called by no page of another origin', async () => {
    const { origin, port } = new URL(api.world.url);
    for (const other of [
      'https://evil.example',
      'null',
      `http://evil.example:${port}`,
      `${origin}1`,
    ])
      expect(await post(list, { origin: other })).toMatchObject({
        status: 403,
        body: { error: { data: { status: 403 } } },
      });
    for (const own of [origin, `http://localhost:${port}`, 'https://console.example'])
      expect((await post(list, { origin: own })).status).toBe(200);
  });

  it('refuses a body that is no single message, with the place at fault', async () => {
    const refused = async (body: unknown, code: number, status = 400): Promise<string> => {
      const answer = await post(body);
      expect(answer, JSON.stringify(answer.body)).toMatchObject({
        status,
        body: { error: { code } },
      });
      return answer.body['error'].message as string;
    };
    expect(await refused('{"jsonrpc":"2.0",', -32700)).toContain('line 1');
    expect(await refused('{"jsonrpc":"2.0","jsonrpc":"2.0"}', -32700)).toContain('jsonrpc');
    expect(await refused([list], -32600)).toContain('batches');
    expect(await refused('"x"', -32600)).toContain('JSON-RPC');
    await refused(mcpRequest('subscriptions/listen', { notifications: {} }), -32601, 404);
    await refused({ ...list, params: { pad: 'x'.repeat(70_000) } }, -32600, 413);
    const text = await post('x', { 'content-type': 'text/plain' });
    expect(text.status).toBe(415);
  });

  it('holds the head against the body', async () => {
    const get = mcpRequest('tools/call', { name: 'whoami', arguments: {} });
    const wrong = await post(get, { ...mcpHeaders(get), 'mcp-name': 'notarize' });
    expect(wrong.status).toBe(400);
    expect(wrong.body['error']).toBeDefined();
    const old = await post(list, { 'mcp-protocol-version': '1999-01-01' });
    expect(old.status).toBe(400);
  });

  it('takes POST alone, so that clients of 2025 open no stream', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const answer = await api.world.principal.client.call(method, '/mcp');
      expect(answer.status).toBe(405);
      expect(answer.headers.get('allow')).toBe('POST, OPTIONS');
    }
  });

  it.each(MCP_VERSIONS.slice(1))('serves a client of %s without a session', async (version) => {
    const { client } = api.world.principal;
    const said = async (method: string, params: Body, headers = {}): Promise<Answer<Body>> =>
      client.post(
        '/mcp',
        { jsonrpc: '2.0', id: 1, method, params },
        { accept: 'application/json, text/event-stream', ...headers },
      );
    const begun = await said('initialize', {
      protocolVersion: version,
      capabilities: { elicitation: {}, sampling: {} },
      clientInfo: { name: 'test', version: '1' },
    });
    expect(begun.body['result'].protocolVersion).toBe(version);
    expect(begun.headers.get('mcp-session-id')).toBeNull();
    const spoken = { 'mcp-protocol-version': version };
    const noted = await client.post(
      '/mcp',
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { accept: 'application/json, text/event-stream', ...spoken },
    );
    expect(noted.status).toBe(202);
    const { body: tools } = await said('tools/list', {}, spoken);
    expect((tools['result'].tools as Body[]).map(({ name }) => name as string)).toContain(
      'notarize',
    );
    const given = { type: 'note', criteria: { n: 1 } };
    const { body: called } = await said(
      'tools/call',
      { name: 'notarize', arguments: given },
      spoken,
    );
    expect(called['result'].structuredContent.status).toBe('RECORDED');
    // It shows forms, and over HTTP without a session it is told in words what is missing.
    const { body: missing } = await said('tools/call', { name: 'notarize', arguments: {} }, spoken);
    expect(missing['result']).toMatchObject({ isError: true });
    expect(missing['result'].content[0].text).toContain('/type');
  });

  it('answers methods that it does not serve as JSON-RPC does', async () => {
    for (const method of ['prompts/list', 'completion/complete', 'logging/setLevel', 'x'])
      expect((await mcp(api.world.principal.client, method, {})).body).toMatchObject({
        error: { code: -32601 },
      });
    const notification = { ...mcpRequest('notifications/cancelled', { requestId: 1 }) };
    delete notification['id'];
    const told = await post(notification, mcpHeaders(notification));
    expect(told.status).toBe(202);
  });

  it('keeps what was sent to the letter: members that libraries lose, and numbers', async () => {
    const criteria = '{"__proto__":{"a":1},"constructor":1,"n":1e21,"list":[1,"2",null]}';
    const request = JSON.stringify(
      mcpRequest('tools/call', { name: 'notarize', arguments: { type: 'note', criteria: 0 } }),
    ).replace('"criteria":0', `"criteria":${criteria}`);
    const { principal } = api.world;
    const headers = { ...mcpHeaders(list), 'mcp-method': 'tools/call', 'mcp-name': 'notarize' };
    const { body } = await principal.client.post('/mcp', request, headers);
    const { id } = body['result'].structuredContent as Body;
    const record = await principal.client.get(`/v1/records/${String(id)}`);
    expect(JSON.stringify(record.body['criteria'])).toBe(JSON.stringify(JSON.parse(criteria)));
    const beyond = request.replace('1e21', '12345678901234567890');
    expect((await principal.client.post('/mcp', beyond, headers)).status).toBe(400);
  });
});

describe('a client that shows forms', () => {
  const open = async (answer: Body, capabilities: Body = { elicitation: { form: {} } }) => {
    const client = await mcpClient(api.world.principal.client, {
      capabilities,
      versionNegotiation: { mode: 'auto' },
    });
    const asked: Body[] = [];
    if ('elicitation' in capabilities)
      client.setRequestHandler('elicitation/create', (request) => {
        asked.push(request.params);
        return answer as never;
      });
    return { client, asked };
  };

  it('asks a person for what the call leaves out, those of the type among them', async () => {
    const { client, asked } = await open({ action: 'accept', content: { 'criteria.goal': 'g' } });
    const { structuredContent, isError } = (await client.callTool({
      name: 'open_record',
      arguments: { type: 'job', criteria: { threshold: 2 } },
    })) as Body;
    expect(isError).toBeFalsy();
    expect(structuredContent).toMatchObject({ criteria: { goal: 'g', threshold: 2 } });
    expect(asked).toMatchObject([
      {
        message: 'open_record needs criteria.goal.',
        requestedSchema: { properties: { 'criteria.goal': { type: 'string' } } },
      },
    ]);
    await client.close();
  });

  it('acts once, although the second request is another one', async () => {
    const { client } = await open({ action: 'accept', content: { type: 'note' } });
    const given = { criteria: { n: 1 }, idempotencyKey: crypto.randomUUID() };
    const call = async (): Promise<Body> =>
      await client.callTool({ name: 'notarize', arguments: given });
    const [first, second] = [await call(), await call()];
    expect(second['structuredContent'].id).toBe(first['structuredContent'].id);
    expect(second['_meta'][META.isReplay]).toBe(true);
    await client.close();
  });

  it.each([
    ['declines', { action: 'decline' }],
    ['cancels', { action: 'cancel' }],
    ['gives what nobody asked for', { action: 'accept', content: { performerAgentId: 'x' } }],
  ])('is told in words what is missing where the person %s', async (_name, answer) => {
    const { client, asked } = await open(answer);
    const result = (await client.callTool({
      name: 'notarize',
      arguments: { criteria: {} },
    })) as Body;
    expect(result).toMatchObject({ isError: true });
    expect(result['content'][0].text).toContain('/type: is required');
    expect(asked).toHaveLength(1);
    await client.close();
  });

  it('is told in words at once where it shows none', async () => {
    const { client } = await open({}, {});
    const result = (await client.callTool({
      name: 'notarize',
      arguments: { criteria: {} },
    })) as Body;
    expect(result['content'][0].text).toContain('/type: is required');
    const job = await callTool(api.world.principal.client, 'open_record', {
      type: 'job',
      criteria: GOAL,
    });
    expect(job['isError']).toBeFalsy();
    await client.close();
  });
});
