import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Cursors } from '../../../application/call/cursors.ts';
import { SiemCursors } from '../../../application/siem/siem-cursors.ts';
import { HmacCursorMac } from '../../../adapters/keys/hmac-cursor-mac.ts';
import type { RunningService } from '../../../config/service.ts';
import { TOKENS } from '../../../config/tokens.ts';
import { sampleEvent, uuid } from '../../contract/sql/samples.ts';
import { databases } from '../../support/databases/databases.ts';
import { longestGap, send } from '../../support/service/event-loop-gap.ts';
import { expectProblem } from '../../support/stories/problems.ts';
import { VaultRig } from '../../support/service/vault-rig.ts';
import { ok, type Body } from '../../support/service/world.ts';

// The longest pages of the largest events, and cursors that are not one's own.

const MAX_GAP_MS = 100;
const LARGE = { reason: 'é"\\\u2028'.repeat(500), requestId: 'r' };

describe.each(databases())('pages of events on $name', (kind) => {
  const rig = new VaultRig(kind);
  beforeAll(() => rig.prepare());
  afterAll(() => rig.end());

  const flood = async (service: RunningService, count: number): Promise<void> => {
    const { unitOfWork, events } = service.container.get(TOKENS.sql);
    const before = await events.newest();
    for (let told = 0; told < count; told += 100)
      await unitOfWork.transaction(async ({ outbox }) => {
        for (let n = 0; n < 100; n++)
          await outbox.add(
            sampleEvent({
              orgId: rig.world.orgId,
              data: LARGE,
              createdAt: new Date().toISOString(),
            }),
          );
      });
    await expect.poll(() => events.newest()).toBeGreaterThanOrEqual(before + count);
  };

  it('a thousand large events at once hold up nobody', () =>
    rig.run(async (service) => {
      await flood(service, 1_500);
      const { admin, platform } = rig.world;
      for (const { key } of [admin, platform])
        for (const path of [
          '/v1/siem/stream?limit=1000',
          '/v1/siem/stream?limit=1000&format=raw',
          '/v1/events?limit=200&order=asc',
        ]) {
          let best = Infinity;
          for (let tries = 0; tries < 3 && best > MAX_GAP_MS; tries++)
            best = Math.min(
              best,
              await longestGap(async () => {
                expect(await send(String(service.url), key, path)).toBe(200);
              }),
            );
          expect(best, path).toBeLessThan(MAX_GAP_MS);
        }
    }));

  it('a cursor of the listing is none of the stream, and the other way round', () =>
    rig.run(async (service) => {
      const admin = rig.at(service, rig.world.admin);
      const listed = (await ok(admin.get('/v1/events?limit=1')))['nextCursor'] as string;
      const streamed = await admin.get('/v1/siem/stream?limit=1');
      const cursor = streamed.headers.get('x-service-stream-cursor')!;
      expectProblem(
        await admin.get(`/v1/siem/stream?cursor=${encodeURIComponent(listed)}`),
        400,
        'VALIDATION_ERROR',
      );
      const refused = await admin.get<Body>(
        `/v1/events?limit=1&cursor=${encodeURIComponent(cursor)}`,
      );
      expect(refused.status).toBe(400);
      for (const since of ['0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'])
        expect((await admin.get(`/v1/siem/stream?since=${since}`)).status).toBe(200);
    }));
});

it('a cursor of one hub, viewer or format is none of another, under the same secret too', () => {
  const cursors = new SiemCursors(new Cursors([new HmacCursorMac(new Uint8Array(32).fill(1))]));
  const [hub, org, agent] = [uuid(), uuid(), uuid()];
  const place = { sequence: 7, id: uuid(), numberedAt: '2026-11-22T18:00:00.000Z' };
  const walks = [
    { viewer: { kind: 'platform' }, hubId: hub, format: 'ocsf' },
    { viewer: { kind: 'platform' }, hubId: hub, format: 'raw' },
    { viewer: { kind: 'platform' }, hubId: uuid(), format: 'ocsf' },
    { viewer: { kind: 'org', orgId: org }, hubId: hub, format: 'ocsf' },
    { viewer: { kind: 'org', orgId: agent }, hubId: hub, format: 'ocsf' },
    { viewer: { kind: 'agent', agentId: org }, hubId: hub, format: 'ocsf' },
    { viewer: { kind: 'agent', agentId: agent }, hubId: hub, format: 'ocsf' },
  ] as const;
  for (const made of walks)
    for (const used of walks) {
      const decode = () => cursors.decode(cursors.encode(place, made), used);
      if (made === used) expect(decode()).toEqual(place);
      else expect(decode).toThrow(/cursor/);
    }
});
