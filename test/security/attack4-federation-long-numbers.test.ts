import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/hub-pair.ts';
import { LyingPair } from '../support/lying-pair.ts';
import { JOB_TYPE, ok, type Body, type Client } from '../support/world.ts';

let hubs: LyingPair;
beforeAll(async () => {
  hubs = await LyingPair.open();
}, 60_000);
afterAll(() => hubs?.close());

/** 1e20 has four letters in a body, and 21 where it is written again. */
const wide = `{"goal":"x","pad":"${'y'.repeat(850_000)}","list":[${Array.from({ length: 32_000 }, () => '1e20').join(',')}]}`;

const posted = async ({ url, key }: Client, path: string, body: object): Promise<Body> => {
  const text = JSON.stringify(body).replace('"WIDE"', () => wide);
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${String(key)}`, 'content-type': 'application/json' },
    body: text,
  });
  return { status: answer.status, ...((await answer.json()) as Body) };
};

describe('an offer whose numbers are longer in the message than in the bodies', () => {
  // Each body was taken here; what goes to the peer is longer than it takes. It answers 413, and the lane is blocked for ever.
  it('is delivered, or refused where it is made', { timeout: 60_000 }, async () => {
    const { home, far } = hubs.pair;
    const type = { ...JOB_TYPE, type: 'wide', exampleCriteria: 'WIDE' };
    const registered = await posted(home.world.admin, '/v1/schemas', type);
    const record = await posted(hubs.principal, '/v1/records', {
      type: 'wide',
      criteria: 'WIDE',
      federation: { peerHubId: far.hubId, performerAgentId: far.world.performer.id },
    });
    if (!record['id']) {
      expect(registered['status']).toBe('active');
      expect(record).toMatchObject({ status: 422, reason: 'too_long_for_peer' });
      expect(String(record['suggestion'])).toContain('shorter');
      // Nothing of it is stored, and one that is shorter goes through.
      expect((await ok(hubs.principal.get('/v1/records')))['data']).toEqual([]);
      await hubs.opened();
      return;
    }
    const letters = () => ok(home.world.platform.get('/federation/v1/admin/dlq'));
    const shown = () => ok(hubs.principal.get(`/v1/records/${String(record['id'])}`));
    await until(
      async () => (await letters())['total'] > 0 || (await shown())['federation'].recordId !== null,
    );
    expect((await letters())['data']).toEqual([]);
  });
});
