import {
  algFitsKey,
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
import type { Traced } from '../ports/tracer.port.ts';
import { DuplicateError, type UnitOfWork } from '../ports/unit-of-work.port.ts';

/** The key that a caller's credential is bound to. */
export interface BoundKey {
  readonly certId: Uuid;
  /** Ed25519, 32 bytes. */
  readonly publicKey: Uint8Array;
}

/**
 * A signature over a whole request is taken this long after it was made, and so long before, s. A verifier allows 300
 * from `created` to the time that the entry seals; the rest is for what the call waits for.
 */
const FRESH_SECONDS = 240;
const SKEW_SECONDS = 60;

/** What was sealed stays, so its nonce is spent for as long. */
const FOR_EVER = '9999-12-31T23:59:59.999Z';

/** Checks what a caller signed of its own request with the key that its certificate is bound to. */
export class VerifyCoSignature {
  private readonly keys = new VerifyingKeys();

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Whatever was sent has to hold.
   *
   * @param claims in the order in which they count: the first is the one to seal.
   * @param bytes the input as it was sent.
   * @returns null where nothing was sent.
   * @throws UNAUTHORIZED where a co-signature does not hold, or there is no key that it could be by.
   */
  async verify(
    claims: readonly CoSignatureClaim[],
    bytes: Uint8Array,
    bound: BoundKey | null,
    effect: 'read' | 'write',
    call?: Traced,
  ): Promise<CoSignature | null> {
    const blocks: CoSignature[] = [];
    for (const claim of claims) {
      if (!bound)
        throw coSignatureRefused(
          'A co-signature needs a certificate: the credential of this call is bound to no key.',
        );
      assertCovers(claim, bytes);
      const { certId, publicKey } = bound;
      const block = { ...claim, certId, publicKey: encodeBase64Url(publicKey) };
      await this.assertHolds(block);
      blocks.push(block);
    }
    // After all of them hold, so that a refusal spends no nonce.
    for (const block of blocks)
      if (block.coverage === 'request') await this.assertFresh(block, effect, call);
    return blocks[0] ?? null;
  }

  private async assertHolds(block: CoSignature): Promise<void> {
    const input = block.coverage === 'request' ? parseSignatureInput(block.signatureInput) : null;
    if (input && !algFitsKey(input))
      throw coSignatureRefused(
        'The alg parameter of the signature does not fit the key of the certificate: it is ed25519, or left out.',
      );
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

  /** Made just now, and with a nonce that no request has had before. */
  private async assertFresh(
    { signatureInput }: RequestCoSignature,
    effect: 'read' | 'write',
    call: Traced | undefined,
  ): Promise<void> {
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
    // Whatever the key: a verifier takes one nonce under two keys, or in two requests, for a signature that was moved.
    // So a party that used the nonce of another would spoil the export of both.
    const spent = sha256(new TextEncoder().encode(JSON.stringify([CO_SIGNATURE_TAG, nonce])));
    try {
      await this.unitOfWork.transaction(
        (stores) =>
          stores.certs.spend(
            spent,
            effect === 'write'
              ? FOR_EVER
              : new Date((created + FRESH_SECONDS + SKEW_SECONDS) * 1000).toISOString(),
          ),
        call,
      );
    } catch (error) {
      throw error instanceof DuplicateError
        ? coSignatureRefused(
            'The nonce of the signature was used before. Take at least 16 random characters for each request.',
          )
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
