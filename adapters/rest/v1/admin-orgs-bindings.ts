import { createOrg, listOrgs, updateOrg } from '../../../application/identity/org-operations.ts';
import { bind, type RestBinding } from '../binding.ts';

const PATH = '/v1/admin/orgs';

export const adminOrgBindings: readonly RestBinding[] = [
  bind(createOrg, { method: 'POST', path: PATH, status: 201 }),
  bind(listOrgs, { method: 'GET', path: PATH }),
  bind(updateOrg, { method: 'PATCH', path: `${PATH}/{id}`, names: { id: 'orgId' } }),
];
