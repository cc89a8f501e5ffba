import type { Uuid } from '../../domain/kernel/ids.ts';
import type { Eventually } from './rate-limiter.port.ts';

/**
 * Who no rate limit counts, as every node knows it within a second of the change. At once where that was read a moment
 * ago, so that hardly a call waits. It does not reject: where the database does not answer, what was known last holds.
 */
export interface ExemptOwners {
  isExempt(ownerId: Uuid): Eventually<boolean>;
}

export const NOBODY_EXEMPT: ExemptOwners = { isExempt: () => false };
