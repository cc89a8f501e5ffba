import type { Dispute } from '../../domain/dispute/dispute.ts';
import type { Guidance } from '../../domain/record/guidance.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import type { SignedStatement } from '../sealing/signed-statement.ts';

/** A dispute as a use case returns it. `signedStatement` is the entry that the call wrote, else the newest of the record. */
export interface DisputeResult {
  readonly dispute: Dispute;
  readonly record: RecordState;
  readonly signedStatement: SignedStatement | null;
  readonly guidance: Guidance;
}
