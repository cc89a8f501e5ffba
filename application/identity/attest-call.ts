import type { Caller } from '../../domain/identity/caller.ts';
import type { CoSignature } from '../../domain/identity/co-signature.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { IdSource } from '../../domain/kernel/ids.ts';
import type { Attempt, Attested, CallAttester } from '../call/attested.ts';
import type { Operation, Target } from '../call/operation.ts';
import type { Proofs } from '../call/proofs.ts';
import type { CoSignatureDemands, Demanded } from './co-signature-demands.ts';
import type { VerifyCoSignature } from './verify-co-signature.ts';
import type { VerifySubjectToken } from './verify-subject-token.ts';

/** Checks everything that a caller signed, or had signed, about one call. */
export class AttestCall implements CallAttester {
  /** Of proofs that several operations share: a nonce is good once. */
  private readonly verified = new WeakMap<Proofs, Promise<Verified>>();

  constructor(
    private readonly coSignatures: Pick<VerifyCoSignature, 'verify'>,
    private readonly subjectTokens: Pick<VerifySubjectToken, 'verify'>,
    private readonly demands: Pick<CoSignatureDemands, 'of'>,
    private readonly ids: IdSource,
  ) {}

  async attest(caller: Caller, proofs: Proofs | null, attempt: Attempt): Promise<Attested> {
    const { cert } = caller;
    const { effect } = attempt;
    const demanded = await this.demands.of(caller);
    if (demanded.demand !== 'none') assertCanSign(demanded, caller, attempt);
    const block = proofs ? await this.coSignatureOf(proofs, caller, attempt) : null;
    if (cert) assertDemanded(demanded, block, proofs, attempt);
    const token = proofs?.subjectToken;
    const onBehalfOf = token ? await this.subjectTokens.verify(token, caller) : null;
    return {
      ...(proofs && block && effect === 'write'
        ? { coSigned: { id: this.ids.next(), block, body: proofs.bytes } }
        : {}),
      ...(onBehalfOf ? { onBehalfOf } : {}),
    };
  }

  private coSignatureOf(proofs: Proofs, { cert }: Caller, attempt: Attempt): Promise<Verified> {
    const boundKey = cert && { certId: cert.id, publicKey: cert.publicKey };
    const verify = (as: Operation['effect']): Promise<Verified> =>
      this.coSignatures.verify(proofs.coSignatures(), proofs.bytes, boundKey, as, attempt);
    if (!proofs.isShared) return verify(attempt.effect);
    // A later operation may write, and seal the nonce.
    const verified = this.verified.get(proofs) ?? verify('write');
    this.verified.set(proofs, verified);
    return verified;
  }
}

type Verified = CoSignature | null;

/** A signature over the body says nothing of a read, which has none. */
const isDue = ({ demand }: Demanded, { effect }: Attempt): boolean =>
  demand === 'request' || (demand === 'body' && effect === 'write');

/**
 * A credential that is bound to no key can co-sign nothing. What it may still do is to govern: else an org that demands
 * co-signatures could never take its demand back, nor let anybody in who meets it.
 */
const assertCanSign = (demanded: Demanded, caller: Caller, attempt: Attempt): void => {
  if (caller.cert || !isDue(demanded, attempt) || attempt.governs) return;
  throw new NotaryError(
    'FORBIDDEN',
    `The org of this credential demands that requests are co-signed (settings.requireCoSignature: ${demanded.demand}), and ${caller.authType === 'oidc' ? 'the token of an administrator' : 'an API key'} is bound to no key that it could be signed with.`,
    {
      reason: 'co_signature_required',
      suggestion:
        'Act as an agent with a certificate (POST /v1/auth/oidc/cert), which is bound to a key, and co-sign each request with it. An administrator of the org, or the platform, can change the demand at PATCH /v1/admin/orgs/{id}.',
    },
  );
};

const assertDemanded = (
  demanded: Demanded,
  given: CoSignature | null,
  proofs: Proofs | null,
  attempt: Attempt,
): void => {
  if (!isDue(demanded, attempt)) return;
  const whose = demanded.by === 'org' ? 'The org' : 'The issuer of this certificate';
  if (!given)
    throw missing(
      `${whose} demands that each request is co-signed by the key of the certificate${demanded.demand === 'request' ? ', reads as well as writes' : ''}.`,
    );
  if (given.coverage === 'request') return;
  if (demanded.demand === 'request')
    throw missing(
      `${whose} demands a signature over the whole request (RFC 9421), not over its body alone.`,
    );
  const target = attempt.target();
  if (target === null)
    throw unbound(
      'The co-signature covers the body alone, and the body of a creation names no record yet: it would fit a second one as well.',
      'Sign the whole request (RFC 9421).',
    );
  if (proofs && target.kind === 'record' && !namesTarget(proofs.bytes, target))
    throw unbound(
      'The co-signature covers the body alone, and the body names neither the record nor the completion that it is for: it would fit any other as well.',
      'Sign the whole request (RFC 9421), or name the id of the record in the body.',
    );
};

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

const unbound = (detail: string, suggestion: string): NotaryError =>
  new NotaryError('VALIDATION_ERROR', detail, { reason: 'co_signature_unbound', suggestion });

const missing = (detail: string): NotaryError =>
  new NotaryError('UNAUTHORIZED', detail, {
    reason: 'co_signature_required',
    suggestion: 'Sign the request with the key of the certificate.',
  });
