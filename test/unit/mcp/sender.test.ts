import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Sender } from '../../../adapters/cli/mcp/wrap/sender.ts';
import { Spool } from '../../../adapters/cli/mcp/wrap/spool.ts';
import { until } from '../../support/peers/receiver.ts';
import { openQueue } from '../../support/clients/wrap-queue.ts';

let root: string;
const senders: Sender[] = [];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'notary-sender-'));
});
afterEach(async () => {
  for (const sender of senders.splice(0)) await sender.drain(0);
  rmSync(root, { recursive: true, force: true });
});

const fact = (n: number) => ({ session: 's', call: n, n });
type Answer = { status: number; text?: string; retryAfter?: number };
type Criteria = { readonly n: number };
/** A service that answers by what it is sent. */
const serviceThat = (answerTo: (n: number, times: number) => Answer | Promise<Answer>) => {
  const sent: number[] = [];
  return {
    sent,
    send: async (_method: string, _path: string, body?: unknown) => {
      const { n } = (JSON.parse(String(body)) as { criteria: Criteria }).criteria;
      sent.push(n);
      const times = sent.filter((one) => one === n).length;
      const { status, text = '{"id":"r"}', retryAfter = null } = await answerTo(n, times);
      return { status, text, retryAfter };
    },
  };
};
const noting = async (
  service: ReturnType<typeof serviceThat>,
  onUnavailable: 'block' | 'queue',
  patienceMs = 30_000,
) => {
  const queue = await openQueue(service, { root, onUnavailable, patienceMs, firstSuspicionMs: 1 });
  senders.push(queue.sender);
  return queue;
};
const inFolder = (name: string): string[] => readdirSync(join(root, 'd', name));

describe('a fact at which the service always fails', () => {
  it.each([500, 409])('holds up no other, and is set aside in the end: %d', async (status) => {
    const service = serviceThat((n) => ({ status: n === 0 ? status : 201 }));
    const { spool, sender, notarizer, told } = await noting(service, 'queue');
    await notarizer.note(fact(0));
    for (let n = 1; n <= 20; n++) await notarizer.note(fact(n));
    await until(() => service.sent.includes(20));
    // Each time that others are taken shows once more that it is not because of the service.
    for (let n = 21; (await spool.aside()).length === 0; n++) {
      await notarizer.note(fact(n));
      await until(() => service.sent.includes(n));
    }
    expect(inFolder('failing')).toHaveLength(1);
    expect(told.filter((sentence) => sentence.includes('and this one never'))).toEqual([
      expect.stringContaining(`It is kept in ${join(root, 'd', 'failing')}`),
    ]);
    expect(await sender.drain(30_000)).toEqual({ waiting: 0, setAside: 1 });
    expect(service.sent.filter((n) => n === 0).length).toBeLessThan(30);
    const later = [...new Set(service.sent.filter((n) => n > 0))];
    expect(later).toEqual([...later].sort((a, b) => a - b));
  });

  it('is told of by the next run, and sent once more when somebody asks for it', async () => {
    const folder = join(root, 'd', 'failing');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(
      join(folder, '0-0.json'),
      JSON.stringify({ key: 'k', body: { criteria: { n: 7 } } }),
    );
    const before = await Spool.open(root, 'd');
    expect(await before.waiting()).toEqual([]);
    expect(await before.aside()).toEqual([{ folder, count: 1 }]);
    await before.close();
    renameSync(folder, join(root, 'd', 'again'));
    const service = serviceThat(() => ({ status: 201 }));
    const { sender } = await noting(service, 'queue');
    expect(await sender.drain(30_000)).toEqual({ waiting: 0, setAside: 0 });
    expect(service.sent).toEqual([7]);
  });

  it('is not one while the service takes nothing: all of them wait', async () => {
    let isBack = false;
    const service = serviceThat(() => ({ status: isBack ? 201 : 500 }));
    const { sender, notarizer } = await noting(service, 'queue');
    for (let n = 0; n < 5; n++) await notarizer.note(fact(n));
    await until(() => service.sent.length >= 5);
    isBack = true;
    const before = service.sent.length;
    expect(await sender.drain(60_000)).toEqual({ waiting: 0, setAside: 0 });
    const taken = service.sent.slice(before);
    expect(new Set(taken)).toEqual(new Set([0, 1, 2, 3, 4]));
  });
});

it('a result is not sealed before its call, where the service comes back between two attempts', async () => {
  const taken: string[] = [];
  let attempts = 0;
  const service = {
    send: (_method: string, _path: string, body?: unknown) => {
      const { event } = (JSON.parse(String(body)) as { criteria: { event: string } }).criteria;
      // Away for as long as nothing but the call is tried.
      attempts += 1;
      const status = attempts > 4 || event === 'result' ? 201 : 500;
      if (status === 201) taken.push(event);
      return Promise.resolve({ status, text: '{"id":"r"}', retryAfter: null });
    },
  };
  const { notarizer, sender } = await noting(service as never, 'queue');
  await notarizer.note({ ...fact(1), event: 'call' });
  await notarizer.note({ ...fact(1), event: 'result' });
  expect(await sender.drain(30_000)).toEqual({ waiting: 0, setAside: 0 });
  expect(taken).toEqual(['call', 'result']);
});

describe('what answers', () => {
  it('is no notary where it answers with a page: nothing counts as sealed', async () => {
    const service = serviceThat((_n, times) =>
      times < 3 ? { status: 200, text: '<html>Sign in</html>' } : { status: 201 },
    );
    const { notarizer, told, spool } = await noting(service, 'block');
    await notarizer.note(fact(1));
    expect(service.sent).toEqual([1, 1, 1]);
    expect(told[0]).toContain('what answers is no notary');
    expect(await spool.waiting()).toEqual([]);
  });

  it('redirects: what was sent waits for the next run', async () => {
    const service = serviceThat(() => ({ status: 302, text: '' }));
    const { notarizer, sender } = await noting(service, 'queue');
    await notarizer.note(fact(1));
    await until(() => service.sent.length === 1);
    expect(await sender.drain(1_000)).toEqual({ waiting: 1, setAside: 0 });
  });

  it('asks to be left alone: nothing is sent before, of whatever fact', async () => {
    const at: number[] = [];
    const service = serviceThat((_n, times) => {
      at.push(performance.now());
      return times === 1 && at.length === 1 ? { status: 429, retryAfter: 1 } : { status: 201 };
    });
    const { notarizer } = await noting(service, 'block');
    const first = notarizer.note(fact(1));
    await until(() => service.sent.length === 1);
    await Promise.all([first, notarizer.note(fact(2))]);
    expect(at[1]! - at[0]!).toBeGreaterThan(990);
  });
});

it('an end waits for no service that asks to be left alone for longer', async () => {
  const service = serviceThat(() => ({
    status: 429,
    text: '{"detail":"Too many."}',
    retryAfter: 60,
  }));
  const { notarizer, sender } = await noting(service, 'block', 500);
  await expect(notarizer.note(fact(1))).rejects.toThrow(
    'did not answer within 0.5 s; the notary answers 429: Too many',
  );
  const begun = performance.now();
  expect(await sender.drain(30_000)).toEqual({ waiting: 1, setAside: 0 });
  expect(performance.now() - begun).toBeLessThan(25_000);
});

describe('what somebody waits for', () => {
  it('is sent beside others, and behind none that waits on the disk', async () => {
    const held: (() => void)[] = [];
    const service = serviceThat(
      (n) =>
        new Promise((resolve) => {
          const answer = (): void => resolve({ status: 201 });
          if (n < 5) held.push(answer);
          else answer();
        }),
    );
    const { notarizer, sender } = await noting(service, 'block');
    await notarizer.keepOnly(fact(0));
    const four = [1, 2, 3, 4].map((n) => notarizer.note(fact(n)));
    await until(() => held.length === 5);
    await notarizer.note(fact(5));
    for (const answer of held) answer();
    await Promise.all(four);
    expect(await sender.drain(30_000)).toEqual({ waiting: 0, setAside: 0 });
    expect(service.sent.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('is sent on where nobody waits any longer, once and in its order', async () => {
    let isBack = false;
    const taken: number[] = [];
    const service = serviceThat((n) => {
      if (isBack) taken.push(n);
      return { status: isBack ? 201 : 503 };
    });
    const { notarizer, sender } = await noting(service, 'block', 50);
    await expect(notarizer.note(fact(1))).rejects.toThrow('did not answer within');
    await notarizer.keepOnly(fact(2));
    isBack = true;
    expect(await sender.drain(30_000)).toEqual({ waiting: 0, setAside: 0 });
    expect(taken).toEqual([1, 2]);
  });
});

describe('a file that somebody edited', () => {
  it.each([
    'null',
    '{"key":"k"}',
    '{"key":1,"body":{}}',
    '{"key":"a\\nb","body":{}}',
    '{"key":"k","body":[]}',
    '{"key":"k","bo',
    '',
  ])('is set aside and told of, and holds up no other: %s', async (text) => {
    const left = join(root, 'd', 'again');
    mkdirSync(left, { recursive: true, mode: 0o700 });
    writeFileSync(join(left, '0-0.json'), text);
    writeFileSync(join(left, '0-1.json'), '{"key":"k","body":{"criteria":{"n":1}}}');
    const service = serviceThat(() => ({ status: 201 }));
    const { sender, told } = await noting(service, 'queue');
    expect(await sender.drain(30_000)).toEqual({ waiting: 0, setAside: 1 });
    expect(service.sent).toEqual([1]);
    expect(inFolder('refused')).toEqual(['0-0.json']);
    expect(told.join()).toContain('cannot be read');
  });

  it('is refused by the service with criteria that are none', async () => {
    const left = join(root, 'd', 'again');
    mkdirSync(left, { recursive: true, mode: 0o700 });
    writeFileSync(join(left, '0-0.json'), '{"key":"k","body":{"criteria":"text"}}');
    const service = { send: () => Promise.resolve({ status: 422, text: '{}', retryAfter: null }) };
    const { sender } = await noting(service as never, 'queue');
    expect(await sender.drain(30_000)).toEqual({ waiting: 0, setAside: 1 });
  });
});
