import type { Uuid } from '../../domain/kernel/ids.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import { chainKindOf, recordChain } from '../../domain/vault/chain-key.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import type { ChainWriter } from './chain-writer.ts';
import { assertRowAgrees, payloadDrift } from './head-check.ts';
import type { OpenChain } from './open-chain.ts';

/** The chains of records, opened for the next entry. */
export class RecordChains {
  constructor(private readonly writer: ChainWriter) {}

  /** The chain of a record that this unit of work creates. */
  begin(recordId: Uuid): OpenChain {
    return this.writer.begin(recordChain(recordId));
  }

  /**
   * Locks the chain of a record and makes sure that the row still says what was signed.
   *
   * @throws CONFLICT with reason payload_drift where it does not.
   */
  async lock(stores: Stores, record: RecordState): Promise<OpenChain> {
    const chainKey = recordChain(record.id);
    // The zero UUID names the platform chain, which is about no record.
    if (chainKindOf(chainKey) !== 'record') throw payloadDrift(chainKey, 'no chain of a record');
    const chain = await this.writer.lock(stores, chainKey);
    if (!chain.head) throw payloadDrift(record.id, 'no chain');
    assertRowAgrees(record, await this.writer.headFacts(stores, chain.head));
    return chain;
  }
}
