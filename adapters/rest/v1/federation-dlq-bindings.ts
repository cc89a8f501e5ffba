import {
  listFederationDlq,
  recoverFederationDlq,
} from '../../../application/federation/dlq-operations.ts';
import { bind, type RestBinding } from '../binding.ts';

export const federationDlqBindings: readonly RestBinding[] = [
  bind(listFederationDlq, { method: 'GET', path: '/federation/v1/admin/dlq' }),
  bind(recoverFederationDlq, {
    method: 'POST',
    path: '/federation/v1/admin/dlq/recover',
    status: 200,
  }),
];
