import { factsOfRecord } from '../../domain/record/record-facts.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import {
  signalStatement,
  type SettlementSignalPredicate,
} from '../../domain/record/record-statement.ts';
import type { Signal } from '../../domain/record/settlement.ts';
import type { PredicateBase } from '../../domain/vault/statement.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import type { ChainWriter } from './chain-writer.ts';
import { aboutRecord, entryData, sealedBy, type EventOutbox } from './event-outbox.ts';
import type { OpenChain } from './open-chain.ts';
import { systemOrigin } from './origin.ts';
import type { SealedEntry } from '../ports/sealed-entry.ts';

/** Seals a recommendation to whoever holds the money, and enqueues its event. */
export class SealSignal {
  constructor(
    private readonly writer: ChainWriter,
    private readonly outbox: EventOutbox,
  ) {}

  /** A recommendation that no action of anybody caused. */
  async seal(
    stores: Stores,
    chain: OpenChain,
    requestId: string,
    record: RecordState,
    signal: Signal,
  ): Promise<SealedEntry> {
    const entry = await this.entry(chain, requestId, record, signal);
    await this.writer.append(stores, chain, [entry], factsOfRecord(record));
    await this.enqueue(stores, requestId, record, signal, entry);
    return entry;
  }

  /** The signed entry, for whoever appends it together with the change that it follows from. */
  entry(
    chain: OpenChain,
    requestId: string,
    record: RecordState,
    signal: Signal,
  ): Promise<SealedEntry> {
    const origin = systemOrigin(requestId);
    return this.writer.seal(
      chain,
      signalStatement(this.writer.predicateBase, {
        entryType: 'SIGNAL_EMITTED',
        at: chain.at,
        requestId,
        actor: origin.actor,
        ...contentOf(record, signal),
      }),
      { entryType: 'SIGNAL_EMITTED', recordId: record.id, orgId: record.orgId },
      origin,
    );
  }

  /** The event of an entry that was appended. */
  enqueue(
    stores: Stores,
    requestId: string,
    record: RecordState,
    signal: Signal,
    entry: SealedEntry,
  ): Promise<void> {
    return this.outbox.enqueue(
      stores,
      sealedBy(entry, requestId),
      'signal.emitted',
      aboutRecord(record, null),
      { ...contentOf(record, signal), entry: entryData(entry) },
    );
  }
}

/** What a signal says, on the chain and in its event. */
const contentOf = (
  record: RecordState,
  { signalId, supersedes, recommendation, disputeId }: Signal,
) =>
  ({
    recordId: record.id,
    signalId,
    ...(supersedes ? { supersedes } : {}),
    recommendation,
    outcome: record.status,
    performerAgentId: record.performerAgentId,
    platformRef: record.platformRef,
    ...(disputeId ? { disputeId } : {}),
  }) satisfies Omit<SettlementSignalPredicate, keyof PredicateBase<'SIGNAL_EMITTED'>>;
