import { describe, expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';
import { addAgent, type Answer, type Client } from '../support/service/world.ts';

/** A caller that sends large bodies uses its budget up faster; the headers and the 429 say so. */
const api = useApi({ RATE_LIMIT_AGENT: '40' });
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
