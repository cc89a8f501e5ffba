import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Vault } from '../../application/sealing/vault.ts';
import type { RunningService } from '../../config/service.ts';
import { TOKENS } from '../../config/tokens.ts';
import { openOrgRead } from '../../domain/transparency/org-read.ts';
import { sampleEvent } from '../contract/sql/samples.ts';
import { databases, quickDatabases } from '../support/databases/databases.ts';
import { expectProblem } from '../support/stories/problems.ts';
import { VaultRig } from '../support/service/vault-rig.ts';
import { ok, proposeJob, sleep, type Body, type Client } from '../support/service/world.ts';
import { editsItsVault } from '../support/service/genuine-vault.ts';

editsItsVault(import.meta.filename);

interface Page {
  readonly status: number;
  readonly lines: readonly Body[];
  readonly text: string;
  readonly cursor: string;
  readonly holdback: string | null;
  readonly type: string | null;
}

const pull = async (client: Client, query = ''): Promise<Page> => {
  const response = await fetch(`${client.url}/v1/siem/stream${query}`, {
    headers: { authorization: `Bearer ${client.key}` },
  });
  const text = await response.text();
  return {
    status: response.status,
    lines: text
      .split('\n')
      .filter((line) => line !== '' && response.ok)
      .map((line) => JSON.parse(line) as Body),
    text,
    cursor: response.headers.get('x-service-stream-cursor') ?? '',
    holdback: response.headers.get('x-service-stream-holdback-seconds'),
    type: response.headers.get('content-type'),
  };
};

/** Every line from a place on. */
const walk = async (client: Client, begin: string, rest = ''): Promise<readonly Body[]> => {
  const met: Body[] = [];
  for (let query = begin; ;) {
    const page = await pull(client, `${query}${query === '' ? '?' : '&'}limit=4${rest}`);
    expect(page.status).toBe(200);
    met.push(...page.lines);
    if (page.lines.length === 0) return met;
    query = `?cursor=${page.cursor}`;
  }
};

const idsOf = (lines: readonly Body[]): readonly string[] =>
  lines.map((line) => String(line['id'] ?? (line['metadata'] as Body)['uid']));

describe.each(quickDatabases())('GET /v1/siem/stream on $name', (kind) => {
  const rig = new VaultRig(kind);
  beforeAll(() => rig.prepare());
  afterAll(() => rig.end());
  const as = (service: RunningService, client: Client): Client => rig.at(service, client);

  const job = async (service: RunningService): Promise<string> => {
    const { principal } = rig.world;
    const world = {
      ...rig.world,
      url: String(service.url),
      principal: { ...principal, client: as(service, principal.client) },
    };
    const { id } = await proposeJob(world);
    for (let tries = 0; tries < 200; tries++) {
      const page = await ok(as(service, rig.world.admin).get(`/v1/events?recordId=${String(id)}`));
      if (page['total'] === 1) return String(id);
      await sleep(20);
    }
    throw new Error('the event of the job has no number');
  };

  it('walks every event once, in the order of the numbers, for each of those who see them', () =>
    rig.run(async (service) => {
      await job(service);
      const { platform, admin, principal } = rig.world;
      for (const client of [platform, admin, principal.client]) {
        const listed: Body[] = [];
        let cursor = '';
        do {
          const page: Body = await ok(
            as(service, client).get(`/v1/events?order=asc&limit=200${cursor}`),
          );
          listed.push(...(page['data'] as Body[]));
          cursor = page['nextCursor'] ? `&cursor=${String(page['nextCursor'])}` : '';
        } while (cursor);
        for (const format of ['ocsf', 'raw']) {
          const lines = await walk(as(service, client), '', `&format=${format}`);
          const known = new Set(idsOf(lines));
          // What this very walk caused may have come since.
          expect(listed.every(({ id }) => known.has(String(id)))).toBe(true);
          expect(idsOf(lines).slice(0, listed.length)).toEqual(listed.map(({ id }) => id));
        }
      }
    }));

  it('shows lines as NDJSON, with the cursor and the holdback in headers', () =>
    rig.run(async (service) => {
      const record = await job(service);
      const page = await pull(as(service, rig.world.admin), '?limit=1000&format=raw');
      expect(page).toMatchObject({ status: 200, type: 'application/x-ndjson', holdback: '0' });
      expect(page.lines.at(-1)).toMatchObject({
        type: 'record.proposed',
        payload: { recordId: record, requestId: expect.any(String) as unknown },
      });
      expect(Object.keys(page.lines.at(-1)!)).toEqual(['type', 'payload', 'timestamp', 'id']);
      const ocsf = await pull(as(service, rig.world.admin), '?limit=1000');
      expect(ocsf.lines.at(-1)).toMatchObject({
        class_uid: 3004,
        activity_id: 1,
        entity: { uid: record, type: 'record', name: 'job' },
        metadata: { uid: page.lines.at(-1)!['id'], profiles: ['datetime'] },
      });
    }));

  it('an empty page returns its cursor, and goes on when something comes, after a restart too', async () => {
    const { admin } = rig.world;
    const cursor = await rig.run(async (service) => {
      await job(service);
      const page = await pull(as(service, admin), '?limit=1000');
      const empty = await pull(as(service, admin), `?cursor=${page.cursor}`);
      expect([empty.text, empty.cursor]).toEqual(['', page.cursor]);
      return page.cursor;
    });
    await rig.run(async (service) => {
      const record = await job(service);
      const page = await pull(as(service, admin), `?cursor=${cursor}`);
      expect(page.lines).toMatchObject([{ entity: { uid: record } }]);
    });
  });

  it('since begins where events were numbered from then on, and before the first one the cursor holds it', () =>
    rig.run(async (service) => {
      const admin = as(service, rig.world.admin);
      await job(service);
      await sleep(5);
      const since = new Date().toISOString();
      const before = await pull(admin, `?since=${since}`);
      expect(before.text).toBe('');
      const record = await job(service);
      const [begun, gone] = [
        await pull(admin, `?since=${since}`),
        await pull(admin, `?cursor=${before.cursor}`),
      ];
      expect(begun.lines).toMatchObject([{ entity: { uid: record } }]);
      expect(gone.text).toBe(begun.text);
    }));

  it('refuses both since and cursor, what is damaged, and cursors of other formats, agents and orgs', () =>
    rig.run(async (service) => {
      const { admin, platform, principal, performer } = rig.world;
      await job(service);
      const { cursor } = await pull(as(service, admin));
      const refused = async (client: Client, query: string): Promise<void> => {
        expectProblem(
          await as(service, client).get(`/v1/siem/stream${query}`),
          400,
          'VALIDATION_ERROR',
        );
      };
      await refused(admin, `?cursor=${cursor}&since=2026-01-01T00:00:00.000Z`);
      await refused(admin, `?cursor=${cursor}&format=raw`);
      await refused(admin, `?cursor=x${cursor}`);
      await refused(admin, `?cursor=${cursor.slice(0, -1)}`);
      await refused(platform, `?cursor=${cursor}`);
      await refused(principal.client, `?cursor=${cursor}`);
      const own = await pull(as(service, principal.client));
      await refused(performer.client, `?cursor=${own.cursor}`);
      for (const query of ['?limit=0', '?limit=1001', '?since=yesterday', '?format=cef'])
        await refused(admin, query);
    }));

  it('goes on from the time where a restored database gave the number to another event, or to none', () =>
    rig.run(async (service) => {
      const { platform } = rig.world;
      const client = as(service, platform);
      const record = await job(service);
      const { cursor, lines } = await pull(client, '?limit=1000');
      const { events } = service.container.get(TOKENS.sql);
      const last = await events.newest();
      // The last event is as if it had never been: what comes now has its number.
      await rig.database.raw(`DELETE FROM outbox WHERE sequence = ${last}`);
      expect((await pull(client, `?cursor=${cursor}`)).cursor).toBe(cursor);
      const other = await job(service);
      const page = await pull(client, `?cursor=${cursor}`);
      expect(JSON.stringify(page.lines)).toContain(other);
      expect(JSON.stringify(lines)).toContain(record);
    }));

  it('says how long the oldest event has waited, and answers 503 beyond a minute', () =>
    rig.run(async (service) => {
      const admin = as(service, rig.world.admin);
      await job(service);
      // On MySQL a sequencer would number them again at once.
      if (kind.name !== 'sqlite') return;
      const { unitOfWork, events } = service.container.get(TOKENS.sql);
      const waitSince = async (agoMs: number): Promise<void> => {
        const createdAt = new Date(Date.now() - agoMs).toISOString();
        await unitOfWork.transaction(({ outbox }) =>
          outbox.add(sampleEvent({ createdAt, position: null })),
        );
        await rig.database.raw(
          `UPDATE outbox SET sequence = NULL, numbered_at = NULL, number_key = NULL, number_mac = NULL WHERE sequence = ${await events.newest()}`,
        );
      };
      await waitSince(20_000);
      const page = await pull(admin);
      expect(page.status).toBe(200);
      expect(Number(page.holdback)).toBeGreaterThanOrEqual(20);
      expect(Number(page.holdback)).toBeLessThan(60);
      await waitSince(61_000);
      const refused = await admin.get('/v1/siem/stream');
      expectProblem(refused, 503, 'SERVICE_UNAVAILABLE');
      expect(refused.headers.get('retry-after')).toBe('30');
      await rig.database.raw('DELETE FROM outbox WHERE sequence IS NULL');
    }));

  it('leaves one leaf in the log of each org whose events a page holds, and none for an empty page', () =>
    rig.run(async (service) => {
      const { admin, platform, principal, orgId } = rig.world;
      const { container } = service;
      const log = () => container.get(TOKENS.orgReadsLogs).from(orgId, 0, 10_000);
      const before = (await log()).length;
      const { cursor } = await pull(as(service, admin), '?limit=1000');
      await pull(as(service, admin), `?cursor=${cursor}`);
      await pull(as(service, platform), '?limit=1000');
      await pull(as(service, principal.client));
      const added = (await log()).slice(before);
      const { keyOf } = container.get(Vault);
      expect(await Promise.all(added.map((read) => openOrgRead(read, keyOf)))).toMatchObject([
        { operation: 'streamSiem', actor: { kind: 'admin' } },
        { operation: 'streamSiem', actor: { kind: 'platform' } },
      ]);
    }));
});

describe('lines that are too long', () => {
  const [sqlite] = databases();
  const rig = new VaultRig(sqlite!, { SIEM_MAX_EVENT_BYTES: '1024' });
  beforeAll(() => rig.prepare());
  afterAll(() => rig.end());

  it('are cut, and none is missing', () =>
    rig.run(async (service) => {
      const platform = rig.at(service, rig.world.platform);
      const page = await pull(platform, '?limit=1000');
      const total = (await ok(platform.get('/v1/events?limit=1')))['total'];
      expect(page.lines.length).toBeGreaterThan(5);
      expect(total).toBe(page.lines.length);
      for (const line of page.text.split('\n')) expect(Buffer.byteLength(line)).toBeLessThan(1024);
      expect(page.lines.some(({ unmapped }) => (unmapped as Body)['truncated'] === true)).toBe(
        true,
      );
    }));
});
