import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../../support/service/api.ts';
import { longestGap, send } from '../../support/service/event-loop-gap.ts';
import { ok } from '../../support/service/world.ts';

/** A page of 45 large types takes 14 to 28 ms, a page of the stream 25 to 42, a batch 10 to 20. */
const MAX_GAP_MS = 50;
const TRIES = 4;
const TYPES = 45;
const RECORDS = 1_000;
const BATCH = 100;

const api = useApi();
const bytes = (body: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(body));
/** Nearly as large as a schema may be, and quick to compile. */
const largeSchema = {
  type: 'object',
  examples: Array.from({ length: 5_000 }, (_, at) => ({ member: `a value of some length ${at}` })),
};
const listTasks = bytes(
  Array.from({ length: BATCH }, (_, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'ListTasks',
    params: { pageSize: 100 },
  })),
);

beforeAll(async () => {
  const { admin, principal } = api.world;
  for (let at = 0; at < TYPES; at++)
    await ok(
      admin.post('/v1/schemas', {
        type: `large-${at}`,
        criteriaSchema: largeSchema,
        completionSchema: largeSchema,
      }),
    );
  const items = Array.from({ length: 100 }, (_, at) => ({
    type: 'note',
    criteria: { text: `note ${at}` },
  }));
  for (let sent = 0; sent < RECORDS; sent += items.length)
    await ok(principal.client.post('/v1/records/bulk', items));
});

describe('holds the event loop for a short time', () => {
  it.each<[string, () => Promise<number>]>([
    [
      `a page of ${TYPES} record types with large schemas`,
      () => send(api.world.url, api.world.admin.key, '/v1/schemas?limit=200'),
    ],
    [
      'a page of 1,000 events for a SIEM',
      () => send(api.world.url, api.world.admin.key, '/v1/siem/stream?limit=1000'),
    ],
    [
      `a batch of ${BATCH} ListTasks`,
      () =>
        send(api.world.url, api.world.principal.client.key, '/a2a', listTasks, 'POST', {
          'a2a-version': '1.0',
        }),
    ],
  ])('%s', async (_what, call) => {
    let best = Infinity;
    for (let tries = 0; tries < TRIES && best >= MAX_GAP_MS; tries++) {
      let status = 0;
      const gap = await longestGap(async () => void (status = await call()));
      expect(status).toBe(200);
      best = Math.min(best, gap);
    }
    expect(best).toBeLessThan(MAX_GAP_MS);
  });
});
