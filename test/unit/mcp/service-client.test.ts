import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusedBy, ServiceClient, wordsOf } from '../../../adapters/cli/mcp/service-client.ts';
import { FlakyService, json } from '../../support/peers/flaky-service.ts';

let service: FlakyService;
beforeAll(async () => {
  service = await FlakyService.open();
});
afterAll(() => service.stop());
const client = (key = 'k'): ServiceClient => new ServiceClient(service.url, key);

describe('the client of a host', () => {
  it('sends what it is given, with the key, and reads what comes', async () => {
    service.behave = (response) => json(response, 429, { detail: 'No.' }, { 'retry-after': '7' });
    const body = new TextEncoder().encode('{"ü":1}');
    const answer = await client().send('POST', '/v1/records', body, { 'idempotency-key': 'i' });
    expect(answer).toEqual({ status: 429, text: '{"detail":"No."}', retryAfter: 7 });
    expect(service.seen.at(-1)).toMatchObject({
      method: 'POST',
      path: '/v1/records',
      body: '{"ü":1}',
      headers: { authorization: 'Bearer k', 'idempotency-key': 'i' },
    });
  });

  it('follows no redirect, for it would take the key along', async () => {
    service.seen.length = 0;
    service.behave = (response) =>
      response.writeHead(307, { location: `${service.url}/elsewhere` }).end();
    expect((await client().send('POST', '/v1/records', '{}')).status).toBe(307);
    expect(service.seen).toHaveLength(1);
  });

  it('reads no answer without an end, and none that is cut off', async () => {
    service.behave = (response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(1_048_576, 32)));
      };
      response.on('drain', more);
      more();
    };
    await expect(client().send('GET', '/')).rejects.toThrow('more than');
    service.behave = (response) => {
      response.writeHead(200, { 'content-length': '10' });
      response.write('{', () => response.destroy());
    };
    await expect(client().send('GET', '/')).rejects.toBeInstanceOf(Error);
  });

  it('ends with the signal that it is given, before and on the way', async () => {
    service.behave = () => undefined;
    await expect(
      client().send('GET', '/', undefined, {}, AbortSignal.abort(new Error('before'))),
    ).rejects.toThrow('before');
    const controller = new AbortController();
    const sent = client().send('GET', '/', undefined, {}, controller.signal);
    controller.abort(new Error('on the way'));
    await expect(sent).rejects.toThrow('on the way');
  });

  it('says in one line what whoever is at the address said', () => {
    const detail = 'a\u001b[2J\nb\u202ec';
    const refused = refusedBy({ status: 400, text: JSON.stringify({ detail }), retryAfter: null });
    expect(wordsOf(refused)).toBe('a [2J b c');
    const odd = { status: 400, text: '{"detail":1}', retryAfter: null };
    expect(refusedBy(odd).detail).toBe('the answer was 400');
  });

  it('names the place of its queue by service and key', () => {
    const names = [client().destination, client('other').destination];
    names.push(new ServiceClient(`${service.url}/x`, 'k').destination);
    expect(new Set(names).size).toBe(3);
    expect(client().destination).toBe(names[0]);
    expect(names.join()).not.toContain('other');
  });
});
