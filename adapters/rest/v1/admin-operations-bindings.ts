import {
  getOpsSummary,
  getSupportBundle,
  getSystemHealth,
} from '../../../application/operations/health-operations.ts';
import { bind, type RestBinding } from '../binding.ts';

/** How the service does, for its operator. */
export const adminOperationsBindings: readonly RestBinding[] = [
  bind(getSystemHealth, { method: 'GET', path: '/v1/admin/system-health' }),
  bind(getSupportBundle, { method: 'GET', path: '/v1/admin/support-bundle' }),
  bind(getOpsSummary, { method: 'GET', path: '/v1/admin/ops-summary' }),
];
