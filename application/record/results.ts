import type { Completion } from '../../domain/record/completion.ts';
import type { Guidance } from '../../domain/record/guidance.ts';
import type { CompletionGate } from '../../domain/record/record-store.port.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import type { Reference } from '../../domain/record/reference.ts';
import type { SignedStatement } from '../sealing/signed-statement.ts';

/** A record as a use case returns it. `signedStatement` is the entry that the call wrote, else the newest one. */
export interface RecordResult {
  readonly record: RecordState;
  readonly signedStatement: SignedStatement | null;
  readonly guidance: Guidance;
  /** Somebody could have disputed the outcome, and the time for it is over. */
  readonly isWindowOver: boolean;
  /** How many records below it were cancelled with it. */
  readonly cascade?: { readonly cancelled: number };
}

export interface CompletionResult {
  readonly completion: Completion;
  readonly record: RecordState;
  readonly signedStatement: SignedStatement | null;
  readonly guidance: Guidance;
}

export interface ReferenceResult {
  readonly reference: Reference;
  /** False if the reference was there before; then `signedStatement` is null. */
  readonly added: boolean;
  readonly record: RecordState;
  readonly signedStatement: SignedStatement | null;
  readonly guidance: Guidance;
}

export interface GateStatusResult {
  readonly record: RecordState;
  /** The latest one; null before the first. */
  readonly completion: CompletionGate | null;
  readonly guidance: Guidance;
}
