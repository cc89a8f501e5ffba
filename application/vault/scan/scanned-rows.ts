import { bytesEqual, fromHex } from '../../../domain/kernel/digest.ts';
import { chainKindOf, type ChainKey } from '../../../domain/vault/chain-key.ts';
import type { ChainHead } from '../../../domain/vault/chain.ts';
import { compareStoredRecord } from './compare-stored-record.ts';
import { InStep } from './in-step.ts';
import type { ScanFaults } from './scan-faults.ts';
import type { ScanSnapshot, StoredRecord, StoredRow } from './scan-snapshot.port.ts';
import type { ScannedChain } from './scanned-chain.ts';
import type { ScannedTypes } from './scanned-types.ts';

/** The rows that there are once for each chain: its head, and its record. */
export class ScannedRows {
  private readonly heads: InStep<StoredRow<ChainHead>>;
  private readonly records: InStep<StoredRow<StoredRecord>>;

  constructor(
    snapshot: Pick<ScanSnapshot, 'heads' | 'records'>,
    private readonly faults: ScanFaults,
    private readonly types: ScannedTypes,
  ) {
    this.heads = new InStep(snapshot.heads());
    this.records = new InStep(snapshot.records());
  }

  /** @param chains that came to their end, all up to this key. @param upTo null: there are no more. */
  async compare(chains: readonly ScannedChain[], upTo: ChainKey | null): Promise<void> {
    const byKey = new Map(chains.map((chain) => [chain.chainKey, chain]));
    await this.compareHeads(new Map(byKey), upTo);
    await this.compareRecords(new Map(byKey), upTo);
  }

  private async compareHeads(
    chains: Map<ChainKey, ScannedChain>,
    upTo: ChainKey | null,
  ): Promise<void> {
    for await (const { key, value } of this.heads.upTo(upTo)) {
      const chain = chains.get(key);
      chains.delete(key);
      if (!chain) {
        this.faults.gone(key, 'CHAIN_POSITION_GAP', 'chain_heads names a chain that has no entry');
        continue;
      }
      const { faults, outcome, at } = chain;
      const head = outcome?.head;
      if (!value || !head) faults.drift('chain_heads: the row cannot be read');
      else if (value.position !== head.position)
        faults.fault(
          'CHAIN_POSITION_GAP',
          head.position,
          `chain_heads is at position ${value.position}`,
        );
      else if (!bytesEqual(value.hash, fromHex(head.hash)))
        faults.fault('CHAIN_HASH_MISMATCH', head.position, 'chain_heads has another hash');
      else if (value.at !== at) faults.drift('chain_heads: at', head.position);
    }
    for (const { faults } of chains.values())
      faults.fault('CHAIN_POSITION_GAP', null, 'the chain has no row in chain_heads');
  }

  private async compareRecords(
    chains: Map<ChainKey, ScannedChain>,
    upTo: ChainKey | null,
  ): Promise<void> {
    for await (const { key, value } of this.records.upTo(upTo)) {
      const chain = chains.get(key);
      chains.delete(key);
      if (!chain) this.faults.gone(key, 'CHAIN_POSITION_GAP', 'the record has no chain');
      else if (!value) chain.faults.drift('records: the row cannot be read');
      else compareStoredRecord(value, chain, this.types);
    }
    for (const { chainKey, faults } of chains.values())
      if (chainKindOf(chainKey) === 'record') faults.drift('records: the row is missing');
  }
}
