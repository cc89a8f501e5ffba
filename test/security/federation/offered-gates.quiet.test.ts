import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import { manifestDigest, type Manifest } from '../../../domain/record-type/manifest.ts';
import { ForgedOffers } from '../../support/attackers/forged-bytes.ts';
import { useLyingPair } from '../../support/attackers/lying-pair.ts';
import { longestGap } from '../../support/service/event-loop-gap.ts';

// Home is the attacker: its keys are genuine, and it offers a record of a type that no hub would register.
describe('an offer with 1,000 gates', () => {
  const hubs = useLyingPair();
  let offers: ForgedOffers;
  beforeAll(async () => {
    offers = await ForgedOffers.by(hubs().home, hubs().far, hubs().pair);
  });

  // Registration allows 64 gates. To compile 1,000 of them would keep others waiting for seconds, at the price of one call.
  it('is refused without keeping others waiting', async () => {
    const gates: JsonObject[] = Array.from({ length: 1_000 }, (_, n) => ({
      id: `g${n}`,
      description: '',
      expression: `evidence.score > ${n}${' && evidence.score > 1'.repeat(90)}`,
      severity: 'block',
    }));
    const { content } = offers.liar.first;
    const manifest: JsonObject = { ...content.manifest!, gates };
    const digest = manifestDigest(manifest as unknown as Manifest);
    const message = await offers.message(
      (predicate) => ({
        ...predicate,
        schema: { ...(predicate['schema'] as JsonObject), manifestDigest: digest },
      }),
      { manifest, items: content.items as never },
    );
    const gap = await longestGap(async () => {
      expect((await offers.liar.send(message)).status).toBe(422);
    });
    expect(gap).toBeLessThan(250);
  });
});
