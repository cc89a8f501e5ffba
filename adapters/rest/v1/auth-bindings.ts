import { getWhoami, rotateKey } from '../../../application/identity/credential-operations.ts';
import { bind, type RestBinding } from '../binding.ts';

/** The calling credential. */
export const authBindings: readonly RestBinding[] = [
  bind(getWhoami, { method: 'GET', path: '/v1/auth/me' }),
  bind(rotateKey, { method: 'POST', path: '/v1/auth/keys/rotate', status: 201 }),
];
