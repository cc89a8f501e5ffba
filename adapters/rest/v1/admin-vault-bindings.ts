import {
  acknowledgeRewind,
  listAnchors,
  listRewinds,
  reconcileAnchors,
  verifyAnchors,
} from '../../../application/vault/anchor-operations.ts';
import {
  listSigningKeys,
  rotateSigningKey,
} from '../../../application/vault/signing-key-operations.ts';
import { getVaultScan, startVaultScan } from '../../../application/vault/scan/scan-operations.ts';
import { bind, type RestBinding } from '../binding.ts';

const KEYS = '/v1/admin/vault/signing-keys';
const ANCHORS = '/v1/admin/vault/anchors';
const REWIND = '/v1/admin/vault/rewind';
const SCAN = '/v1/admin/vault/scan';

/** The vault, for the operator. */
export const adminVaultBindings: readonly RestBinding[] = [
  bind(listSigningKeys, { method: 'GET', path: KEYS }),
  bind(rotateSigningKey, { method: 'POST', path: `${KEYS}/rotate` }),
  bind(listAnchors, { method: 'GET', path: ANCHORS }),
  bind(verifyAnchors, { method: 'POST', path: `${ANCHORS}/verify` }),
  bind(reconcileAnchors, { method: 'POST', path: `${ANCHORS}/reconcile` }),
  bind(listRewinds, { method: 'GET', path: REWIND }),
  bind(acknowledgeRewind, { method: 'POST', path: `${REWIND}/acknowledge` }),
  bind(startVaultScan, { method: 'POST', path: SCAN, status: 202 }),
  bind(getVaultScan, { method: 'GET', path: `${SCAN}/{jobId}` }),
];
