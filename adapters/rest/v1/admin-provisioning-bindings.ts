import {
  getProvisioningStatus,
  reloadProvisioning,
} from '../../../application/provisioning/operations.ts';
import { bind, type RestBinding } from '../binding.ts';

const PROVISIONING = '/v1/admin/provisioning';

/** Provisioning files, for the operator. */
export const adminProvisioningBindings: readonly RestBinding[] = [
  bind(reloadProvisioning, { method: 'POST', path: `${PROVISIONING}/reload`, status: 200 }),
  bind(getProvisioningStatus, { method: 'GET', path: `${PROVISIONING}/status` }),
];
