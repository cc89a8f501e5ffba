import {
  listSigningKeys,
  rotateSigningKey,
} from '../../../application/vault/signing-key-operations.ts';
import { getVaultScan, startVaultScan } from '../../../application/vault/scan/scan-operations.ts';
import { bind, type RestBinding } from '../binding.ts';

const KEYS = '/v1/admin/vault/signing-keys';
const SCAN = '/v1/admin/vault/scan';

/** The vault, for the operator. */
export const adminVaultBindings: readonly RestBinding[] = [
  bind(listSigningKeys, { method: 'GET', path: KEYS }),
  bind(rotateSigningKey, { method: 'POST', path: `${KEYS}/rotate` }),
  bind(startVaultScan, { method: 'POST', path: SCAN, status: 202 }),
  bind(getVaultScan, { method: 'GET', path: `${SCAN}/{jobId}` }),
];
