import type { RecordState } from './record-state.ts';
import { TERMINAL } from './record-status.ts';

/**
 * The deadlines of a record: when it expires, when the phase of its open dispute ends, and when nobody can object to
 * its outcome any more. At any time at most one of them is running.
 */
export type RecordDeadline = 'expiry' | 'dispute-phase' | 'hold';

/**
 * The deadline that has passed, as the row says; null: none has. `now` is the time of the database; the deadline
 * itself counts as passed.
 */
export const passedDeadline = (
  { status, disputed, expiresAt, disputeDeadline, federation }: RecordState,
  now: Date,
): RecordDeadline | null => {
  // Home's clock decides; its mirror only shows the time.
  if (federation?.role === 'mirror') return null;
  const hasEnded = TERMINAL.has(status);
  const deadline = hasEnded ? disputeDeadline : expiresAt;
  if (deadline === null || now.toISOString() < deadline) return null;
  if (!hasEnded) return 'expiry';
  return disputed ? 'dispute-phase' : 'hold';
};
