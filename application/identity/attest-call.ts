import type { Caller, CallContext } from '../../domain/identity/caller.ts';
import type {
  CertReads,
  TrustedIssuerReads,
} from '../../domain/identity/certificate-store.port.ts';
import type { KeyVault } from '../../domain/identity/identity-store.port.ts';
import type { CoSignature } from '../../domain/identity/co-signature.ts';
import type { TrustedIssuer } from '../../domain/identity/trusted-issuer.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { isGenuineIssuer } from './genuine-issuer.ts';
import type { SignedCall, VerifyCoSignature } from './verify-co-signature.ts';
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
    private readonly keyVault: KeyVault,
  ) {}

  /** @throws UNAUTHORIZED where something is given that does not hold, or is missing where the issuer demands it. */
  async attest(caller: Caller, call: SignedCall): Promise<Attested> {
    const { cert } = caller;
    const coSignature = await this.coSignatures.verify(
      call,
      cert && { certId: cert.id, publicKey: cert.publicKey },
    );
    if (cert && !SAFE_METHODS.has(call.method))
      assertDemanded(await this.demandOf(cert.id), coSignature, call);
    const token = call.header('x-service-subject-token');
    const onBehalfOf = token === undefined ? null : await this.subjectTokens.verify(token, caller);
    return { ...(coSignature ? { coSignature } : {}), ...(onBehalfOf ? { onBehalfOf } : {}) };
  }

  private async demandOf(certId: string): Promise<TrustedIssuer['requireCoSignature']> {
    const issuerId = (await this.certs.find(certId))?.issuerId;
    const issuer = issuerId ? await this.issuers.find(issuerId) : null;
    // What an edited row demanded before is not known, so the strictest demand holds.
    return issuer && isGenuineIssuer(this.keyVault, issuer) ? issuer.requireCoSignature : 'request';
  }
}

/** They change nothing (RFC 9110 section 9.2.1). */
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

const assertDemanded = (
  demand: TrustedIssuer['requireCoSignature'],
  given: CoSignature | null,
  call: SignedCall,
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
  if (!namesItsTarget(call)) {
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

/** A body that creates something has no target yet. */
const namesItsTarget = ({ path, body }: SignedCall): boolean => {
  const recordId = /^\/v1\/records\/([0-9a-f-]{36})(?:\/|$)/.exec(path)?.[1];
  if (recordId === undefined) return true;
  return new TextDecoder().decode(body).includes(recordId) || namesCompletion(body);
};

/** At the top, where the route takes it and compares it with the record's own: anywhere else it would bind nothing. */
const namesCompletion = (body: Uint8Array): boolean => {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body));
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
