import {
  bulkRevokeApiKeys,
  listApiKeys,
  mintApiKey,
  updateApiKey,
} from '../../../application/identity/api-key-operations.ts';
import { bind, type RestBinding } from '../binding.ts';

const PATH = '/v1/admin/api-keys';

export const adminApiKeyBindings: readonly RestBinding[] = [
  bind(mintApiKey, { method: 'POST', path: PATH, status: 201 }),
  bind(listApiKeys, { method: 'GET', path: PATH }),
  bind(updateApiKey, { method: 'PATCH', path: `${PATH}/{keyId}` }),
  bind(bulkRevokeApiKeys, { method: 'POST', path: `${PATH}/bulk-revoke`, needsBody: true }),
];
