import type { JsonObject } from '../kernel/canonical-json.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { Completion } from './completion.ts';
import type { Transition } from './lifecycle.ts';
import type { RecordState } from './record-state.ts';
import type { RecordStatePredicate } from './record-statement.ts';
import type { Reference } from './reference.ts';

/**
 * What an action did: the transition that it took, the record before and after, what is sealed and the data of its
 * event.
 */
export interface RecordChange {
  readonly transition: Transition;
  readonly before: RecordState | null;
  readonly after: RecordState;
  /** The completion that the action made or changed. */
  readonly completion?: Completion;
  /** The reference that the action added. */
  readonly reference?: Reference;
  /** The dispute that the action opened or moved. */
  readonly dispute?: { readonly id: Uuid };
  /** The record that the action delegated. */
  readonly child?: RecordState;
  /** How many records below it were cancelled with it. */
  readonly descendants?: number;
  readonly sealed: Partial<
    Pick<
      RecordStatePredicate,
      | 'messageHash'
      | 'verdict'
      | 'reason'
      | 'gate'
      | 'encryption'
      | 'cancelledBy'
      | 'reference'
      | 'children'
      | 'dispute'
      | 'peer'
    >
  >;
  readonly eventData: JsonObject;
}

/** The change that a transition makes: the next version of the record, as of `at`. */
export const changeOf = (
  record: RecordState,
  transition: Transition,
  at: string,
  next: Partial<RecordState>,
  rest: Pick<
    RecordChange,
    'completion' | 'reference' | 'child' | 'dispute' | 'sealed' | 'eventData'
  >,
): RecordChange => ({
  transition,
  before: record,
  after: { ...record, ...next, updatedAt: at, version: record.version + 1 },
  ...rest,
});

export const reasonOf = (reason: string | null): { reason?: string } =>
  reason === null ? {} : { reason };
