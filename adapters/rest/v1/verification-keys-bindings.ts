import { listVerificationKeys } from '../../../application/vault/operations.ts';
import { bind, type RestBinding } from '../binding.ts';

/** The public keys of the vault, under both of their addresses. */
export const verificationKeyBindings: readonly RestBinding[] = [
  bind(listVerificationKeys, { method: 'GET', path: '/v1/verification-keys' }),
  bind(listVerificationKeys, {
    method: 'GET',
    path: '/.well-known/service-vault-keys.json',
    operationId: 'wellKnownVaultKeys',
    summary: 'The same keys, at a well-known address',
    description: listVerificationKeys.words.description ?? '',
  }),
];
