import { decodeBase64Strict } from '../../../domain/kernel/base64.ts';
import { sha256Hex } from '../../../domain/kernel/digest.ts';
import type { NotaryClient } from '../../client/notary-client.ts';
import { ShellError } from './shell-error.ts';

/**
 * The fingerprint of the signing key that a service shows now.
 *
 * @param expected which must be among its keys, obtained another way
 * @throws ShellError where it is not
 */
export const signingKeyOf = async (
  client: NotaryClient,
  expected: string | null,
): Promise<string> => {
  const { data } = await client.verificationKeys();
  const shown = data.map(({ publicKey, status }) => ({
    status,
    fingerprint: sha256Hex(new Uint8Array(decodeBase64Strict(publicKey) ?? [])),
  }));
  if (expected !== null) {
    if (shown.some(({ fingerprint }) => fingerprint === expected)) return expected;
    throw new ShellError(
      `The service does not sign with sha256:${expected}. It is another service, or somebody stands between: its keys are ${shown.map(({ fingerprint }) => `sha256:${fingerprint}`).join(', ')}.`,
      1,
    );
  }
  const active = shown.find(({ status }) => status === 'active');
  if (!active) throw new ShellError('The service shows no active signing key.', 1);
  return active.fingerprint;
};
