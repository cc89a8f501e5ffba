import { encodeBase64 } from '../../domain/kernel/base64.ts';
import { fromHex, toHex } from '../../domain/kernel/digest.ts';
import {
  foldPeaks,
  inclusionPath,
  isIncluded,
  leafHash,
} from '../../domain/transparency/rfc9162-tree.ts';
import { CHECKPOINT_LOG, type TreeReads } from '../../domain/transparency/tree-store.port.ts';
import { PLATFORM_CHAIN, type ChainKey } from '../../domain/vault/chain-key.ts';
import type { ChainReads } from '../../domain/vault/chain-store.port.ts';
import {
  openCheckpoint,
  treeOf,
  type Checkpoint,
  type TreeHead,
} from '../../domain/vault/checkpoint.ts';
import type { CheckpointReads } from '../../domain/vault/vault-store.port.ts';
import type {
  AuditExportInclusion,
  AuditExportLog,
  AuditExportRetirement,
} from '../../domain/verification/read/audit-export.ts';
import { logBroken } from '../sealing/checkpoint-tree.ts';
import type { Vault } from '../sealing/vault.ts';
import type { ShownTimestamps } from './shown-timestamps.ts';

/** The proofs in an export that its checkpoints stand in the log. None is given that would not verify. */
export class LogProofs {
  constructor(
    private readonly reads: {
      readonly chains: Pick<ChainReads, 'signingKeys'>;
      readonly checkpoints: CheckpointReads;
      readonly trees: TreeReads;
    },
    private readonly vault: Vault,
    private readonly timestamps: ShownTimestamps,
  ) {}

  /** Of each retired key that signed entries of the chain: its newest checkpoint there, in the log as its retirement seals it. */
  async retirements(chainKey: ChainKey): Promise<readonly AuditExportRetirement[]> {
    const active = this.vault.seal.signer.keyId;
    const keyIds = (await this.reads.chains.signingKeys(chainKey)).filter((id) => id !== active);
    const shown: AuditExportRetirement[] = [];
    for (const keyId of keyIds) {
      const retirement = this.vault.retirements.get(keyId);
      const checkpoint = await this.reads.checkpoints.newestBy(chainKey, keyId);
      // Without one the entries are not covered, and the verifier says so.
      if (!retirement || !checkpoint || checkpoint.logIndex >= retirement.treeSize) continue;
      const tree = { size: retirement.treeSize, root: fromHex(retirement.treeRoot) };
      shown.push({
        keyId,
        checkpoint: {
          logIndex: checkpoint.logIndex,
          coseSign1: encodeBase64(checkpoint.coseSign1),
        },
        inclusion: await this.inclusion(checkpoint, tree),
      });
    }
    return shown;
  }

  /** The newest round, where its root covers the checkpoint. */
  async log(checkpoint: Checkpoint): Promise<AuditExportLog | null> {
    const newest = await this.reads.checkpoints.newestOf(PLATFORM_CHAIN);
    if (!newest || newest.logIndex <= checkpoint.logIndex) return null;
    const said = await openCheckpoint(newest, this.vault.keyOf);
    const tree = said && treeOf(said);
    if (!tree) throw logBroken(`the checkpoint ${newest.logIndex} does not verify`);
    // After a rotation the first round is on its way, and the last one of the old key covers nothing of the new one.
    if (newest.signingKeyId !== checkpoint.signingKeyId) return null;
    const token = await this.timestamps.of(newest);
    return {
      coseSign1: encodeBase64(newest.coseSign1),
      inclusion: await this.inclusion(checkpoint, tree),
      ...(token ? { timestampToken: encodeBase64(token) } : {}),
    };
  }

  private async inclusion(
    { logIndex, coseSign1 }: Checkpoint,
    { size, root }: TreeHead,
  ): Promise<AuditExportInclusion> {
    const siblings = inclusionPath(logIndex, size);
    const hashes = await this.reads.trees.hashes(CHECKPOINT_LOG, siblings.flat());
    let at = 0;
    const path = siblings.map((ids) =>
      foldPeaks(ids.map(() => hashes[at++] ?? new Uint8Array(32))),
    );
    if (!isIncluded(leafHash(coseSign1), logIndex, size, path, root))
      throw logBroken(`its nodes do not prove that the leaf ${logIndex} stands in it`);
    return { leafIndex: logIndex, treeSize: size, path: path.map(toHex) };
  }
}
