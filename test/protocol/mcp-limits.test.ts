import { describe, expect, it } from 'vitest';
import { META } from '../../adapters/mcp/refusal.ts';
import { useApi } from '../support/service/api.ts';
import { callTool, mcp } from '../support/clients/mcp.ts';
import { addAgent, type Body, type Client } from '../support/service/world.ts';

/** The limits of REST, counted together with it. */
const api = useApi({ RATE_LIMIT_AGENT: '12', RATE_LIMIT_RECORDS_CREATE: '4' });
const agent = async (name: string): Promise<Client> =>
  (await addAgent(api.world.admin, api.world.orgId, name)).client;
const NOTE = { type: 'note', criteria: {} };

describe('the limits of a key', () => {
  it('hold for what tools create, whichever tool it is, and say when to try again', async () => {
    const client = await agent('creator');
    const many = await callTool(client, 'notarize_many', { items: [NOTE, NOTE] });
    expect(many['isError']).toBeFalsy();
    await client.post('/v1/records', NOTE);
    await callTool(client, 'notarize', NOTE);
    const refused = await callTool(client, 'open_record', NOTE);
    expect(refused['_meta'][META.problem]).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
    expect(refused['content'][0].text).toMatch(/Try again in \d+ s\./);
    expect((await callTool(client, 'whoami', {}))['isError']).toBeFalsy();
  });

  it('hold for records whose missing members a person gave', async () => {
    const client = await agent('asked');
    const statuses: unknown[] = [];
    for (let n = 0; n < 6; n++) {
      const { body } = await mcp(
        client,
        'tools/call',
        {
          name: 'open_record',
          arguments: { type: 'job', criteria: {} },
          inputResponses: { missing: { action: 'accept', content: { 'criteria.goal': 'g' } } },
        },
        { elicitation: {} },
      );
      statuses.push(body['result']._meta[META.problem]?.status ?? 200);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
  });

  it('hold for every request, before it is read', async () => {
    const client = await agent('asker');
    const statuses: number[] = [];
    for (let n = 0; n < 14; n++) statuses.push((await mcp(client, 'tools/list', {})).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(12);
    const refused = await client.post<Body>('/mcp', '{ nothing that could be read');
    expect(refused).toMatchObject({
      status: 429,
      body: { jsonrpc: '2.0', id: null, error: { code: -32000, data: { status: 429 } } },
    });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('count a large body for what it is', async () => {
    const client = await agent('sender');
    const pad = 'x'.repeat(400_000);
    const sizes: unknown[] = [];
    for (let n = 0; n < 8; n++)
      sizes.push((await mcp(client, 'tools/call', { name: 'whoami', arguments: { pad } })).status);
    expect(sizes).toContain(429);
  });
});
