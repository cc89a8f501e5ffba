import type { Caller } from '../../domain/identity/caller.ts';
import type {
  CertReads,
  TrustedIssuerReads,
} from '../../domain/identity/certificate-store.port.ts';
import type { ApiKeyHasher } from '../../domain/identity/api-key-hasher.port.ts';
import type { CoSignature } from '../../domain/identity/co-signature.ts';
import type { TrustedIssuer } from '../../domain/identity/trusted-issuer.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { CallContext } from '../call/call-context.ts';
import type { Operation, Target } from '../call/operation.ts';
import type { Proofs } from '../call/proofs.ts';
import { isVerifiedIssuer } from './verified-issuer.ts';
import type { VerifyCoSignature } from './verify-co-signature.ts';
import type { VerifySubjectToken } from './verify-subject-token.ts';

/** What a call proves beyond its credential. */
export type Attested = Pick<CallContext, 'coSignature' | 'onBehalfOf'>;

/** Checks everything that a caller signed, or had signed, about one call. */
export class AttestCall {
  constructor(
    private readonly coSignatures: Pick<VerifyCoSignature, 'verify'>,
    private readonly subjectTokens: Pick<VerifySubjectToken, 'verify'>,
    private readonly certs: CertReads,
    private readonly issuers: TrustedIssuerReads,
    private readonly keyHasher: ApiKeyHasher,
  ) {}

  /**
   * @param target what the call acts on, as far as it is known.
   * @throws UNAUTHORIZED where something is given that does not hold, or is missing where the issuer demands it.
   */
  async attest(
    caller: Caller,
    proofs: Proofs | null,
    effect: Operation['effect'],
    target: () => Target | null,
  ): Promise<Attested> {
    const { cert } = caller;
    const claim = proofs?.coSignature() ?? null;
    const boundKey = cert && { certId: cert.id, publicKey: cert.publicKey };
    const coSignature =
      proofs && claim ? await this.coSignatures.verify(claim, proofs.bytes, boundKey) : null;
    if (cert && effect === 'write')
      assertDemanded(await this.demandOf(cert.id), coSignature, proofs, target());
    const token = proofs?.subjectToken;
    const onBehalfOf = token ? await this.subjectTokens.verify(token, caller) : null;
    return { ...(coSignature ? { coSignature } : {}), ...(onBehalfOf ? { onBehalfOf } : {}) };
  }

  private async demandOf(certId: string): Promise<TrustedIssuer['requireCoSignature']> {
    const issuerId = (await this.certs.find(certId))?.issuerId;
    const issuer = issuerId ? await this.issuers.find(issuerId) : null;
    // What an edited row demanded before is not known, so the strictest demand holds.
    return issuer && isVerifiedIssuer(this.keyHasher, issuer)
      ? issuer.requireCoSignature
      : 'request';
  }
}

const assertDemanded = (
  demand: TrustedIssuer['requireCoSignature'],
  given: CoSignature | null,
  proofs: Proofs | null,
  target: Target | null,
): void => {
  if (demand === 'none') return;
  if (!given)
    throw missing(
      'The issuer of this certificate demands that each request is co-signed by the key of the certificate.',
    );
  if (given.coverage === 'request') return;
  if (demand === 'request')
    throw missing(
      'The issuer of this certificate demands a signature over the whole request (RFC 9421), not over its body alone.',
    );
  if (proofs && target?.kind === 'record' && !namesTarget(proofs.bytes, target)) {
    throw new NotaryError(
      'VALIDATION_ERROR',
      'The co-signature covers the body alone, and the body names neither the record nor the completion that it is for: it would fit any other as well.',
      {
        reason: 'co_signature_unbound',
        suggestion: 'Sign the whole request (RFC 9421), or name the id of the record in the body.',
      },
    );
  }
};

/** What creates something has no target yet. */
const namesTarget = (bytes: Uint8Array, { id }: Target): boolean => {
  const text = new TextDecoder().decode(bytes);
  return text.includes(id.toLowerCase()) || namesCompletion(text);
};

/** At the top, where the operation takes it and compares it with the record's own: anywhere else it would bind nothing. */
const namesCompletion = (text: string): boolean => {
  try {
    const value: unknown = JSON.parse(text);
    return (
      typeof value === 'object' &&
      value !== null &&
      'completionId' in value &&
      typeof value.completionId === 'string'
    );
  } catch {
    return false;
  }
};

const missing = (detail: string): NotaryError =>
  new NotaryError('UNAUTHORIZED', detail, {
    reason: 'co_signature_required',
    suggestion: 'Sign the request with the key of the certificate.',
  });
