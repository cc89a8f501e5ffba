import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Spool, waitingElsewhere } from '../../../adapters/cli/mcp/wrap/spool.ts';
import { openQueue } from '../../support/clients/wrap-queue.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'notary-spool-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const spooled = (n: number) => ({ key: `k${n}`, body: { n } });
const DEAD = 4_194_303;
const leave = (name: string, n: number): string => {
  const folder = join(root, 'd', name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, `0-${n}.json`), JSON.stringify(spooled(n)));
  return folder;
};
const id = crypto.randomUUID();
const here = hostname().replaceAll(/[^A-Za-z0-9.]/g, '_');

describe('the queue of a wrapper', () => {
  it('takes over what ended runs left, and leaves what runs or may run', async () => {
    leave(`${here}-${DEAD}-${id}`, 1);
    leave(`${here}-${process.ppid}-${id}`, 2);
    leave(`elsewhere-1-${id}`, 3);
    const old = leave(`elsewhere-2-${id}`, 4);
    utimesSync(old, new Date(0), new Date(0));
    leave('no-queue', 5);
    const spool = await Spool.open(root, 'd');
    expect(await spool.waiting()).toEqual(['0-1.json', '0-4.json']);
    expect(await spool.read('0-1.json')).toEqual(spooled(1));
    expect(readdirSync(join(root, 'd'))).toHaveLength(4);
  });

  it('takes over what a process of the same number left, as in a container that starts anew', async () => {
    leave(`${here}-${process.pid}-${id}`, 1);
    const spool = await Spool.open(root, 'd');
    expect(await spool.waiting()).toEqual(['0-1.json']);
    // And nothing of a run that is there.
    spool.add('1-2.json', spooled(2));
    const other = await Spool.open(root, 'd');
    expect(await other.waiting()).toEqual([]);
    expect(await spool.waiting()).toHaveLength(2);
  });

  it('is written to again where another run took it for one that was left', async () => {
    const spool = await Spool.open(root, 'd');
    for (const name of readdirSync(join(root, 'd')))
      rmSync(join(root, 'd', name), { recursive: true });
    spool.add('1-1.json', spooled(1));
    expect(await spool.waiting()).toEqual(['1-1.json']);
  });

  it('goes over to the next key of the same owner, and to nobody else', async () => {
    const former = await Spool.open(root, 'former', 'mine');
    await former.close();
    const other = await Spool.open(root, 'other', 'of another');
    await other.close();
    for (const [key, n] of [
      ['former', 1],
      ['other', 2],
      ['unknown', 3],
    ] as const) {
      const folder = join(root, key, `${here}-${DEAD}-${id}`);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(join(folder, `0-${n}.json`), JSON.stringify(spooled(n)));
    }
    // A run of the former key that is still there.
    const running = join(root, 'former', `${here}-${process.ppid}-${id}`);
    mkdirSync(running, { mode: 0o700 });
    writeFileSync(join(running, '0-4.json'), JSON.stringify(spooled(4)));
    const spool = await Spool.open(root, 'd', 'mine');
    expect(await spool.waiting()).toEqual(['0-1.json']);
    expect(readdirSync(running)).toEqual(['0-4.json']);
    expect((await waitingElsewhere(root, 'd')).map(({ count }) => count)).toEqual([1, 1]);
  });

  it.runIf(process.getuid?.() === 0)('is none of another user', async () => {
    chownSync(root, 12_345, 12_345);
    await expect(Spool.open(root, 'd')).rejects.toThrow('another user');
  });

  it('is none into which others may write', async () => {
    chmodSync(root, 0o770);
    await expect(Spool.open(root, 'd')).rejects.toThrow('others may write into it');
  });
});

const NONE = { waiting: 0, setAside: 0 };

/** A service that answers as it is told. */
const serviceThat = (...statuses: number[]) => {
  const keys: string[] = [];
  return {
    keys,
    send: (_method: string, _path: string, _body?: unknown, headers?: Record<string, string>) => {
      keys.push(headers?.['idempotency-key'] ?? '');
      const status = statuses.shift() ?? 201;
      if (status === 0) return Promise.reject(new Error('away'));
      const text = status < 300 ? '{"id":"r"}' : '{"detail":"No."}';
      return Promise.resolve({ status, text, retryAfter: null });
    },
  };
};

describe('a fact', () => {
  const noting = (
    service: ReturnType<typeof serviceThat>,
    onUnavailable: 'block' | 'queue',
    patienceMs = 30_000,
  ) => openQueue(service, { root, onUnavailable, patienceMs });

  it('is sent again under the same key until it is taken, and is gone then', async () => {
    const service = serviceThat(0, 503, 409, 201);
    const { spool, sender, notarizer, told } = await noting(service, 'block');
    await notarizer.note({ a: 1 });
    expect(service.keys).toHaveLength(4);
    expect(new Set(service.keys).size).toBe(1);
    expect(await spool.waiting()).toEqual([]);
    expect(told).toEqual([expect.stringContaining('away'), 'the notary is back.']);
    expect(await sender.drain(0)).toEqual(NONE);
  });

  it('is not safe where blocking takes too long, and is sent all the same', async () => {
    const service = serviceThat(0, 0, 201);
    const { spool, sender, notarizer } = await noting(service, 'block', 20);
    await expect(notarizer.note({ a: 1 })).rejects.toThrow('did not answer within 0.02 s');
    expect(await spool.waiting()).toHaveLength(1);
    expect(await sender.drain(30_000)).toEqual(NONE);
    expect(await spool.waiting()).toEqual([]);
  });

  it('is safe on the disk where it is queued, and sent in its order', async () => {
    const service = serviceThat(0, 0);
    const { sender, notarizer } = await noting(service, 'queue');
    for (let n = 0; n < 100; n++) await notarizer.note({ n });
    expect(await sender.drain(30_000)).toEqual(NONE);
    expect(service.keys).toHaveLength(102);
    expect(new Set(service.keys.slice(2)).size).toBe(100);
  });

  it('is set aside where it is refused for good, and harms no other', async () => {
    const service = serviceThat(422, 201);
    const { sender, notarizer, told } = await noting(service, 'block');
    await expect(notarizer.note({ a: 1 })).rejects.toThrow('refuses a fact for good: No');
    await notarizer.note({ a: 2 });
    expect(readdirSync(join(root, 'd', 'refused'))).toHaveLength(1);
    expect(told[0]).toContain('refused');
    expect(await sender.drain(0)).toEqual({ waiting: 0, setAside: 1 });
  });

  it('waits for the next run where the key is refused, and its contents are left out where they are', async () => {
    const service = serviceThat(403, 201, 422, 201);
    const { spool, sender, notarizer } = await noting(service, 'block');
    await expect(notarizer.note({ a: 1 })).rejects.toThrow('waits for the next run');
    await notarizer.note({ a: 2 });
    await notarizer.note({ a: 3, arguments: {} });
    expect(service.keys[3]).toBe(`${service.keys[2]!}-bare`);
    expect(await spool.waiting()).toEqual([expect.stringMatching(/\.kept\.json$/)]);
    expect(await sender.drain(0)).toEqual({ waiting: 1, setAside: 0 });
  });

  it('stays on the disk where the wrapper ends first', async () => {
    const { spool, sender, notarizer } = await noting(
      serviceThat(...Array<number>(99).fill(0)),
      'queue',
    );
    await notarizer.note({ a: 1 });
    expect(await sender.drain(50)).toEqual({ waiting: 1, setAside: 0 });
    expect(await spool.waiting()).toHaveLength(1);
  });
});
