import { expect, it } from 'vitest';
import { OfferQuota, OFFERS_AN_HOUR } from '../../../application/federation/offer-quota.ts';
import { NotaryError } from '../../../domain/kernel/errors.ts';

const [ONE, OTHER] = [
  '019c1f00-0000-7000-8000-000000000001',
  '019c1f00-0000-7000-8000-000000000002',
];

const refusalOf = (act: () => void): NotaryError | null => {
  try {
    act();
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(NotaryError);
    return error as NotaryError;
  }
};

it('holds a peer that offers without end, and no other, until its hour is over', () => {
  let now = 5_000;
  const quota = new OfferQuota(() => now);
  for (let offer = 0; offer < OFFERS_AN_HOUR; offer++) quota.take(ONE);
  now += 600_000;
  const refused = refusalOf(() => quota.take(ONE));
  expect(refused?.entry.kind).toBe('rate-limited');
  expect(refused?.members.retryAfter).toBe(3_000);
  expect(refusalOf(() => quota.take(OTHER))).toBeNull();
  now += 2_999_999;
  expect(refusalOf(() => quota.take(ONE))?.members.retryAfter).toBe(1);
  now += 1;
  expect(refusalOf(() => quota.take(ONE))).toBeNull();
});
