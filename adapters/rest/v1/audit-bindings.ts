import { exportAudit } from '../../../application/audit/operations.ts';
import { bind, type RestBinding } from '../binding.ts';
import { JSON_FORM } from '../form.ts';
import { CSV_EXPORT, NDJSON_EXPORT } from './audit-export-forms.ts';

/** Exports for offline verification. */
export const auditBindings: readonly RestBinding[] = [
  bind(exportAudit, {
    method: 'GET',
    path: '/v1/records/{recordId}/audit-export',
    forms: [JSON_FORM, NDJSON_EXPORT, CSV_EXPORT],
  }),
];
