import { beforeAll, describe, expect, it } from 'vitest';
import { differencesOf } from '../../../adapters/console/differences.ts';
import type { NotaryRecord } from '../../../adapters/client/shapes.ts';
import { HubKeys } from '../../../domain/verification/platform/hub-keys.ts';
import { trustOf } from '../../../domain/verification/keys/trust.ts';
import { verifyFile } from '../../../domain/verification/verify-file.ts';
import { useApi } from '../../support/service/api.ts';
import { createTwoOrgs, decidedBetween, openDisputed } from '../../support/stories/disputes.ts';
import { createEncryptedWorld } from '../../support/stories/encrypted-world.ts';
import { openChild } from '../../support/stories/tree.ts';
import {
  draftJob,
  GOAL,
  ok,
  openDecided,
  openDelivered,
  openJob,
  proposeJob,
} from '../../support/service/world.ts';

const api = useApi();
/** A record of each kind there is, by the name of what is special about it. */
const records = new Map<string, string>();

beforeAll(async () => {
  const { world } = api;
  const { principal, performer } = world;
  const post = (who: typeof principal, id: unknown, step: string, body = {}) =>
    ok(who.client.post(`/v1/records/${String(id)}/${step}`, body));
  const note = await ok(
    principal.client.post('/v1/records', { type: 'note', criteria: { n: 1, text: 'é\u2028' } }),
  );
  records.set('note', String(note['id']));
  records.set('draft', String((await draftJob(world))['id']));
  records.set('proposed', String((await proposeJob(world))['id']));
  const countered = (await proposeJob(world))['id'];
  await post(performer, countered, 'counter-propose', { criteria: { ...GOAL, goal: 'other' } });
  records.set('countered', String(countered));
  const agreed = (await proposeJob(world))['id'];
  await post(performer, agreed, 'counter-propose', { criteria: { ...GOAL, goal: 'other' } });
  await post(principal, agreed, 'accept-counter');
  records.set('agreed', String(agreed));
  const cancelled = (await openJob(world))['id'];
  await post(principal, cancelled, 'cancel', { reason: 'late' });
  records.set('cancelled', String(cancelled));
  records.set('delivered', (await openDelivered(world)).id);
  records.set('fulfilled', (await openDecided(world, 'accept')).id);
  records.set('failed', (await openDecided(world, 'reject')).id);
  records.set('disputed', (await openDisputed(world)).id);
  const root = String((await openJob(world, { expiresAt: '2126-01-01T00:00:00.000Z' }))['id']);
  records.set('root', root);
  records.set('child', String((await openChild(world, root, principal))['id']));
  records.set(
    'between two orgs',
    await decidedBetween(await createTwoOrgs(world, 'the-other'), 'accept'),
  );
  const sealed = await createEncryptedWorld(world);
  const hidden = await ok(
    sealed.principal.client.post('/v1/records', {
      type: 'sealed-job',
      criteria: await sealed.encrypt({ goal: 'hidden' }),
      performerAgentId: sealed.performer.id,
    }),
  );
  records.set('encrypted', String(hidden['id']));
});

describe('what the console says of a record and its chain', () => {
  it('is no difference where nobody changed anything, in every state and for every reader', async () => {
    const { world } = api;
    const trust = trustOf({ kind: 'fingerprint', sha256Hex: api.fingerprint });
    let compared = 0;
    for (const [name, id] of records)
      for (const client of [
        world.platform,
        world.admin,
        world.principal.client,
        world.performer.client,
      ]) {
        const { status, body } = await client.get<NotaryRecord>(`/v1/records/${id}`);
        if (status !== 200) continue;
        const answer = await fetch(`${world.url}/v1/records/${id}/audit-export?evidence=true`, {
          headers: { authorization: `Bearer ${client.key}` },
        });
        if (answer.status !== 200) continue;
        const bytes = new Uint8Array(await answer.arrayBuffer());
        const report = await verifyFile(bytes, {
          trust,
          keys: new HubKeys(),
          story: { maxSteps: 1_000 },
        });
        expect(report.verdict, name).toBe('valid');
        expect(differencesOf(report, bytes, body), name).toEqual([]);
        compared++;
      }
    expect(compared).toBeGreaterThan(3 * records.size);
  });
});
