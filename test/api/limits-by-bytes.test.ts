import { describe, expect, it } from 'vitest';
import { RecordService } from '../../adapters/grpc/generated/notary/v1/record_service_pb.ts';
import { GrpcClient } from '../support/clients/grpc-client.ts';
import { useApi } from '../support/service/api.ts';
import { addAgent, type Answer, type Client } from '../support/service/world.ts';

/** A caller that sends large bodies uses its budget up faster; the headers and the 429 say so. */
const api = useApi({ RATE_LIMIT_AGENT: '40', GRPC_PORT: '0' });
let names = 0;
const agent = async (): Promise<Client> =>
  (await addAgent(api.world.admin, api.world.orgId, `limited ${names++}`)).client;
const note = (bytes: number): string => {
  const shell = JSON.stringify({ type: 'note', criteria: { text: '' } });
  return JSON.stringify({ type: 'note', criteria: { text: 'x'.repeat(bytes - shell.length) } });
};
const remaining = ({ headers }: Answer): number => Number(headers.get('x-ratelimit-remaining'));
const inChunks = (text: string): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: (controller) => {
      controller.enqueue(new TextEncoder().encode(text));
      controller.close();
    },
  });

describe('a body counts by its size', () => {
  it.each([
    [1_000, 1],
    [65_536, 1],
    [65_537, 2],
    [1_048_576, 16],
  ])('of %i bytes as %i requests', async (bytes, calls) => {
    const client = await agent();
    const answer = await client.post('/v1/records', note(bytes));
    expect([answer.status, remaining(answer)]).toEqual([201, 40 - calls]);
    expect(answer.headers.get('ratelimit-policy')).toContain('"key";q=40;w=60');
  });

  it('is refused with 429 before it is read, and a small one is taken all the same', async () => {
    const client = await agent();
    expect((await client.post('/v1/records', note(1_048_576))).status).toBe(201);
    expect((await client.post('/v1/records', note(1_048_576))).status).toBe(201);
    const refused = await client.post('/v1/records', 'not JSON'.repeat(100_000));
    expect([refused.status, remaining(refused)]).toEqual([429, 8]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await client.post('/v1/records', note(1_000))).status).toBe(201);
  });

  it('counts what cannot be read', async () => {
    const client = await agent();
    const answer = await client.post('/v1/records', `[${'0,'.repeat(400_000)}`);
    expect([answer.status, remaining(answer)]).toEqual([413, 40 - 13]);
  });

  it('counts what was not announced', async () => {
    const client = await agent();
    const send = (text: string): Promise<Response> =>
      fetch(`${client.url}/v1/records`, {
        method: 'POST',
        headers: { authorization: `Bearer ${client.key}`, 'content-type': 'application/json' },
        body: inChunks(text),
        duplex: 'half',
      });
    const left: (string | null)[] = [];
    for (let round = 0; round < 3; round++)
      left.push((await send(note(1_048_576))).headers.get('x-ratelimit-remaining'));
    expect(left).toEqual(['24', '8', '7']);
    const refused = await send(note(1_048_576));
    expect(refused.status).toBe(429);
    await refused.body?.cancel();
  });

  it('is not counted where it is refused unread for its length', async () => {
    const client = await agent();
    const answer = await client.post('/v1/records', note(1_048_577));
    expect([answer.status, remaining(answer)]).toEqual([413, 39]);
  });
});

const LARGE = 500_000;
/** The calls of 64 KiB that an answer with such content takes. */
const LARGE_CALLS = 7;

describe('an answer counts by its size', () => {
  const left = async (client: Client): Promise<number> =>
    remaining(await client.get(`/v1/records/${crypto.randomUUID()}`)) + 1;
  const owned = async (bytes: number): Promise<{ client: Client; id: string }> => {
    const client = await agent();
    const { status, body } = await client.post('/v1/records', note(bytes));
    expect(status).toBe(201);
    return { client, id: String(body['id']) };
  };
  const rpc = (client: Client, path: string, method: string, params: unknown): Promise<Answer> =>
    client.post(
      path,
      { jsonrpc: '2.0', id: 1, method, params },
      { 'a2a-version': '1.0', accept: 'application/json, text/event-stream' },
    );

  it.each<[string, (client: Client, id: string) => Promise<Answer>]>([
    ['REST', (client, id) => client.get(`/v1/records/${id}`)],
    ['A2A', (client, id) => rpc(client, '/a2a', 'GetTask', { id })],
    [
      'MCP',
      (client, id) =>
        rpc(client, '/mcp', 'tools/call', { name: 'get_record', arguments: { recordId: id } }),
    ],
  ])('by %s', async (_door, read) => {
    const { client, id } = await owned(LARGE);
    const before = await left(client);
    const answer = await read(client, id);
    expect(answer.status).toBe(200);
    expect(JSON.stringify(answer.body).length).toBeGreaterThan(LARGE);
    expect(before - (await left(client)) - 1).toBeGreaterThanOrEqual(LARGE_CALLS);
  });

  it('by gRPC', async () => {
    const { client, id } = await owned(LARGE);
    const before = await left(client);
    const grpc = new GrpcClient(String(api.service.grpc));
    const { trailers, detail } = await grpc.call(
      RecordService.method.get,
      { recordId: id },
      { authorization: `Bearer ${client.key}` },
    );
    grpc.close();
    expect(detail).toBe('');
    expect(Number(trailers.get('x-ratelimit-remaining')[0])).toBe(before - 1 - LARGE_CALLS);
  });

  it('which its own headers say, and a repetition that need not be sent again as well', async () => {
    const { client, id } = await owned(LARGE);
    const before = await left(client);
    const first = await client.get(`/v1/records/${id}`);
    expect(remaining(first)).toBe(before - 1 - LARGE_CALLS);
    const again = await client.get(`/v1/records/${id}`, {
      'if-none-match': first.headers.get('etag')!,
    });
    expect([again.status, remaining(again)]).toEqual([304, remaining(first) - LARGE_CALLS]);
  });

  it('in bytes and not in characters', async () => {
    const client = await agent();
    const text = '證'.repeat(LARGE / 3);
    const { body } = await client.post('/v1/records', { type: 'note', criteria: { text } });
    const before = await left(client);
    const answer = await client.get(`/v1/records/${String(body['id'])}`);
    expect(remaining(answer)).toBe(before - 1 - LARGE_CALLS);
  });

  it('is given although less is left than it takes, and then nothing is left', async () => {
    const { client, id } = await owned(LARGE);
    const answers: number[] = [];
    for (let round = 0; round < 7; round++)
      answers.push((await client.get(`/v1/records/${id}`)).status);
    expect(answers).toEqual([200, 200, 200, 200, 200, 429, 429]);
  });

  it('while it is streamed', async () => {
    const { client, id } = await owned(LARGE);
    const before = await left(client);
    const exported = await fetch(`${client.url}/v1/records/${id}/audit-export`, {
      headers: { authorization: `Bearer ${client.key!}` },
    });
    expect((await exported.text()).length).toBeGreaterThan(LARGE);
    expect(before - (await left(client)) - 1).toBeGreaterThanOrEqual(LARGE_CALLS);
  });

  it('with each event of a stream that goes on', async () => {
    const client = await agent();
    const criteria = { goal: 'x'.repeat(LARGE), threshold: 5 };
    const { body } = await client.post('/v1/records', { type: 'job', criteria });
    const before = await left(client);
    const leave = new AbortController();
    const stream = await fetch(`${client.url}/a2a`, {
      method: 'POST',
      signal: leave.signal,
      headers: {
        authorization: `Bearer ${client.key!}`,
        'content-type': 'application/json',
        'a2a-version': '1.0',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'SubscribeToTask',
        params: { id: body['id'] },
      }),
    });
    const reader = stream.body!.getReader();
    for (let read = 0; read < LARGE;) read += (await reader.read()).value!.length;
    expect(before - (await left(client)) - 1).toBeGreaterThanOrEqual(LARGE_CALLS);
    leave.abort();
  });

  it('and is one call where it leaves out what is large', async () => {
    const { client, id } = await owned(LARGE);
    const before = await left(client);
    for (const part of ['chain', 'gate-status'])
      expect((await client.get(`/v1/records/${id}/${part}`)).status).toBe(200);
    expect(await left(client)).toBe(before - 3);
  });
});
