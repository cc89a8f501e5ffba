import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  capture,
  CaptureError,
  NotaryClient,
  type CaptureOptions,
  type CapturedRecord,
} from '../../../adapters/client/client.ts';
import { FlakyService, json, problem } from '../../support/peers/flaky-service.ts';
import type { Body } from '../../support/service/world.ts';

let service: FlakyService;
beforeAll(async () => {
  service = await FlakyService.open();
});
afterAll(() => service.stop());
beforeEach(() => {
  service.seen.length = 0;
  service.behave = (response) => json(response, 201, { id: 'r' });
});

const notary = (): NotaryClient =>
  new NotaryClient({ url: service.url, credential: 'k', retry: { attempts: 1 } });
const capturing = (options: Partial<CaptureOptions> = {}) =>
  capture(notary(), { type: 'tool.call', queueWaitMs: 20, ...options });
const criteria = (): Body[] =>
  service.seen.map(({ body }) => (JSON.parse(body) as Body)['criteria'] as Body);
const hashOf = (canonical: string): string => createHash('sha256').update(canonical).digest('hex');
const away = (): void => {
  service.behave = (response) => response.destroy();
};

async function search(query: string, options: { readonly limit: number; readonly token?: string }) {
  return { hits: [query].slice(0, options.limit), b: 1, a: 2 };
}

describe('a captured function', () => {
  it('gives what it gave, and one record tells of it by hashes', async () => {
    const captured = capturing()(search);
    expect(await captured('notary', { limit: 3 })).toEqual({ hits: ['notary'], b: 1, a: 2 });
    expect(criteria()).toEqual([
      {
        call: 'search',
        startedAt: expect.stringMatching(/Z$/),
        endedAt: expect.stringMatching(/Z$/),
        input: { sha256: hashOf('["notary",{"limit":3}]') },
        outcome: 'returned',
        output: { sha256: hashOf('{"a":2,"b":1,"hits":["notary"]}') },
      },
    ]);
  });

  it('throws what it threw, and the record says so', async () => {
    const fault = Object.assign(new RangeError('no such table'), { code: 'E_TABLE' });
    const failing = capturing({ contents: 'output' })(() => {
      throw fault;
    });
    await expect(failing()).rejects.toBe(fault);
    const value = { name: 'RangeError', message: 'no such table', code: 'E_TABLE' };
    expect(criteria()[0]).toMatchObject({ outcome: 'threw', output: { value } });
  });

  it('is told by what it was asked, whatever it makes of that', async () => {
    const captured = capturing({ contents: 'input' })((list: string[], bytes: Uint8Array) => {
      list.push('later');
      bytes.fill(0);
    });
    await captured(['first'], new TextEncoder().encode('abc'));
    expect(criteria()[0]!['input'].value).toEqual([['first'], { bytes: 3, sha256: hashOf('abc') }]);
  });

  it('keeps its this, and a name that is given', async () => {
    const captured = capturing({ name: 'tools.add' })(function (this: { n: number }, by: number) {
      return this.n + by;
    });
    expect(await captured.call({ n: 2 }, 3)).toBe(5);
    expect(criteria()[0]!['call']).toBe('tools.add');
  });

  it('shows contents by choice, and further members of the record', async () => {
    await capturing({ contents: 'both', record: { platformRef: 'run-7' } })(search)('q', {
      limit: 0,
    });
    expect(criteria()[0]).toMatchObject({
      input: { value: ['q', { limit: 0 }] },
      output: { value: { hits: [], a: 2, b: 1 } },
    });
    expect(JSON.parse(service.seen[0]!.body)).toMatchObject({
      type: 'tool.call',
      platformRef: 'run-7',
    });
  });

  it('is not called with what cannot be told, and what it returns is told as such', async () => {
    let calls = 0;
    const captured = capturing()((..._: unknown[]) => {
      calls++;
      return { 'jane@customer.example': new Response('x') };
    });
    await expect(captured(() => 1)).rejects.toThrow(/input\.0 is a function/);
    await expect(captured(new Map([[1, 2]]))).rejects.toThrow(/input\.0 is a Map/);
    expect([calls, service.seen.length]).toEqual([0, 0]);
    await captured(1);
    expect(criteria()[0]!['output']).toEqual({
      sha256: null,
      why: expect.stringMatching(/^a value in it is a Response/),
    });
    expect(service.seen[0]!.body).not.toContain('jane');
  });
});

describe('what is redacted', () => {
  const token = 'secret-token-of-a-test';

  it.each<[string, CaptureOptions['redact']]>([
    ['by a path', ['input.1.token']],
    ['by a star', ['input.*.token']],
    ['by two stars', ['**.token']],
    ['by a function', (value, path) => (path.endsWith('.token') ? 'gone' : value)],
  ])('%s enters neither the hash nor the contents', async (_how, redact) => {
    const captured = capturing({ contents: 'both', redact: redact! })(search);
    await captured('q', { limit: 1, token });
    expect(service.seen[0]!.body).not.toContain(token);
    const [{ input }] = criteria() as [Body];
    expect(input['redacted']).toBe(1);
    const shown = input['value'][1].token as string;
    expect(input['sha256']).toBe(hashOf(`["q",{"limit":1,"token":"${shown}"}]`));
  });

  it('may be what could not be told, and is never read', async () => {
    const hostile = {
      get limit(): number {
        throw new Error('it was read');
      },
    };
    await capturing({ redact: ['input.1'] })((..._: unknown[]) => 1)('q', hostile);
    expect(criteria()[0]!['input']).toMatchObject({ redacted: 1 });
  });

  it('of an error is its message, where that is named', async () => {
    const failing = capturing({ contents: 'both', redact: ['error.message'] })(() => {
      throw new Error(token);
    });
    await expect(failing()).rejects.toThrow(token);
    expect(service.seen[0]!.body).not.toContain(token);
  });

  it('stays away where the redaction itself fails', async () => {
    const captured = capturing({
      contents: 'both',
      redact: (value, path) => {
        if (path === 'output') throw new TypeError(`cannot redact ${token}`);
        return value;
      },
    })(() => token);
    expect(await captured()).toBe(token);
    expect(service.seen[0]!.body).not.toContain(token);
    expect(criteria()[0]!['output']).toEqual({ sha256: null, why: 'the redaction failed' });
  });
});

describe('while the service is away', () => {
  it('throws, with what the function returned, and the record to send later', async () => {
    away();
    const error = (await capturing()(search)('q', { limit: 1 }).catch(
      (thrown: unknown) => thrown,
    )) as CaptureError;
    expect(error).toBeInstanceOf(CaptureError);
    expect(error.call).toEqual({ outcome: 'returned', value: { hits: ['q'], b: 1, a: 2 } });
    expect(error.message).toMatch(/the call of search returned, and was not notarized/);
    expect(error.record.body.criteria['call']).toBe('search');
  });

  it('queues, in order, and sends each once it is back, under the key of the first try', async () => {
    away();
    const captured = capturing({ onUnavailable: 'queue', contents: 'input' });
    const add = captured((n: number) => n + 1);
    expect([await add(1), await add(2), await add(3)]).toEqual([2, 3, 4]);
    expect(captured.pending).toHaveLength(3);
    const tried = service.seen[0]!.headers['idempotency-key'];
    const kept = JSON.parse(JSON.stringify(captured.pending)) as CapturedRecord[];
    service.seen.length = 0;
    service.behave = (response) => json(response, 201, { id: 'r' });
    await captured.flush();
    expect(captured.pending).toEqual([]);
    expect(service.seen.map(({ headers }) => headers['idempotency-key'])).toEqual(
      kept.map(({ idempotencyKey }) => idempotencyKey),
    );
    expect(kept[0]!.idempotencyKey).toBe(tried);
    expect(criteria().map(({ input }) => (input as Body)['value'])).toEqual([[1], [2], [3]]);
  });

  it('counts it as away after the time that is given, and waits no more for it', async () => {
    service.behave = () => undefined;
    const captured = capturing({ onUnavailable: 'queue', timeoutMs: 100 });
    const add = captured((n: number) => n + 1);
    expect([await add(1), await add(2)]).toEqual([2, 3]);
    expect(captured.pending).toHaveLength(2);
    service.behave = (response) => json(response, 201, { id: 'r' });
    await captured.flush();
  });

  it('throws once the queue is full: nothing is dropped', async () => {
    away();
    const captured = capturing({ onUnavailable: 'queue', queueLimit: 2 });
    const add = captured((n: number) => n + 1);
    await add(1);
    await add(2);
    await expect(add(3)).rejects.toThrow(/2 records wait already/);
    expect(captured.pending).toHaveLength(2);
    service.behave = (response) => json(response, 201, { id: 'r' });
    await captured.flush();
  });

  it('tells of those that are refused in the end', async () => {
    away();
    const captured = capturing({ onUnavailable: 'queue' });
    await captured((n: number) => n)(1);
    service.behave = (response) => problem(response, 422, 'UNPROCESSABLE_STATE');
    const error = (await captured.flush().catch((thrown: unknown) => thrown)) as AggregateError;
    expect(error).toBeInstanceOf(AggregateError);
    expect(error.errors).toMatchObject([{ code: 'UNPROCESSABLE_STATE' }]);
    expect([captured.pending, captured.refused]).toEqual([[], []]);
  });

  it('a flush ends with its signal, and what waits goes on waiting', async () => {
    away();
    const captured = capturing({ onUnavailable: 'queue' });
    await captured((n: number) => n)(1);
    await expect(captured.flush(AbortSignal.timeout(50))).rejects.toThrow(/timeout/i);
    expect(captured.pending).toHaveLength(1);
    service.behave = (response) => json(response, 201, { id: 'r' });
    await captured.flush();
  });

  it('hands the record over, and throws where that fails', async () => {
    away();
    const kept: CapturedRecord[] = [];
    const captured = capturing({ onUnavailable: (record) => void kept.push(record) });
    expect(await captured(search)('q', { limit: 1 })).toMatchObject({ hits: ['q'] });
    expect(kept).toHaveLength(1);
    const full = capturing({ onUnavailable: () => Promise.reject(new Error('the disk is full')) });
    await expect(full(search)('q', { limit: 1 })).rejects.toThrow(/the disk is full/);
  });
});

it('a refusal is thrown whatever is done while the service is away', async () => {
  service.behave = (response) => problem(response, 422, 'UNPROCESSABLE_STATE');
  for (const onUnavailable of ['throw', 'queue', () => undefined] as const) {
    const captured = capturing({ onUnavailable });
    await expect(captured(search)('q', { limit: 1 })).rejects.toMatchObject({
      name: 'CaptureError',
      cause: { code: 'UNPROCESSABLE_STATE' },
    });
    expect(captured.pending).toEqual([]);
  }
});
