import type { Uuid } from '../../domain/kernel/ids.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import type { SealedEntry } from '../ports/sealed-entry.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';

/** A step that a mirror asks of home: a call without a credential, for the party that lives on the peer. */
export interface PeerCall {
  /** The id that the step gives to the completion, dispute or reference that it makes. */
  readonly id: Uuid | null;
  /**
   * Once the record is locked and proven. Throws where the step was processed meanwhile.
   *
   * @returns the record that is acted on: it counts the step.
   */
  begin(record: RecordState): RecordState;
  /**
   * In the unit of work of the act, after its entries.
   *
   * @param sealed the entry of the act itself.
   * @throws NotaryError where the act may not stand as it was sealed.
   */
  done(stores: Stores, record: RecordState, sealed: SealedEntry): Promise<void>;
}
