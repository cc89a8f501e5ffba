import { bytesEqual } from '../../../domain/kernel/digest.ts';
import { GrowingTree, leafHash, type TreeNode } from '../../../domain/transparency/rfc9162-tree.ts';
import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import type { ChainEntry } from '../../../domain/vault/chain.ts';
import { PLATFORM_CHAIN } from '../../../domain/vault/chain-key.ts';
import { auditVaultRow, checkpointRow } from '../../../domain/verification/dump/dump-rows.ts';
import type { DumpSource } from '../../../domain/verification/dump/dump-source.port.ts';
import type { ChainFaults } from './scan-faults.ts';
import type { ScanSnapshot } from './scan-snapshot.port.ts';

/** What is not in the order of the chains, as a dump would hold it: the verifier of dumps reads it. */
export const logSource = (snapshot: ScanSnapshot): DumpSource => ({
  open: (file) => {
    if (file === 'vault_checkpoints') return linesOf(snapshot.checkpoints(), checkpointRow);
    if (file === 'audit_vault') return linesOf(platformEntries(snapshot), auditVaultRow);
    return null;
  },
});

async function* linesOf<Row>(
  pages: AsyncIterable<readonly Row[]>,
  asMembers: (row: Row) => JsonObject,
): AsyncIterable<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const page of pages)
    yield encoder.encode(page.map((row) => `${JSON.stringify(asMembers(row))}\n`).join(''));
}

/** The platform chain is the first one. */
async function* platformEntries(snapshot: ScanSnapshot): AsyncIterable<readonly ChainEntry[]> {
  for await (const page of snapshot.entries()) {
    const own = page.filter(({ chainKey }) => chainKey === PLATFORM_CHAIN);
    yield own.flatMap(({ entry }) => entry ?? []);
    if (own.length < page.length) return;
  }
}

const NODES = 200;

/** Compares the stored nodes of the tree over the log with its leaves, as far as a root was signed. */
export const compareNodes = async (snapshot: ScanSnapshot, faults: ChainFaults): Promise<void> => {
  let signed = 0;
  for await (const page of snapshot.checkpoints())
    for (const { chainKey, logIndex } of page) if (chainKey === PLATFORM_CHAIN) signed = logIndex;
  const tree = new GrowingTree(0, []);
  let pending: TreeNode[] = [];
  const compare = async (): Promise<void> => {
    const stored = await snapshot.nodes(pending);
    for (const [at, { level, index, hash }] of pending.entries()) {
      const found = stored[at];
      if (!found || !bytesEqual(found, hash))
        faults.fault(
          'CHECKPOINT_ROOT_MISMATCH',
          null,
          `log_nodes ${level}/${index} is not what the leaves below it make`,
        );
    }
    pending = [];
  };
  for await (const page of snapshot.checkpoints())
    for (const { coseSign1 } of page) {
      if (tree.size >= signed) break;
      pending.push(...tree.append(leafHash(coseSign1)));
      if (pending.length >= NODES) await compare();
    }
  await compare();
};
