import { listCheckpoints } from '../../../application/audit/checkpoint-operations.ts';
import {
  exportAttestation,
  exportAudit,
  exportBundle,
} from '../../../application/audit/operations.ts';
import { bind, type RestBinding } from '../binding.ts';
import { JSON_FORM } from '../form.ts';
import { COSE_SEQUENCE, SIGSTORE_JSON } from './attestation-forms.ts';
import { CSV_EXPORT, NDJSON_EXPORT } from './audit-export-forms.ts';

/** Exports for offline verification. */
export const auditBindings: readonly RestBinding[] = [
  bind(exportAudit, {
    method: 'GET',
    path: '/v1/records/{recordId}/audit-export',
    forms: [JSON_FORM, NDJSON_EXPORT, CSV_EXPORT],
  }),
  bind(exportAttestation, {
    method: 'GET',
    path: '/v1/records/{recordId}/attestation',
    forms: [COSE_SEQUENCE],
  }),
  bind(exportBundle, {
    method: 'GET',
    path: '/v1/records/{recordId}/attestation.bundle',
    forms: [SIGSTORE_JSON, JSON_FORM],
  }),
  bind(listCheckpoints, { method: 'GET', path: '/v1/audit-vault/checkpoints' }),
];
