import { decodeBase64Strict } from '../kernel/base64.ts';
import { NotaryError } from '../kernel/errors.ts';
import type { Uuid } from '../kernel/ids.ts';
import { VerifyingKeys, verifySignature } from '../vault/signatures.ts';
import { verifyingKeyOf, type AgentPublicKey } from './agent-public-key.ts';

/**
 * The text that the holder of a key signs to register it for an agent. It names the agent, and it
 * differs from everything else that a key signs.
 */
export const possessionText = (agentId: Uuid, thumbprint: string): string =>
  `service.agent-key.v1\n${agentId}\n${thumbprint}`;

/**
 * Checks a signature by the key itself, so that nobody can register somebody else's key.
 *
 * @param thumbprint as the service shows it for this kind of key.
 * @param proof base64 of the raw signature, 64 bytes: for P-256 r‖s over the SHA-256.
 * @throws UNPROCESSABLE
 */
export const assertPossession = async (
  key: AgentPublicKey,
  agentId: Uuid,
  thumbprint: string,
  proof: string,
): Promise<void> => {
  const text = possessionText(agentId, thumbprint);
  if (key.curve === 'X25519')
    throw unproven(
      'An X25519 key signs nothing, so there can be no such proof.',
      'Leave proofOfPossession out.',
    );
  const signature = decodeBase64Strict(proof);
  const result = signature
    ? await verifySignature(
        new VerifyingKeys().of(verifyingKeyOf(key)),
        signature,
        new TextEncoder().encode(text),
        'any',
      )
    : 'invalid';
  if (result === 'unsupported')
    throw new NotaryError(
      'UNPROCESSABLE',
      `This installation cannot check signatures on ${key.curve}.`,
      { suggestion: 'Register a key on another curve.' },
    );
  if (result === 'invalid') {
    const form = key.curve === 'P-256' ? 'r and s in 32 bytes each' : 'RFC 8032';
    throw unproven(
      `The proof is not a signature by this key, whose thumbprint is ${thumbprint}, for the agent ${agentId}: 64 raw bytes (${form}) in base64.`,
      `Sign the UTF-8 bytes of ${JSON.stringify(text)} with the private key.`,
    );
  }
};

const unproven = (detail: string, suggestion: string): NotaryError =>
  new NotaryError('UNPROCESSABLE', detail, {
    errors: [
      {
        path: '/proofOfPossession',
        keyword: 'signature',
        message: 'does not show possession of the key',
      },
    ],
    suggestion,
  });
