import { bytesEqual } from '../../../domain/kernel/digest.ts';
import { leafHash } from '../../../domain/transparency/rfc9162-tree.ts';
import { orgOfLog, statementLog } from '../../../domain/transparency/statement-log.port.ts';
import { schemaChain, type ChainKey } from '../../../domain/vault/chain-key.ts';
import type { AcknowledgedLosses } from '../../../domain/verification/report/acknowledged-losses.ts';
import type { ChainFaults } from './scan-faults.ts';
import { InStep } from './in-step.ts';
import type { ScanLogSnapshot, StoredLeaf } from './scan-log-snapshot.port.ts';

/** An entry of a page, and the org whose chain it stands on; null where it is of none. */
export interface LoggedEntry {
  readonly chainKey: ChainKey;
  readonly position: number;
  /** Null where the row cannot be read. */
  readonly coseSign1: Uint8Array | null;
  readonly orgId: string | null;
}

/** Compares the leaves that are chain entries with these entries, in the order of the chains. */
export class ScannedLeaves {
  private readonly leaves: InStep<{ readonly key: string; readonly stored: StoredLeaf }>;

  /** @param faultsOf the chain whose checkpoints cover a log. */
  constructor(
    snapshot: Pick<ScanLogSnapshot, 'entryLeaves'>,
    private readonly losses: AcknowledgedLosses,
    private readonly faultsOf: (chainKey: ChainKey) => ChainFaults,
  ) {
    this.leaves = new InStep(keyed(snapshot.entryLeaves()));
  }

  /** @param page the entries that follow those of the last page; null: there are no more. */
  async compare(page: readonly LoggedEntry[] | null): Promise<void> {
    const last = page?.at(-1);
    if (page && !last) return;
    const entries = new Map(page?.map((entry) => [placeOf(entry), entry]));
    for await (const { key, stored } of this.leaves.upTo(last ? placeOf(last) : null)) {
      const { log, leaf } = stored;
      const { chainKey, position } = leaf.entry!;
      const fault = faultOf(stored, entries.get(key));
      // A log keeps the leaf of an entry that was lost, whatever stands in its place now.
      if (fault === null || this.losses.isLost(chainKey, position, '')) continue;
      this.faultsOf(schemaChain(orgOfLog(log))).drift(
        `scitt_leaves ${log} ${leaf.index}: ${fault}`,
      );
    }
  }
}

const faultOf = ({ log, leaf }: StoredLeaf, entry: LoggedEntry | undefined): string | null => {
  if (!entry) return 'it names an entry that there is not';
  if (!entry.coseSign1) return null;
  if (!bytesEqual(leafHash(entry.coseSign1), leaf.hash)) return 'it is the hash of another entry';
  if (entry.orgId === null || statementLog(entry.orgId) !== log)
    return 'it is an entry of another org';
  return null;
};

async function* keyed(
  pages: AsyncIterable<readonly StoredLeaf[]>,
): AsyncIterable<readonly { readonly key: string; readonly stored: StoredLeaf }[]> {
  for await (const page of pages)
    yield page.map((stored) => ({ key: placeOf(stored.leaf.entry!), stored }));
}

/** Of one order with chain keys by their bytes, then positions. */
const placeOf = ({ chainKey, position }: Pick<LoggedEntry, 'chainKey' | 'position'>): string =>
  `${chainKey}\0${String(position).padStart(16, '0')}`;
