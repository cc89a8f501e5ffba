import {
  createTrustedIssuer,
  deleteTrustedIssuer,
  getTrustedIssuer,
  listTrustedIssuers,
  updateTrustedIssuer,
} from '../../../application/identity/issuer-operations.ts';
import { bind, type RestBinding } from '../binding.ts';

const PATH = '/v1/admin/trusted-issuers';
const ONE = { path: `${PATH}/{id}`, names: { id: 'issuerId' } } as const;

/** The identity providers whose tokens are trusted. */
export const adminIssuerBindings: readonly RestBinding[] = [
  bind(createTrustedIssuer, {
    method: 'POST',
    path: PATH,
    status: 201,
    location: ({ id }) => `${PATH}/${id}`,
    locationWords: 'Path of the issuer',
  }),
  bind(listTrustedIssuers, { method: 'GET', path: PATH }),
  bind(getTrustedIssuer, { method: 'GET', ...ONE }),
  bind(updateTrustedIssuer, { method: 'PATCH', ...ONE, whole: 'changes', needsBody: true }),
  bind(deleteTrustedIssuer, { method: 'DELETE', ...ONE }),
];
