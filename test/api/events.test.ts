import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningService } from '../../config/service.ts';
import { TOKENS } from '../../config/tokens.ts';
import { Vault } from '../../application/sealing/vault.ts';
import { openOrgRead } from '../../domain/transparency/org-read.ts';
import { quickDatabases } from '../support/databases/databases.ts';
import { expectProblem } from '../support/stories/problems.ts';
import { VaultRig } from '../support/service/vault-rig.ts';
import { ok, proposeJob, sleep, type Body, type Client } from '../support/service/world.ts';

const CANARY = 'a goal that no event tells';
const rowsOf = (page: Body): readonly Body[] => page['data'] as Body[];
const sequences = (page: Body): readonly number[] =>
  rowsOf(page).map(({ sequence }) => Number(sequence));

describe.each(quickDatabases())('GET /v1/events on $name', (kind) => {
  const rig = new VaultRig(kind);
  beforeAll(() => rig.prepare());
  afterAll(() => rig.end());

  const as = (service: RunningService, client: Client): Client => rig.at(service, client);

  /** A job between two agents of the org; resolves when its events have their numbers. */
  const job = async (service: RunningService): Promise<string> => {
    const { principal, performer } = rig.world;
    const world = {
      ...rig.world,
      url: String(service.url),
      principal: { ...principal, client: as(service, principal.client) },
      performer: { ...performer, client: as(service, performer.client) },
    };
    const { id } = await proposeJob(world, { criteria: { goal: CANARY, threshold: 5 } });
    const record = String(id);
    await ok(world.performer.client.post(`/v1/records/${record}/accept`));
    for (let tries = 0; tries < 100; tries++) {
      const page = await ok(as(service, rig.world.admin).get(`/v1/events?recordId=${record}`));
      if (page['total'] === 2) return record;
      await sleep(20);
    }
    throw new Error('the events of the job have no numbers');
  };

  it('shows each party its events by number, with the request that caused them', () =>
    rig.run(async (service) => {
      const record = await job(service);
      const { principal, performer, admin, platform, orgId } = rig.world;
      for (const client of [principal.client, performer.client, admin, platform]) {
        const page = await ok(as(service, client).get(`/v1/events?recordId=${record}&order=asc`));
        expect(rowsOf(page)).toMatchObject([
          { type: 'record.proposed', recordId: record, recordType: 'job', orgId },
          {
            type: 'record.proposal_accepted',
            agentId: performer.id,
            data: { recordId: record, status: 'ACTIVE', requestId: expect.any(String) as unknown },
          },
        ]);
        expect(page).toMatchObject({ total: 2, hasMore: false });
        expect(JSON.stringify(page)).not.toContain(CANARY);
      }
    }));

  it('lets an agent see what it is party to and its own, and nothing else', () =>
    rig.run(async (service) => {
      await job(service);
      const { principal } = rig.world;
      const own = rowsOf(await ok(as(service, principal.client).get('/v1/events?limit=200')));
      expect(own.map(({ type }) => type)).toContain('agent.created');
      expect(own.map(({ type }) => type)).toContain('key.minted');
      for (const { type, agentId, recordId } of own)
        if (recordId === null) expect({ type, agentId }).toEqual({ type, agentId: principal.id });
      const all = rowsOf(await ok(as(service, rig.world.admin).get('/v1/events?limit=200')));
      expect(all.length).toBeGreaterThan(own.length);
      expect(all.map(({ type }) => type)).toContain('schema.registered');
      const every = await ok(as(service, rig.world.platform).get('/v1/events?order=asc&limit=200'));
      expect(sequences(every)).toEqual(rowsOf(every).map((_row, at) => at + 1));
    }));

  it('pages in both directions without a gap and without a row twice, and counts', () =>
    rig.run(async (service) => {
      await job(service);
      const admin = as(service, rig.world.admin);
      const whole = await ok(admin.get('/v1/events?limit=200'));
      for (const order of ['desc', 'asc']) {
        const met: number[] = [];
        let cursor = '';
        do {
          const page: Body = await ok(
            admin.get(`/v1/events?limit=3&order=${order}${cursor && `&cursor=${cursor}`}`),
          );
          expect(page['total']).toBe(whole['total']);
          met.push(...sequences(page));
          cursor = String(page['nextCursor'] ?? '');
        } while (cursor);
        expect(met).toEqual(order === 'desc' ? sequences(whole) : sequences(whole).toReversed());
      }
    }));

  it('filters by type, agent and time, and refuses what is no type and another org', () =>
    rig.run(async (service) => {
      const record = await job(service);
      const admin = as(service, rig.world.admin);
      const { performer, orgId } = rig.world;
      const typed = rowsOf(
        await ok(admin.get('/v1/events?type=record.proposal_accepted&limit=200')),
      );
      expect(typed.some(({ recordId }) => recordId === record)).toBe(true);
      expect(new Set(typed.map(({ type }) => type))).toEqual(new Set(['record.proposal_accepted']));
      const acted = rowsOf(await ok(admin.get(`/v1/events?agentId=${performer.id}&limit=200`)));
      expect(new Set(acted.map(({ agentId }) => agentId))).toEqual(new Set([performer.id]));
      const [at] = rowsOf(await ok(admin.get(`/v1/events?recordId=${record}`)));
      const since = encodeURIComponent(String(at!['createdAt']));
      expect(rowsOf(await ok(admin.get(`/v1/events?since=${since}`)))).toContainEqual(at);
      expect(rowsOf(await ok(admin.get(`/v1/events?until=${since}`)))).not.toContainEqual(at);
      expectProblem(await admin.get('/v1/events?type=record.approved'), 400, 'VALIDATION_ERROR');
      const foreign = '019c1f00-0000-7000-8000-000000000001';
      expectProblem(await admin.get(`/v1/events?orgId=${foreign}`), 403, 'FORBIDDEN');
      const narrowed = await ok(as(service, rig.world.platform).get(`/v1/events?orgId=${orgId}`));
      expect(narrowed['total']).toBe((await ok(admin.get('/v1/events')))['total']);
    }));

  it('leaves one leaf in the log of each org whose events a page holds, and none for an empty page', () =>
    rig.run(async (service) => {
      const record = await job(service);
      const { admin, platform, principal, orgId } = rig.world;
      const { container } = service;
      const log = () => container.get(TOKENS.orgReadsLogs).from(orgId, 0, 10_000);
      const before = (await log()).length;
      await ok(as(service, admin).get(`/v1/events?recordId=${record}`));
      await ok(as(service, platform).get(`/v1/events?recordId=${record}`));
      await ok(as(service, principal.client).get(`/v1/events?recordId=${record}`));
      await ok(as(service, admin).get('/v1/events?type=dispute.opened'));
      await ok(as(service, platform).get(`/v1/events?orgId=${orgId}&type=dispute.opened`));
      const added = (await log()).slice(before);
      const { keyOf } = container.get(Vault);
      expect(await Promise.all(added.map((read) => openOrgRead(read, keyOf)))).toMatchObject([
        { operation: 'listEvents', actor: { kind: 'admin' } },
        { operation: 'listEvents', actor: { kind: 'platform' } },
      ]);
    }));
});
