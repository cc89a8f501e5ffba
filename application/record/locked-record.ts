import type { NotaryRecord } from '../../domain/record/notary-record.ts';
import type { Acting } from '../../domain/record/sides.ts';
import type { RecordType } from '../../domain/record-type/manifest.ts';
import type { OpenChain } from '../sealing/open-chain.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';

/** A record, locked with its tree and its chain, in the hands of one caller. Its row and its type are proven. */
export interface LockedRecord {
  readonly stores: Stores;
  readonly record: NotaryRecord;
  readonly chain: OpenChain;
  /** The type that the record pins, as it was registered. */
  readonly recordType: RecordType;
  readonly acting: Acting;
  /** The time of the database, ISO 8601, by which deadlines bind. */
  readonly now: string;
}
