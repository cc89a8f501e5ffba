import { deriveKey } from './derive-key.ts';

/**
 * The keys that seal rows of the database, one for each secret, with a name that does not tell the secret.
 *
 * @param secrets SECRETS_KEY, newest first.
 */
export const rowKeysOf = (
  secrets: readonly Uint8Array[],
): readonly { readonly id: Uint8Array; readonly secret: Uint8Array }[] =>
  secrets.map((secret) => ({
    id: deriveKey(secret, 'service.row-key.id.v1').subarray(0, 8),
    secret: deriveKey(secret, 'service.row-key.v1'),
  }));
