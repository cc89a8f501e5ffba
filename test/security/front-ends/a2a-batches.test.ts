import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it } from 'vitest';
import { useApi } from '../../support/service/api.ts';
import { databasePath } from '../../support/databases/outbox.ts';
import { ok, sleep } from '../../support/service/world.ts';

const api = useApi();
const V1 = { 'a2a-version': '1.0' };
const hurried = useApi({ HANDLER_TIMEOUT_MS: '3000' });
const rpc = (body: unknown) => api.world.principal.client.post<any>('/a2a', body, V1);
const request = (id: number, method: string, params: object): object => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
const notarize = (messageId: string): object => ({
  message: {
    messageId,
    role: 'ROLE_USER',
    parts: [{ data: { skill: 'notarize', input: { type: 'note', criteria: { messageId } } } }],
  },
});

describe('a batch whose answers are large', () => {
  it('stops before they fill the memory, and says of each further call that it was not carried out', async () => {
    const client = api.world.principal.client;
    const { id } = await ok(
      client.post('/v1/records', { type: 'note', criteria: { text: 'x'.repeat(900_000) } }),
    );
    const before = (await ok(client.get('/v1/records?limit=1')))['total'] as number;
    const reads = Array.from({ length: 60 }, (_, at) => request(at, 'GetTask', { id }));
    const writes = [request(100, 'SendMessage', notarize('asked too late'))];
    const told = { jsonrpc: '2.0', method: 'SendMessage', params: notarize('told too late') };
    const { status, body } = await rpc([...reads, ...writes, told]);
    expect(status).toBe(200);
    expect(body).toHaveLength(61);
    const answered = (body as any[]).filter(({ result }) => result !== undefined);
    expect(answered.length).toBeGreaterThan(3);
    expect(JSON.stringify(body).length).toBeLessThan(6 * 1024 * 1024);
    const refused = (body as any[]).filter(({ error }) => error !== undefined);
    expect(refused.length + answered.length).toBe(61);
    expect(refused.at(-1)).toMatchObject({
      id: 100,
      error: { code: -32600, data: [{ reason: 'PAYLOAD_TOO_LARGE' }, {}] },
    });
    // The notification takes no room.
    expect((await ok(client.get('/v1/records?limit=1')))['total']).toBe(before + 1);
  });
});

describe('a batch that takes too long', () => {
  it('does nothing more once its caller was refused', async () => {
    const { client } = hurried.world.principal;
    const batch = Array.from({ length: 20 }, (_, at) =>
      request(at, 'SendMessage', notarize(`note ${at}`)),
    );
    const first = await client.post<any>('/a2a', batch.slice(0, 1), V1);
    expect(first).toMatchObject({ status: 200, body: [{ result: {} }] });
    const somebodyElse = new DatabaseSync(databasePath(hurried), { timeout: 5_000 });
    somebodyElse.exec('BEGIN IMMEDIATE');
    const { status } = await client.post('/a2a', batch.slice(1), V1);
    somebodyElse.exec('ROLLBACK');
    somebodyElse.close();
    expect(status).toBe(503);
    await sleep(1_000);
    // The call that ran when the time was over may still end.
    expect((await ok(client.get('/v1/records?limit=1')))['total']).toBeLessThanOrEqual(2);
  });
});

describe('a notification', () => {
  it('is answered with nothing, also where the answer would be a long list', async () => {
    const client = api.world.principal.client;
    const { id } = await ok(client.post('/v1/records', { type: 'note', criteria: {} }));
    const message = {
      messageId: 'export',
      role: 'ROLE_USER',
      parts: [{ data: { skill: 'verify', input: { recordId: id } } }],
    };
    const response = await fetch(`${client.url}/a2a`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${String(client.key)}`,
        ...V1,
      },
      body: JSON.stringify({ jsonrpc: '2.0', method: 'SendMessage', params: { message } }),
    });
    expect([response.status, await response.text()]).toEqual([202, '']);
  });
});
