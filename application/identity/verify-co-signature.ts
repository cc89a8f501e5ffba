import {
  CO_SIGNATURE_TAG,
  coSignatureParts,
  parseSignatureInput,
  type BodyCoSignature,
  type CoSignature,
  type RequestCoSignature,
} from '../../domain/identity/co-signature.ts';
import { encodeBase64, encodeBase64Url } from '../../domain/kernel/base64.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { sha256, sha256Hex } from '../../domain/kernel/digest.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { KeyError } from '../../domain/vault/cose-key.ts';
import { verifySignature, VerifyingKeys } from '../../domain/verification/signatures.ts';
import { DuplicateError, type UnitOfWork } from '../unit-of-work.port.ts';

/** The key that a caller's credential is bound to. */
export interface BoundKey {
  readonly certId: Uuid;
  /** Ed25519, 32 bytes. */
  readonly publicKey: Uint8Array;
}

/** A request, as far as a caller may sign it. */
export interface SignedCall {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** The URL that the caller sent it to, by the public address of the service. */
  readonly targetUri: string;
  readonly body: Uint8Array;
  /** @param name in lowercase. */
  header(name: string): string | undefined;
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
   * Null where the request carries no co-signature. One over the request is taken before one over the body.
   *
   * @throws UNAUTHORIZED where there is one that does not hold, or no key that it could be by.
   */
  async verify(call: SignedCall, bound: BoundKey | null): Promise<CoSignature | null> {
    const claimed = requestBlock(call, bound) ?? bodyBlock(call, bound);
    if (!claimed) return null;
    await this.assertHolds(claimed);
    if (claimed.coverage === 'request') await this.assertFresh(claimed);
    return claimed;
  }

  private async assertHolds(block: CoSignature): Promise<void> {
    const parts = coSignatureParts(block);
    if (!parts)
      throw refused(
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
    throw refused(
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
      throw refused('The signature of the request must have a nonce of 16 to 256 characters.');
    const now = this.clock.now().getTime() / 1000;
    if (
      typeof created !== 'number' ||
      created > now + SKEW_SECONDS ||
      created < now - FRESH_SECONDS
    )
      throw refused(
        `The signature of the request must have been created within the last ${FRESH_SECONDS} seconds.`,
      );
    if (expires !== undefined && (typeof expires !== 'number' || expires <= now))
      throw refused('The signature of the request has expired, as its own parameter expires says.');
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
        ? refused('The nonce of the signature was used before.')
        : error;
    }
  }
}

/** RFC 9421, beside a Content-Digest (RFC 9530) that fits the body. */
const requestBlock = (call: SignedCall, bound: BoundKey | null): RequestCoSignature | null => {
  const [input, signature] = [call.header('signature-input'), call.header('signature')];
  if (input === undefined && signature === undefined) return null;
  const named = /^([a-z*][a-z0-9_.*-]*)=(.*)$/.exec(input ?? '');
  const value = /^([a-z*][a-z0-9_.*-]*)=:([A-Za-z0-9+/=]+):$/.exec(signature ?? '');
  if (!named || !value || named[1] !== value[1] || !parseSignatureInput(named[2] as string))
    throw refused(
      'Signature-Input and Signature must hold one signature, over "@method", "@target-uri" and "content-digest".',
    );
  const { certId, publicKey } = keyOf(bound);
  const contentDigest = call.header('content-digest');
  if (contentDigest !== `sha-256=:${encodeBase64(sha256(call.body))}:`)
    throw refused('Content-Digest must be the sha-256 of the body as it was sent.');
  return {
    coverage: 'request',
    certId,
    publicKey,
    method: call.method,
    targetUri: call.targetUri,
    contentDigest,
    signatureInput: named[2] as string,
    signature: value[2] as string,
  };
};

const bodyBlock = (call: SignedCall, bound: BoundKey | null): BodyCoSignature | null => {
  const [signature, contentHash] = [
    call.header('x-agent-signature'),
    call.header('x-agent-signature-content-hash'),
  ];
  if (signature === undefined && contentHash === undefined) return null;
  if (signature === undefined || contentHash === undefined)
    throw refused('X-Agent-Signature and X-Agent-Signature-Content-Hash come together.');
  const { certId, publicKey } = keyOf(bound);
  if (contentHash !== sha256Hex(call.body))
    throw refused(
      'X-Agent-Signature-Content-Hash must be the SHA-256 of the body as it was sent, in lowercase hex; without a body that of the empty string.',
    );
  return {
    coverage: 'body',
    certId,
    publicKey,
    method: call.method,
    path: call.path,
    contentHash,
    signature,
  };
};

const keyOf = (bound: BoundKey | null): { readonly certId: Uuid; readonly publicKey: string } => {
  if (!bound)
    throw refused(
      'A co-signature needs a certificate: the credential of this call is bound to no key.',
    );
  return { certId: bound.certId, publicKey: encodeBase64Url(bound.publicKey) };
};

const refused = (detail: string): NotaryError =>
  new NotaryError('UNAUTHORIZED', detail, {
    reason: 'co_signature_invalid',
    suggestion:
      'Sign the request anew with the key of the certificate, or leave the co-signature out.',
  });
