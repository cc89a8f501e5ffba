import {
  exemptFromRateLimits,
  getRateLimitExemption,
  restoreRateLimits,
} from '../../../application/limits/exemption-operations.ts';
import { bind, type RestBinding } from '../binding.ts';

const PATH = '/v1/admin/rate-limit-exemptions/{ownerId}';

export const adminRateLimitBindings: readonly RestBinding[] = [
  bind(getRateLimitExemption, { method: 'GET', path: PATH }),
  // Who asks for an end, or for one limit of several, is told that there is none.
  bind(exemptFromRateLimits, { method: 'PUT', path: PATH, takesEmptyBody: true }),
  bind(restoreRateLimits, { method: 'DELETE', path: PATH }),
];
