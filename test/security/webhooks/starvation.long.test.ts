import type { ServerResponse } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import { useApi } from '../../support/service/api.ts';
import { type Receiver, until } from '../../support/peers/receiver.ts';
import { SENDS_HERE, useReceivers } from '../../support/peers/receivers.ts';
import { createWorld, ok, type Body, type Client } from '../../support/service/world.ts';

const api = useApi(SENDS_HERE);
const receiver = useReceivers();
let answering: NodeJS.Timeout | undefined;
afterAll(() => clearInterval(answering));

const subscribe = (by: Client, to: Receiver): Promise<Body> =>
  ok(by.post('/v1/webhooks', { url: to.url, eventTypes: ['record.recorded'] }));
const notes = (by: Client, count: number): Promise<Body> =>
  ok(
    by.post(
      '/v1/records/bulk',
      Array.from({ length: count }, (_, item): Body => ({ type: 'note', criteria: { item } })),
    ),
  );
describe('an org whose hundred receivers answer slowly, and well', () => {
  it('holds up no other org', { timeout: 300_000 }, async () => {
    const { admin, principal } = api.world;
    const slow = await receiver();
    const waiting: ServerResponse[] = [];
    slow.behave = (_, response) => void waiting.push(response);
    for (let n = 0; n < 100; n++) await subscribe(admin, slow);
    await notes(principal.client, 20);
    await until(() => slow.received.length >= 64);
    // Each is answered just before it would be given up, so no circuit opens.
    answering = setInterval(() => {
      for (const response of waiting.splice(0)) setTimeout(() => void response.end(), 4_000);
    }, 100);
    try {
      const other = await createWorld(api.world.url, String(api.world.platform.key), 'Other');
      const quick = await receiver();
      await subscribe(other.admin, quick);
      const began = performance.now();
      await notes(other.principal.client, 5);
      await until(() => quick.received.length === 5);
      // If each waited for a place that a slow one gives up, the five would take 20 s; behind all of them, two minutes.
      expect(performance.now() - began).toBeLessThan(12_000);
    } finally {
      slow.behave = (_, response) => void response.writeHead(410).end();
      for (const response of waiting.splice(0)) response.end();
    }
  });
});
