import { afterEach, describe, expect, it } from 'vitest';
import { KeptConnection } from '../support/clients/kept-connection.ts';
import { ownServices } from '../support/service/own-services.ts';
import { createWorld } from '../support/service/world.ts';

const make = ownServices();
const clients: KeptConnection[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
});

const CONNECTIONS = 50;
const ROUNDS = 3;

describe('notary serve, on SIGTERM', () => {
  it('answers every request that an earlier answer let the client send, and ends each connection by saying so', async () => {
    for (let round = 1; round <= ROUNDS; round++) {
      const service = make();
      const { apiKey } = await service.bootstrap();
      await service.start();
      const world = await createWorld(service.url, apiKey);
      const body = JSON.stringify({ type: 'note', criteria: { round } });
      const notarize = [
        'POST /v1/records HTTP/1.1',
        'Host: notary.test',
        `Authorization: Bearer ${world.principal.client.key}`,
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
        '',
        body,
      ].join('\r\n');
      const port = Number(new URL(service.url).port);
      const kept = await Promise.all(
        Array.from({ length: CONNECTIONS }, () => KeptConnection.to(port)),
      );
      clients.push(...kept);
      for (const [at, client] of kept.entries())
        client.repeat(at % 2 === 0 ? notarize : 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n');
      await expect
        .poll(() => Math.min(...kept.map(({ answers }) => answers.length)))
        .toBeGreaterThan(5);
      expect(await service.stop('SIGTERM')).toBe(0);
      await expect.poll(() => kept.filter(({ ended }) => ended === null).length).toBe(0);
      expect(kept.filter(({ isLetDown }) => isLetDown).length, `round ${round}`).toBe(0);
      expect(kept.map(({ answers }) => answers.at(-1)!.status).every((it) => it < 300)).toBe(true);
    }
  });
});
