import {
  CO_SIGNATURE_TAG,
  coSignatureParts,
  parseSignatureInput,
  type CoSignature,
  type RequestCoSignature,
} from '../../domain/identity/co-signature.ts';
import { encodeBase64, encodeBase64Url } from '../../domain/kernel/base64.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { sha256, sha256Hex } from '../../domain/kernel/digest.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { KeyError } from '../../domain/vault/cose-key.ts';
import { verifySignature, VerifyingKeys } from '../../domain/vault/signatures.ts';
import type { CoSignatureClaim } from '../call/proofs.ts';
import { DuplicateError, type UnitOfWork } from '../unit-of-work.port.ts';

/** The key that a caller's credential is bound to. */
export interface BoundKey {
  readonly certId: Uuid;
  /** Ed25519, 32 bytes. */
  readonly publicKey: Uint8Array;
}

/** A signature over a whole request is taken this long after it was made, and so long before, s. */
const FRESH_SECONDS = 300;
const SKEW_SECONDS = 60;

/** Checks what a caller signed of its own request with the key that its certificate is bound to. */
export class VerifyCoSignature {
  private readonly keys = new VerifyingKeys();

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * @param bytes the input as it was sent.
   * @throws UNAUTHORIZED where the co-signature does not hold, or there is no key that it could be by.
   */
  async verify(
    claim: CoSignatureClaim,
    bytes: Uint8Array,
    bound: BoundKey | null,
  ): Promise<CoSignature> {
    if (!bound)
      throw coSignatureRefused(
        'A co-signature needs a certificate: the credential of this call is bound to no key.',
      );
    assertCovers(claim, bytes);
    const block = {
      ...claim,
      certId: bound.certId,
      publicKey: encodeBase64Url(bound.publicKey),
    };
    await this.assertHolds(block);
    if (block.coverage === 'request') await this.assertFresh(block);
    return block;
  }

  private async assertHolds(block: CoSignature): Promise<void> {
    const parts = coSignatureParts(block);
    if (!parts)
      throw coSignatureRefused(
        `The co-signature is not 64 bytes in base64 over what it claims to cover, or lacks the tag "${CO_SIGNATURE_TAG}".`,
      );
    try {
      if (
        (await verifySignature(
          this.keys.of({ algorithm: 'Ed25519', raw: parts.key }),
          parts.signature,
          parts.bytes,
        )) === 'valid'
      )
        return;
    } catch (error) {
      if (!(error instanceof KeyError)) throw error;
    }
    throw coSignatureRefused(
      'The co-signature is not one by the key that the certificate is bound to, over this request.',
    );
  }

  /** Made just now, and never seen before: a nonce is spent for as long as the signature would be taken. */
  private async assertFresh({ signatureInput, publicKey }: RequestCoSignature): Promise<void> {
    const parameters = parseSignatureInput(signatureInput)?.parameters;
    const [created, nonce, expires] = [
      parameters?.get('created'),
      parameters?.get('nonce'),
      parameters?.get('expires'),
    ];
    if (typeof nonce !== 'string' || nonce.length < 16 || nonce.length > 256)
      throw coSignatureRefused(
        'The signature of the request must have a nonce of 16 to 256 characters.',
      );
    const now = this.clock.now().getTime() / 1000;
    if (
      typeof created !== 'number' ||
      created > now + SKEW_SECONDS ||
      created < now - FRESH_SECONDS
    )
      throw coSignatureRefused(
        `The signature of the request must have been created within the last ${FRESH_SECONDS} seconds.`,
      );
    if (expires !== undefined && (typeof expires !== 'number' || expires <= now))
      throw coSignatureRefused(
        'The signature of the request has expired, as its own parameter expires says.',
      );
    // By the key: another certificate of the same key would let the same signature in again.
    const spent = sha256(
      new TextEncoder().encode(JSON.stringify([CO_SIGNATURE_TAG, publicKey, nonce])),
    );
    try {
      await this.unitOfWork.transaction((stores) =>
        stores.certs.spend(
          spent,
          new Date((created + FRESH_SECONDS + SKEW_SECONDS) * 1000).toISOString(),
        ),
      );
    } catch (error) {
      throw error instanceof DuplicateError
        ? coSignatureRefused('The nonce of the signature was used before.')
        : error;
    }
  }
}

/** What the co-signature says of the body must fit the body as it was sent. */
const assertCovers = (claim: CoSignatureClaim, bytes: Uint8Array): void => {
  if (claim.coverage === 'request') {
    if (claim.contentDigest !== `sha-256=:${encodeBase64(sha256(bytes))}:`)
      throw coSignatureRefused('Content-Digest must be the sha-256 of the body as it was sent.');
  } else if (claim.contentHash !== sha256Hex(bytes)) {
    throw coSignatureRefused(
      'The content hash of a co-signature must be the SHA-256 of the body as it was sent, in lowercase hex; without a body that of the empty string.',
    );
  }
};

export const coSignatureRefused = (detail: string): NotaryError =>
  new NotaryError('UNAUTHORIZED', detail, {
    reason: 'co_signature_invalid',
    suggestion:
      'Sign the request anew with the key of the certificate, or leave the co-signature out.',
  });
