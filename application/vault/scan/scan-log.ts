import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import { GrowingTree, leafHash } from '../../../domain/transparency/rfc9162-tree.ts';
import { CHECKPOINT_LOG } from '../../../domain/transparency/tree-store.port.ts';
import { PLATFORM_CHAIN } from '../../../domain/vault/chain-key.ts';
import type { ChainEntry } from '../../../domain/vault/chain.ts';
import {
  auditVaultRow,
  checkpointRow,
  orgReadRow,
  orgReadsCheckpointRow,
} from '../../../domain/verification/dump/rows/dump-rows.ts';
import type { DumpSource } from '../../../domain/verification/dump/rows/dump-source.port.ts';
import type { ChainFaults } from './scan-faults.ts';
import { ScannedNodes } from './scan-nodes.ts';
import type { ScanSnapshot } from './scan-snapshot.port.ts';

/** The logs, and the platform chain, as a dump would hold them: the verifier of dumps reads them. */
export const logSource = (snapshot: ScanSnapshot): DumpSource => ({
  open: (file) => {
    const { logs } = snapshot;
    if (file === 'vault_checkpoints') return linesOf(logs.checkpoints(), checkpointRow);
    if (file === 'audit_vault') return linesOf(platformEntries(snapshot), auditVaultRow);
    if (file === 'org_admin_reads') return linesOf(logs.orgReads(), orgReadRow);
    if (file === 'org_admin_reads_checkpoints')
      return linesOf(logs.orgReadsCheckpoints(), orgReadsCheckpointRow);
    return null;
  },
});

/** A row that cannot be read is a line that is none of its file. */
async function* linesOf<Row>(
  pages: AsyncIterable<readonly (Row | null)[]>,
  asMembers: (row: Row) => JsonObject,
): AsyncIterable<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const page of pages)
    yield encoder.encode(
      page.map((row) => `${JSON.stringify(row === null ? {} : asMembers(row))}\n`).join(''),
    );
}

/** The platform chain is the first one. */
async function* platformEntries(snapshot: ScanSnapshot): AsyncIterable<readonly ChainEntry[]> {
  for await (const page of snapshot.entries()) {
    const own = page.filter(({ chainKey }) => chainKey === PLATFORM_CHAIN);
    yield own.flatMap(({ entry }) => entry ?? []);
    if (own.length < page.length) return;
  }
}

/** Compares the stored nodes of the tree over the log of checkpoints, as far as a root was signed. */
export const compareNodes = async (
  { logs }: Pick<ScanSnapshot, 'logs'>,
  faults: ChainFaults,
): Promise<void> => {
  let signed = 0;
  for await (const page of logs.checkpoints())
    for (const { chainKey, logIndex } of page) if (chainKey === PLATFORM_CHAIN) signed = logIndex;
  const nodes = new ScannedNodes(logs, CHECKPOINT_LOG, new GrowingTree(0, []), (detail) =>
    faults.fault('CHECKPOINT_ROOT_MISMATCH', null, detail),
  );
  for await (const page of logs.checkpoints())
    for (const { coseSign1 } of page) {
      if (nodes.size >= signed) break;
      await nodes.leaf(leafHash(coseSign1));
    }
  await nodes.end();
};
