import { NotaryError } from '../kernel/errors.ts';
import type { DeliveryScheme } from './delivery-signature.ts';
import { listsSettlement } from './subscription.ts';

/**
 * How a new subscription is signed: as it asks; where it lists settlement events, by the key of the vault; else by a secret.
 *
 * @param usable of the vault key that is active.
 * @throws UNPROCESSABLE with `allowedValues` where the hub does not hold the algorithm that was asked for.
 */
export const chooseScheme = (
  asked: DeliveryScheme | undefined,
  eventTypes: readonly string[],
  usable: DeliveryScheme,
): DeliveryScheme => {
  if (asked === undefined) return listsSettlement(eventTypes) ? usable : 'hmac';
  if (asked === 'hmac' || asked === usable) return asked;
  throw new NotaryError(
    'UNPROCESSABLE',
    `The hub holds no key for ${asked}: its active signing key signs by ${usable}.`,
    {
      allowedValues: ['hmac', usable],
      suggestion: `Send signingAlg hmac or ${usable}, or leave it out.`,
    },
  );
};
