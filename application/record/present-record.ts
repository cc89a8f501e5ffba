import type { Caller } from '../../domain/identity/caller.ts';
import { guide } from '../../domain/record/guidance.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import type { Completion } from '../../domain/record/completion.ts';
import type { Dispute, DisputeHead } from '../../domain/dispute/dispute.ts';
import { disputeActions } from '../../domain/dispute/dispute-actions.ts';
import { disputableUntil } from '../../domain/record/settlement.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import type { ChainEntry } from '../../domain/vault/chain.ts';
import type { DisputeResult } from './dispute-result.ts';
import { storedStatement } from '../sealing/signed-statement.ts';
import type { SealedEntry } from '../ports/sealed-entry.ts';
import type { Vault } from '../sealing/vault.ts';
import type { CompletionResult, RecordResult } from './results.ts';

/** Makes the answers of the record use cases: the state, the proof of it, and what to do next. */
export class PresentRecord {
  constructor(
    private readonly vault: Vault,
    private readonly clock: Clock,
  ) {}

  /** @param dispute the open dispute, where it is at hand. */
  record(
    record: RecordState,
    entry: ChainEntry | SealedEntry | null,
    caller: Caller,
    dispute: DisputeHead | null = null,
  ): RecordResult {
    const now = this.clock.now().toISOString();
    const until = disputableUntil(record);
    return {
      record,
      signedStatement: entry && storedStatement(entry, this.vault),
      guidance: guide(record, caller, disputeActions(record, dispute, caller, now), now),
      isWindowOver: until !== null && now >= until,
    };
  }

  dispute(
    dispute: Dispute,
    record: RecordState,
    entry: ChainEntry | SealedEntry | null,
    caller: Caller,
  ): DisputeResult {
    return { dispute, ...this.record(record, entry, caller, dispute) };
  }

  completion(
    completion: Completion,
    record: RecordState,
    entry: ChainEntry | null,
    caller: Caller,
  ): CompletionResult {
    return { completion, ...this.record(record, entry, caller) };
  }
}
