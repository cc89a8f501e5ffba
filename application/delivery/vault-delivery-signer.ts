import {
  ASYMMETRIC_SCHEMES,
  contentDigest,
  DELIVERY_HEADERS,
  hmacHeader,
  signatureBase,
  signatureHeaders,
  type AsymmetricScheme,
} from '../../domain/delivery/delivery-signature.ts';
import { ALGORITHMS } from '../../domain/vault/algorithm.ts';
import type { Vault } from '../sealing/vault.ts';
import {
  DeliverySigningError,
  type AttemptToSign,
  type SignDelivery,
} from './sign-delivery.port.ts';

/** Signs deliveries with the secrets of their subscription, or with the active key of the vault. */
export class VaultDeliverySigner implements SignDelivery {
  constructor(private readonly vault: Pick<Vault, 'seal'>) {}

  async headersOf(attempt: AttemptToSign): Promise<Record<string, string>> {
    const { deliveryId, eventId, scheme, body, secrets } = attempt;
    const at = secondsOf(attempt.at);
    return {
      [DELIVERY_HEADERS.idempotencyKey]: eventId,
      [DELIVERY_HEADERS.delivery]: deliveryId,
      ...(scheme === 'hmac'
        ? { [DELIVERY_HEADERS.signature]: hmacHeader(at, body, secrets) }
        : await this.signed(scheme, eventId, body, at)),
    };
  }

  private async signed(
    scheme: AsymmetricScheme,
    idempotencyKey: string,
    body: Uint8Array,
    created: number,
  ): Promise<Readonly<Record<string, string>>> {
    const { signer } = this.vault.seal;
    if (ASYMMETRIC_SCHEMES[scheme] !== signer.algorithm)
      throw new DeliverySigningError(scheme, ALGORITHMS[signer.algorithm].httpSignature);
    const signed = {
      contentDigest: contentDigest(body),
      idempotencyKey,
      created,
      keyId: signer.keyId,
      scheme,
    };
    return signatureHeaders(signed, await signer.sign(signatureBase(signed)));
  }
}

const secondsOf = (at: string): number => Math.floor(Date.parse(at) / 1000);
