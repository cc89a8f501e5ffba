import { describe, expect, it } from 'vitest';
import { useApi } from '../../support/service/api.ts';
import { busyMs, send, slowness } from '../../support/service/event-loop-gap.ts';
import { contents } from '../../support/attackers/hostile-bodies.ts';

/** Few large requests of one caller do not take the service from the others. */
const api = useApi();
const ROUND_MS = 1_500;
const A_SECOND = 5;
const TRIES = 5;

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const MEMBERS = contents(1_048_000, 32_768)[0]![1];
const MANY_MEMBERS = bytes(MEMBERS);
const LARGE_CRITERIA = bytes(`{"type":"note","criteria":${MEMBERS}}`);
const UNKNOWN = bytes(contents(65_400, 32_768)[0]![1]);

const note = bytes(JSON.stringify({ type: 'note', criteria: { n: 1 } }));

/** What this thread spends on one request, in ms of the core of the bounds; the best of some. */
const costOf = async (request: () => Promise<number>): Promise<number> => {
  let best = Infinity;
  for (let tries = 0; tries < TRIES; tries++) {
    const before = busyMs();
    // The attack is what it is meant to be, and no refusal of its credential.
    expect([201, 400]).toContain(await request());
    best = Math.min(best, busyMs() - before);
  }
  return best / slowness();
};

/** Every request of the attack takes turns with those of others, so what it spends is what others lose. */
describe(`${A_SECOND} requests a second leave at least half of the thread to others`, () => {
  it.each<[string, () => Promise<number>]>([
    [
      'without a credential: a body of unknown members',
      () => send(api.world.url, null, '/v1/auth/oidc/cert', UNKNOWN),
    ],
    [
      'with a key: 1 MiB of unknown members',
      () => send(api.world.url, api.world.principal.client.key, '/v1/records', MANY_MEMBERS),
    ],
    [
      'with a key: criteria of 1 MiB',
      () => send(api.world.url, api.world.principal.client.key, '/v1/records', LARGE_CRITERIA),
    ],
  ])('%s', async (_name, request) => {
    expect(await costOf(request)).toBeLessThan(500 / A_SECOND);
  });
});

it('five requests a second without a credential leave others at least half of their calls', async () => {
  const { url, performer } = api.world;
  const during = async (attack: (until: number) => Promise<unknown>): Promise<number> => {
    const until = performance.now() + ROUND_MS;
    let done = 0;
    const caller = async (): Promise<void> => {
      while (performance.now() < until)
        if ((await send(url, performer.client.key, '/v1/records', note)) === 201) done++;
    };
    await Promise.all([attack(until), ...Array.from({ length: 4 }, caller)]);
    return done;
  };
  const attack = async (until: number): Promise<void> => {
    const sent: Promise<number>[] = [];
    while (performance.now() < until) {
      sent.push(send(url, null, '/v1/auth/oidc/cert', UNKNOWN));
      await new Promise((resolve) => setTimeout(resolve, 1_000 / A_SECOND));
    }
    expect(new Set(await Promise.all(sent))).toEqual(new Set([400]));
  };
  let share = 0;
  for (let tries = 0; tries < TRIES && share < 0.5; tries++) {
    const alone = await during(() => Promise.resolve());
    share = Math.max(share, (await during(attack)) / alone);
  }
  expect(share).toBeGreaterThanOrEqual(0.5);
});
