import type { DeliveryScheme } from '../../domain/delivery/delivery-signature.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';

/** One attempt to deliver an event. */
export interface AttemptToSign {
  readonly deliveryId: Uuid;
  readonly eventId: Uuid;
  readonly eventType: string;
  readonly eventSequence: number;
  /** As it is sent, byte for byte. */
  readonly body: Uint8Array;
  /** ISO 8601. Signatures say it in whole seconds. */
  readonly at: string;
  readonly scheme: DeliveryScheme;
  /** Of the hmac scheme, newest first: one, or two within the grace of a rotation. The others need none. */
  readonly secrets: readonly string[];
}

/** Signs deliveries, each attempt anew. */
export interface SignDelivery {
  /**
   * The headers that name and sign an attempt, by their names on the wire. The signature covers the id of the event and
   * the body; type and sequence stand in the body, and in no header, because a header would not be signed.
   *
   * The RFC 9421 schemes sign with the key that is active when this is asked. It is not locked. Where another node rotates
   * at the same moment, receivers hold the `created` of the signature against the time at which the key was retired: so
   * `at` is taken before the look at which key is active.
   *
   * @throws DeliverySigningError where the active key is of another algorithm than the scheme.
   * @throws SERVICE_UNAVAILABLE where the key cannot be reached.
   */
  headersOf(attempt: AttemptToSign): Promise<Record<string, string>>;
}

/** No signature of the scheme can be made: the vault key is of another algorithm. It is no reason to try again. */
export class DeliverySigningError extends Error {
  override readonly name = 'DeliverySigningError';
  readonly code = 'signing_algorithm_unavailable';

  constructor(
    readonly scheme: DeliveryScheme,
    readonly usable: DeliveryScheme,
  ) {
    super(`the active signing key cannot sign by ${scheme}, but by ${usable}`);
  }
}
