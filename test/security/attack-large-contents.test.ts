import { expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { longestGap, send } from '../support/event-loop-gap.ts';
import { ok } from '../support/world.ts';

const MAX_GAP_MS = 50;
const api = useApi();
const large = (seed: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Array.from({ length: 30_000 }, (_, at) => [`${seed}${at}`, 'v'.repeat(20)]));

it('no call on a record with large criteria and a large counter-proposal holds the thread', async () => {
  const { admin, principal, performer, url } = api.world;
  await ok(
    admin.post('/v1/schemas', {
      type: 'open-job',
      criteriaSchema: { type: 'object' },
      completionSchema: { type: 'object' },
    }),
  );
  const { id } = await ok(
    principal.client.post('/v1/records', {
      type: 'open-job',
      criteria: large('a'),
      performerAgentId: performer.id,
    }),
  );
  const path = `/v1/records/${String(id)}`;
  await ok(performer.client.post(`${path}/counter-propose`, { criteria: large('b') }));
  const bytes = (body: object): Uint8Array => Buffer.from(JSON.stringify(body));
  const calls: readonly [string, Uint8Array | undefined][] = [
    [path, undefined],
    [`${path}/audit-export`, undefined],
    [`${path}/references`, bytes({ kind: 'url', uri: 'https://a.example/x', label: 'x' })],
    [`${path}/accept-counter`, bytes({})],
    [`${path}/cancel`, bytes({})],
  ];
  const found: string[] = [];
  for (const [at, body] of calls) {
    let status = 0;
    const gap = await longestGap(async () => {
      status = await send(url, String(principal.client.key), at, body);
    });
    if (gap >= MAX_GAP_MS)
      found.push(`${at.replace(String(id), '{id}')} ${status}: ${Math.round(gap)} ms`);
  }
  expect(found).toEqual([]);
}, 60_000);
