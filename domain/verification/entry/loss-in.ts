import type { JsonObject } from '../../kernel/canonical-json.ts';
import type { RewindAcknowledged } from '../../vault/rewind.ts';
import type { AcknowledgedLoss } from '../report/acknowledged-losses.ts';
import { predicateFault } from './predicate-check.ts';

/** The loss that an entry acknowledges; null if it is of another type, or of no published form, which its own check reports. */
export const lossIn = (predicate: JsonObject, position: number): AcknowledgedLoss | null => {
  if (predicate['entryType'] !== 'REWIND_ACKNOWLEDGED') return null;
  if (predicateFault('record-state', predicate) !== null) return null;
  const { chainKey, lostRange, lostHead, checkpoint, reason } =
    predicate as unknown as RewindAcknowledged;
  return {
    chainKey,
    lostRange,
    lostHead,
    checkpoint,
    reason,
    acknowledgedIn: position,
    acknowledgedAt: String(predicate['at']),
  };
};
