import { exportAudit } from '../../../application/audit/operations.ts';
import { bind, type RestBinding } from '../binding.ts';

/** Exports for offline verification. */
export const auditBindings: readonly RestBinding[] = [
  bind(exportAudit, { method: 'GET', path: '/v1/records/{recordId}/audit-export' }),
];
