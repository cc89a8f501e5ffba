import { afterAll, afterEach, beforeAll, describe, it, vi } from 'vitest';
import { FederatedParties } from '../../application/federation/federated-parties.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { FederatedStory } from '../support/federated-story.ts';
import { until } from '../support/hub-pair.ts';
import { LyingPair } from '../support/lying-pair.ts';
import { ok } from '../support/world.ts';

let hubs: LyingPair;
beforeAll(async () => {
  hubs = await LyingPair.open();
}, 60_000);
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(() => hubs?.close());

/** Home names its principal with these keys, which every step of the mirror repeats. */
const withKeys = (keys: JsonObject): void => {
  const parties = hubs.home[0].part(FederatedParties);
  const of = parties.of.bind(parties);
  vi.spyOn(parties, 'of').mockImplementation(async (...asked) => {
    const said = await of(...asked);
    return { ...said, principal: { ...said.principal, ...keys } };
  });
};

const GENUINE = { kty: 'OKP', crv: 'X25519', x: 'x'.repeat(43) };

describe('a home whose principal has keys that are none', { timeout: 60_000 }, () => {
  it('control: a genuine form is taken', async () => {
    withKeys({ encryptionKeyJwk: GENUINE });
    const story = await hubs.opened();
    await ok(story.onMirror('accept'));
  });

  // So long that the acceptance of the performer can be sealed, and his completion, which is longer, cannot.
  it.each([
    ['one of 60,000 letters', { encryptionKeyJwk: { ...GENUINE, x: 'x'.repeat(60_000) } }],
    ['one with more members', { encryptionKeyJwk: { ...GENUINE, kid: 'x'.repeat(60_000) } }],
    ['many', { signingKeys: Array<JsonObject>(65).fill(GENUINE) }],
  ])('leaves no performer with an agreement that it cannot carry out: %s', async (_name, keys) => {
    withKeys(keys);
    const story = new FederatedStory(hubs.pair);
    await story.propose();
    const letters = () => ok(hubs.pair.home.world.platform.get('/federation/v1/admin/dlq'));
    await until(async () =>
      ((await letters())['data'] as readonly JsonObject[]).some(
        ({ recordId }) => recordId === story.homeId,
      ),
    );
  });
});
