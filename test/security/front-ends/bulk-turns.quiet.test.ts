import { join } from 'node:path';
import { expect, it } from 'vitest';
import { contents } from '../../support/attackers/hostile-bodies.ts';
import { send, slowness } from '../../support/service/event-loop-gap.ts';
import { reportingGapsInto, takeLongestGap } from '../../support/service/loop-gaps.ts';
import { ownServices } from '../../support/service/own-services.ts';
import { createWorld, ok } from '../../support/service/world.ts';

const make = ownServices();
/** A bulk without a key takes 8 to 20 ms, one with a key up to 28. All items in one turn took 26 to 89 ms. */
const MAX_GAP_MS = 30;
const TRIES = 4;
const ITEMS = 100;
const MOST_BYTES = 1_048_576;
const MOST_VALUES = 32_768;

/** The largest bodies of 100 records that are taken, each with content that takes long in another step. */
const BODIES = [
  ...contents(MOST_BYTES / ITEMS - 60, MOST_VALUES / ITEMS + 180),
  ['short texts', JSON.stringify(Array.from({ length: 300 }, (_, at) => `value ${at}`))] as const,
  ['nothing', '[]'] as const,
].map(([name, content]) => {
  const criteria = content.startsWith('[') ? `{"values":${content}}` : content;
  const item = `{"type":"open","criteria":${criteria}}`;
  return { name, body: Buffer.from(`[${Array(ITEMS).fill(item).join(',')}]`) };
});

it(`a bulk of ${ITEMS} records holds the event loop for less than ${MAX_GAP_MS} ms at a time`, async () => {
  const { directory } = make();
  const gaps = join(directory, 'gaps');
  const service = make({ GRPC_PORT: 'off', ...reportingGapsInto(gaps) }, directory);
  const { apiKey } = await service.bootstrap();
  await service.start();
  const { admin, principal } = await createWorld(service.url, apiKey);
  const schema = { type: 'object' };
  const type = { type: 'open', criteriaSchema: schema, completionSchema: schema };
  await ok(admin.post('/v1/schemas', type));
  // By the answer to a later request the gap before is in the file.
  const settle = async (): Promise<void> => {
    for (let turns = 0; turns < 3; turns++) await send(service.url, null, '/livez');
  };
  const statuses = new Map<string, number>();
  const best = new Map<string, number>();
  for (let tries = 0; tries < TRIES; tries++)
    for (const isKeyed of [false, true])
      for (const { name, body } of BODIES) {
        const called = isKeyed ? `${name}, with a key` : name;
        const extra: { [header: string]: string } = isKeyed
          ? { 'idempotency-key': `${name} ${tries}` }
          : {};
        await settle();
        takeLongestGap(gaps);
        const { key } = principal.client;
        statuses.set(called, await send(service.url, key, '/v1/records/bulk', body, 'POST', extra));
        await settle();
        const gap = takeLongestGap(gaps);
        const held = gap < MAX_GAP_MS ? gap : gap / slowness();
        best.set(called, Math.min(best.get(called) ?? Infinity, held));
      }
  expect([...statuses.values()].filter((status) => status === 207).length).toBe(18);
  expect([...best].filter(([, gap]) => gap >= MAX_GAP_MS)).toEqual([]);
});
