import type { Static } from 'typebox';
import { publicKeyOfJwk } from '../../domain/identity/agent-key-input.ts';
import { jwkThumbprint, type AgentPublicKey } from '../../domain/identity/agent-public-key.ts';
import { decodeBase64Strict } from '../../domain/kernel/base64.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { verifySignature, type VerifyingKeys } from '../../domain/vault/signatures.ts';
import type { ExchangeTokenInput } from './certificate-inputs.ts';
import { tokenRefused } from './token-refusal.ts';

type Sent = Pick<Static<typeof ExchangeTokenInput>, 'publicKeyJwk' | 'proofOfPossession'>;

/**
 * The key that a certificate is to be bound to, of which the caller shows that it holds the private one.
 *
 * @throws VALIDATION_ERROR with reason proof_invalid.
 */
export const provenKey = async (
  { publicKeyJwk, proofOfPossession }: Sent,
  subject: string,
  verifyingKeys: VerifyingKeys,
): Promise<AgentPublicKey> => {
  const key = ed25519KeyOf(publicKeyJwk);
  const signature = decodeBase64Strict(proofOfPossession);
  const text = certPossessionText(subject);
  const isProven =
    signature &&
    (await verifySignature(
      verifyingKeys.of({ algorithm: 'Ed25519', raw: key.raw }),
      signature,
      new TextEncoder().encode(text),
    )) === 'valid';
  if (!isProven)
    throw tokenRefused(
      'proof_invalid',
      `proofOfPossession is not a signature by publicKeyJwk, whose thumbprint is ${jwkThumbprint(key)}, over the prefix and the sub of the token: 64 raw bytes in base64.`,
      {
        suggestion: `Sign the UTF-8 bytes of ${JSON.stringify(text)} with the private key.`,
        errors: [
          {
            path: '/proofOfPossession',
            keyword: 'signature',
            message: 'does not show possession of the key',
          },
        ],
      },
    );
  return key;
};

/** It shows possession; it does not stop whoever stole the token before it was exchanged. */
const certPossessionText = (subject: string): string => `service.oidc.cert.v1\n${subject}`;

const ed25519KeyOf = (jwk: { readonly [member: string]: unknown }): AgentPublicKey => {
  try {
    const key = publicKeyOfJwk(jwk, 'signing');
    if (key.curve === 'Ed25519') return key;
  } catch (cause) {
    if (!(cause instanceof NotaryError)) throw cause;
    throw tokenRefused(
      'proof_invalid',
      cause.message,
      {
        ...(cause.members.errors ? { errors: cause.members.errors } : {}),
        ...(cause.members.suggestion ? { suggestion: cause.members.suggestion } : {}),
      },
      { cause },
    );
  }
  throw tokenRefused('proof_invalid', 'The key of a certificate is on Ed25519.', {
    errors: [{ path: '/publicKeyJwk/crv', keyword: 'enum', message: 'is not Ed25519' }],
    suggestion: 'Make an Ed25519 key pair for the certificate.',
  });
};
