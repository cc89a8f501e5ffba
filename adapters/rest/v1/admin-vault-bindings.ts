import {
  listSigningKeys,
  rotateSigningKey,
} from '../../../application/vault/signing-key-operations.ts';
import { bind, type RestBinding } from '../binding.ts';

const KEYS = '/v1/admin/vault/signing-keys';

/** The vault, for the operator. */
export const adminVaultBindings: readonly RestBinding[] = [
  bind(listSigningKeys, { method: 'GET', path: KEYS }),
  bind(rotateSigningKey, { method: 'POST', path: `${KEYS}/rotate` }),
];
