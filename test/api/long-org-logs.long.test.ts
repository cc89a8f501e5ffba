import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  SqlStatementLogReads,
  SqlStatementLogStore,
} from '../../adapters/sql/transparency/statement-log-store.ts';
import { IntegrateEntries } from '../../application/transparency/integrate-entries.ts';
import { OrgLogs } from '../../application/transparency/org-logs.ts';
import { QuietRanges } from '../../application/sealing/quiet-ranges.ts';
import { CoverInTurns } from '../../application/vault/cover-in-turns.ts';
import { CheckpointRound } from '../../application/vault/checkpoint-round.ts';
import type { RunningService } from '../../config/service.ts';
import { TOKENS } from '../../config/tokens.ts';
import { statementLog } from '../../domain/transparency/statement-log.port.ts';
import { databases } from '../support/databases/databases.ts';
import { issuer, registerKey, statement } from '../support/vectors/statements.ts';
import { VaultRig } from '../support/service/vault-rig.ts';
import { ok, type Client } from '../support/service/world.ts';

const BULK = 100;
const CALLS = 12;
/** Leaves in one read of application/transparency/org-logs.ts. */
const PAGE = 200;

/**
 * A process that has just started verifies every leaf since the newest signed head. Whatever that takes, nobody who writes
 * waits for it: a unit of work holds the only writer of SQLite, and is ended after ten seconds.
 */
describe.each(databases())('a log that grew much since it was signed, on $name', (kind) => {
  const rig = new VaultRig(kind, { ROLE: 'api', CHECKPOINT_INTERVAL: '1440' });
  const key = issuer('Ed25519');
  /** First indexes of the pages that were read, in units of work and outside. */
  let inUnits: number[] = [];
  let committed: number[] = [];
  /** ms, each page. */
  let slowBy = 0;

  const principal = (service: RunningService): Client =>
    rig.at(service, rig.world.principal.client);
  const integrate = (service: RunningService) => service.container.get(IntegrateEntries);
  const notarize = async (service: RunningService, notes: number): Promise<void> => {
    const note = { type: 'note', criteria: { text: 'long' } };
    await ok(principal(service).post('/v1/records/bulk', Array<object>(notes).fill(note)));
  };
  const size = async (service: RunningService): Promise<number> => {
    const log = statementLog(rig.world.orgId);
    const next = await service.container.get(TOKENS.statementLogReads).next('');
    expect(next?.log).toBe(log);
    return next!.size;
  };

  beforeAll(async () => {
    await rig.prepare();
    await rig.run(async (service) => {
      const { principal: agent, admin } = rig.world;
      await registerKey(rig.at(service, admin), agent.id, key, ['https://issuer.example']);
      for (let i = 0; i < CALLS; i++) await notarize(service, BULK);
      await integrate(service).run();
      expect(await size(service)).toBeGreaterThan(BULK * CALLS);
    });
  });
  afterAll(() => rig.end());
  beforeEach(() => {
    inUnits = [];
    committed = [];
    slowBy = 0;
    const { leaves } = SqlStatementLogReads.prototype;
    vi.spyOn(SqlStatementLogReads.prototype, 'leaves').mockImplementation(async function (
      this: SqlStatementLogReads,
      ...asked
    ) {
      (this instanceof SqlStatementLogStore ? inUnits : committed).push(asked[1]);
      if (slowBy > 0) await new Promise((resolve) => setTimeout(resolve, slowBy));
      return leaves.apply(this, asked);
    });
  });
  afterEach(() => vi.restoreAllMocks());

  it('is taken up where a run was stopped', () =>
    rig.run(async (service) => {
      await notarize(service, 1);
      const before = await size(service);
      const stopping = new AbortController();
      let pauses = 0;
      const pause = (): Promise<void> => {
        if (++pauses === 5) stopping.abort();
        return Promise.resolve();
      };
      expect(await integrate(service).run(stopping.signal, { pause })).toBe(0);
      expect(await size(service)).toBe(before);
      const [first, ...read] = committed.splice(0);
      expect(first).toBe(0);
      expect(await integrate(service).isNeeded()).toBe(true);
      expect(await integrate(service).run()).toBe(1);
      expect(committed[0]).toBeGreaterThanOrEqual(read.at(-1)!);
      expect(await size(service)).toBe(before + 1);
    }));

  it('is not waited for by a caller for longer than some seconds, and is read on meanwhile', () =>
    rig.run(async (service) => {
      // The seven pages take longer than a caller waits, and the first one takes far less.
      slowBy = 1_000;
      const consistency = () => principal(service).get('/v1/scitt/consistency?from=1');
      const { status, body, headers } = await consistency();
      slowBy = 0;
      expect([status, body['code'], headers.get('retry-after')]).toEqual([
        503,
        'SERVICE_UNAVAILABLE',
        '5',
      ]);
      expect(body['detail']).toMatch(/still verifies the log of the org: [1-9]\d* leaves so far/);
      await expect.poll(async () => (await consistency()).status, { interval: 500 }).toBe(200);
    }));

  it('is read on by one of those who wait for a run that is stopped', () =>
    rig.run(async (service) => {
      await notarize(service, 1);
      const stopping = new AbortController();
      let release = (): void => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      let pauses = 0;
      const pause = () => (++pauses === 5 ? held : Promise.resolve());
      const run = integrate(service).run(stopping.signal, { pause });
      await vi.waitUntil(() => pauses === 5, { timeout: 60_000 });
      const waiting = vi.spyOn(OrgLogs.prototype, 'forCaller');
      const callers = Array.from({ length: 8 }, () =>
        principal(service).get('/v1/scitt/consistency?from=1'),
      );
      await vi.waitUntil(() => waiting.mock.calls.length === callers.length, { timeout: 60_000 });
      const known = committed.at(-1)! + PAGE;
      stopping.abort();
      release();
      await run;
      // On a slow machine they may be told to ask again.
      for (const { status } of await Promise.all(callers)) expect([200, 503]).toContain(status);
      const again = () => principal(service).get('/v1/scitt/consistency?from=1');
      await expect.poll(async () => (await again()).status, { interval: 500 }).toBe(200);
      expect(committed.filter((from) => from === known + 2 * PAGE)).toHaveLength(1);
      expect(await integrate(service).run()).toBe(1);
    }));

  it.each([
    [
      'entries are added',
      async (service: RunningService) => {
        await notarize(service, 1);
        expect(await integrate(service).run()).toBe(1);
      },
    ],
    [
      'a statement is registered',
      async (service: RunningService) => {
        const { url, key: token } = principal(service);
        const { status } = await fetch(`${url}/v1/scitt/entries`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/cose' },
          body: new Uint8Array(statement(key, { sub: 'long' })),
        });
        expect(status).toBe(201);
      },
    ],
    [
      'the first head is signed',
      async (service: RunningService) => {
        await ok(principal(service).get('/v1/scitt/checkpoint'));
      },
    ],
  ])('is read before the unit of work in which %s', (_name, act) =>
    rig.run(async (service) => {
      const long = await size(service);
      await act(service);
      expect(committed.length).toBeGreaterThan(3);
      expect(inUnits.length).toBeGreaterThan(0);
      for (const from of inUnits) expect(from).toBeGreaterThanOrEqual(long);
    }),
  );

  it.each([
    [
      'round',
      (service: RunningService) => service.container.get(CheckpointRound).run() as Promise<unknown>,
    ],
    [
      'rotation that ran out of time for a round',
      ({ container }: RunningService): Promise<unknown> =>
        container
          .get(CoverInTurns)
          .walk(container.get(CheckpointRound).nothingProven(), new QuietRanges(), () =>
            Promise.resolve(),
          ),
    ],
    [
      'rotation',
      (service: RunningService) =>
        ok(rig.at(service, rig.world.platform).post('/v1/admin/vault/signing-keys/rotate', {})),
    ],
  ])('is read before the units of work of a %s', async (_name, act) => {
    await rig.run(async (service) => {
      for (let i = 0; i < 4; i++) await notarize(service, BULK);
      await integrate(service).run();
    });
    await rig.run(async (service) => {
      committed = [];
      inUnits = [];
      const long = await size(service);
      await act(service);
      expect(committed.length).toBeGreaterThan(2);
      for (const from of inUnits) expect(from).toBeGreaterThanOrEqual(long);
    });
  });
});
