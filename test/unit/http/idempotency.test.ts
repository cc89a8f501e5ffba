import { afterEach, describe, expect, it } from 'vitest';
import { OnceConflict } from '../../../application/idempotency/run-once.ts';
import { idempotencyKeyOf, withoutSecrets } from '../../../adapters/http/idempotency.ts';
import { route } from '../../../adapters/http/route.ts';
import { NotaryError } from '../../../domain/kernel/errors.ts';
import { json, MemoryOnce, post, start, thingRoute, type Running } from './support.ts';

let running: Running | undefined;
afterEach(() => running?.stop());

const key = (name: string): { readonly 'idempotency-key': string } => ({ 'idempotency-key': name });

const startThings = async (
  act?: (body: { name: string }) => unknown,
): Promise<{
  readonly url: string;
  readonly acted: { count: number };
  readonly once: MemoryOnce;
}> => {
  const once = new MemoryOnce();
  const { row, acted } = thingRoute(act, once);
  running = await start([row], {}, { once });
  return { url: `${running.url}/v1/things`, acted, once };
};

describe('an Idempotency-Key', () => {
  it('lets the same request act once and replays its answer, whole', async () => {
    const { url, acted } = await startThings();
    const first = await post(url, { name: 'a' }, key('k1'));
    const again = await post(url, { name: 'a' }, key('k1'));
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(await again.text()).toBe(await first.text());
    expect(again.headers.get('location')).toBe('/v1/things/1');
    expect([
      first.headers.get('idempotency-replayed'),
      again.headers.get('idempotency-replayed'),
    ]).toEqual([null, 'true']);
    expect(acted.count).toBe(1);
  });

  it('is the same key in plain form and as a structured-field string', async () => {
    const { url, acted } = await startThings();
    await post(url, { name: 'a' }, key('k1'));
    expect((await post(url, { name: 'a' }, key('"k1"'))).headers.get('idempotency-replayed')).toBe(
      'true',
    );
    expect(acted.count).toBe(1);
  });

  it('with another body, or another query, is 422', async () => {
    const { url, acted } = await startThings();
    await post(url, { name: 'a' }, key('k1'));
    expect(await json(await post(url, { name: 'b' }, key('k1')))).toMatchObject({
      status: 422,
      retryable: false,
    });
    expect((await post(`${url}?x=1`, { name: 'a' }, key('k1'))).status).toBe(422);
    expect(acted.count).toBe(1);
    expect((await post(url, { name: 'a' }, key('k1'))).headers.get('idempotency-replayed')).toBe(
      'true',
    );
  });

  it('belongs to the owner of the credential', async () => {
    const { url, acted } = await startThings();
    await post(url, { name: 'a' }, key('k1'));
    expect(
      (await post(url, { name: 'a' }, { ...key('k1'), authorization: 'Bearer other' })).headers.get(
        'idempotency-replayed',
      ),
    ).toBeNull();
    expect(acted.count).toBe(2);
  });

  it('does not open an answer to a credential that may no longer ask', async () => {
    const { url } = await startThings();
    await post(url, { name: 'a' }, key('k1'));
    expect(
      (await post(url, { name: 'a' }, { ...key('k1'), authorization: 'Bearer reader' })).status,
    ).toBe(403);
  });

  it('while the first still runs is 409 with Retry-After, and replays afterwards', async () => {
    let finish = (): void => undefined;
    const { url, acted } = await startThings(
      () => new Promise((resolve) => (finish = () => resolve({ done: true }))),
    );
    const first = post(url, { name: 'a' }, key('k1'));
    while (acted.count === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const second = await post(url, { name: 'a' }, key('k1'));
    expect(second.headers.get('retry-after')).toBe('1');
    expect(await json(second)).toMatchObject({
      status: 409,
      code: 'CONFLICT',
      error: 'CONFLICT',
      retryable: false,
    });
    finish();
    expect((await first).status).toBe(201);
    expect((await post(url, { name: 'a' }, key('k1'))).headers.get('idempotency-replayed')).toBe(
      'true',
    );
    expect(acted.count).toBe(1);
  });

  it('answers with what another process committed first, and 409 while that is not to be read', async () => {
    const once = new MemoryOnce();
    let winner = false;
    const { row, acted } = thingRoute((body) => {
      if (acted.count > 1) throw new OnceConflict('taken');
      return body;
    }, once);
    // As between two processes: our look-up comes too early, our commit too late.
    let lookUps = 0;
    running = await start(
      [row],
      {},
      {
        once: {
          find: (scope) =>
            ++lookUps % 2 === 1 || !winner ? Promise.resolve(null) : once.find(scope),
          keep: (kept, answer) => once.keep(kept, answer),
        },
      },
    );
    const url = `${running.url}/v1/things`;
    expect((await post(url, { name: 'a' }, key('k1'))).status).toBe(201);
    lookUps = 0;
    expect(await json(await post(url, { name: 'a' }, key('k1')))).toMatchObject({
      status: 409,
      code: 'CONFLICT',
    });
    winner = true;
    const replayed = await post(url, { name: 'a' }, key('k1'));
    expect([replayed.status, replayed.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
  });

  it('keeps 400, 404 and 422, and forgets 403, 429 and 5xx', async () => {
    let refusal: unknown = new NotaryError('UNPROCESSABLE', 'no');
    const { url, acted } = await startThings(() => {
      throw refusal;
    });
    expect((await post(url, { name: 'a' }, key('kept'))).status).toBe(422);
    const replayed = await post(url, { name: 'a' }, key('kept'));
    expect([
      replayed.status,
      replayed.headers.get('idempotency-replayed'),
      replayed.headers.get('content-type'),
    ]).toEqual([422, 'true', 'application/problem+json']);
    expect(acted.count).toBe(1);
    expect((await post(url, { nope: 1 }, key('shape'))).status).toBe(400);
    expect((await post(url, { nope: 1 }, key('shape'))).headers.get('idempotency-replayed')).toBe(
      'true',
    );
    for (const error of [
      new NotaryError('FORBIDDEN', 'no'),
      new NotaryError('RATE_LIMITED', 'no'),
      new NotaryError('SERVICE_UNAVAILABLE', 'no'),
      new Error('fault'),
    ]) {
      refusal = error;
      const before = acted.count;
      await post(url, { name: 'a' }, key(error.message + String(before)));
      await post(url, { name: 'a' }, key(error.message + String(before)));
      expect(acted.count).toBe(before + 2);
    }
  });

  it('that is empty or longer than 256 characters is 400', async () => {
    const { url, acted } = await startThings();
    expect((await post(url, { name: 'a' }, key('x'.repeat(257)))).status).toBe(400);
    expect((await post(url, { name: 'a' }, key('""'))).status).toBe(400);
    expect((await post(url, { name: 'a' }, key('x'.repeat(256)))).status).toBe(201);
    expect(acted.count).toBe(1);
    expect(idempotencyKeyOf('"a\\"b\\\\c"')).toBe('a"b\\c');
    expect(idempotencyKeyOf('"unfinished')).toBe('"unfinished');
  });

  it('never stores a secret: a replay has null there, and a hint to rotate', async () => {
    const once = new MemoryOnce();
    const row = route({
      method: 'POST',
      path: '/v1/keys',
      operationId: 'mint',
      summary: 'Mint',
      tag: 'Keys',
      access: { scope: null },
      secret: true,
      answers: {},
      execute: async (context) => {
        const result = { keyId: 'k', apiKey: 'svc_agt_secret', nested: { certJws: 'jws' } };
        await once.keep(context.once!, context.once!.render(result));
        return result;
      },
      present: (body) => ({ status: 201, body }),
    });
    running = await start([row], {}, { once });
    expect(await json(await post(`${running.url}/v1/keys`, '', key('k1')))).toMatchObject({
      apiKey: 'svc_agt_secret',
    });
    expect([...once.kept.values()][0]!.answer).not.toMatch(/svc_agt_secret|jws/);
    const replay = await json(await post(`${running.url}/v1/keys`, '', key('k1')));
    expect(replay).toMatchObject({ keyId: 'k', apiKey: null, nested: { certJws: null } });
    expect(replay['hint']).toContain('rotate');
  });

  it('leaves members of the caller alone on routes without secrets', async () => {
    const { url } = await startThings();
    await post(url, { name: 'a', data: { secret: 'mine' } }, key('k1'));
    expect(
      await json(await post(url, { name: 'a', data: { secret: 'mine' } }, key('k1'))),
    ).toMatchObject({ data: { secret: 'mine' } });
    expect(withoutSecrets([{ secret: 'x' }, 1, null])).toEqual([
      { secret: null, hint: expect.any(String) },
      1,
      null,
    ]);
  });
});
