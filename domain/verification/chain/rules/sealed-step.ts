import type {
  RecordStatePredicate,
  SettlementSignalPredicate,
} from '../../../record/record-statement.ts';
import type { Transition } from '../../../record/lifecycle.ts';
import type { Manifest } from '../../../record-type/manifest.ts';
import type { ChainMemory } from './chain-memory.ts';
import type { SealedRecord } from './sealed-record.ts';

/** One entry of a record's chain, of the published form, with what the chain says before and after it. */
export interface SealedStep {
  readonly entry: RecordStatePredicate;
  /** Null for the first entry. */
  readonly before: SealedRecord | null;
  readonly after: SealedRecord;
  /** The transitions of the lifecycle that the entry may be; none where the lifecycle has no such step. */
  readonly transitions: readonly Transition[];
  /** The one whose digest the chain seals; null where the file does not hold it. */
  readonly manifest: Manifest | null;
  readonly memory: ChainMemory;
}

/** Whether the entry only tells what home decided: the rules of that are held against home's own chain. */
export const isMirrored = ({ after }: Pick<SealedStep, 'after'>): boolean =>
  after.federation?.role === 'mirror';

/** A signal, with what the chain says before it. */
export interface SealedSignal {
  readonly entry: SettlementSignalPredicate;
  readonly before: SealedRecord;
  readonly manifest: Manifest | null;
  readonly memory: ChainMemory;
}

export type Fail = (detail: string) => void;

/** Looks at one step; what breaks the rule is said in words. */
export type StepRule = (step: SealedStep, fail: Fail) => void;

/**
 * How much later than the decision its entry may be dated: a unit of work decides by the clock of the database and may
 * wait for a lock before it seals. Milliseconds.
 */
export const SEALED_LATE_MS = 60_000;

/** How much the clock of a node may be behind the one of the database, by which a deadline passes. Milliseconds. */
export const CLOCK_SKEW_MS = 1_000;

/** Whether an entry is dated before a deadline, though it could only be made once that had passed. */
export const isTooEarly = (at: string, deadline: string): boolean =>
  Date.parse(at) + CLOCK_SKEW_MS < Date.parse(deadline);

/** Whether an entry is dated after a deadline, though it had to be made before that. */
export const isTooLate = (at: string, deadline: string): boolean =>
  Date.parse(at) - SEALED_LATE_MS > Date.parse(deadline);
