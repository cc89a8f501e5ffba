import type { NotaryRecord } from '../../domain/record/notary-record.ts';
import type { LockedRecord } from './locked-record.ts';

/** What the passing of one deadline of a record brings. */
export interface DeadlineRule {
  /** Whether this deadline has passed, as the row says: nothing of it is proven yet. */
  isDue(record: NotaryRecord, now: Date): boolean;
  /** Decides what follows, and writes it in the unit of work that holds the record. */
  apply(held: LockedRecord, requestId: string): Promise<void>;
}
