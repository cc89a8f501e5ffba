import { fromHex } from '../../kernel/digest.ts';
import { isIncluded, leafHash } from '../../transparency/rfc9162-tree.ts';
import type { HubClaim } from '../entry/chain-entry.ts';
import type { InclusionRow, LogRow, RetirementRow } from '../read/read-proofs.ts';
import type { ChainContext } from '../chain/verify-chain.ts';
import { verifyCheckpointBytes, type CheckpointClaim } from '../chain/verify-checkpoint.ts';
import { PLATFORM_CHAIN } from '../../vault/chain-key.ts';
import type { FailureClass } from '../report/failure.ts';
import type { CheckpointRow } from '../chain/verify-checkpoint.ts';

/**
 * Checks the proofs that checkpoints of this chain stand in the log of which the retirements of their keys seal the root.
 * So everything up to them was there when the key was retired, and nobody who stole it later can have written it.
 *
 * @returns by key, where its last checkpoint saw the chain end.
 */
export const verifyRetirements = (
  rows: readonly RetirementRow[],
  chainKey: string,
  hub: HubClaim | null,
  context: ChainContext,
): ReadonlyMap<string, CheckpointClaim> => {
  const cover = new Map<string, CheckpointClaim>();
  for (const { keyId, logIndex, coseSign1, inclusion } of rows) {
    const place = { chainKey, position: logIndex };
    const fail = (failureClass: FailureClass, detail: string): void =>
      context.findings.fail('checkpoints', 'checkpoints', failureClass, place, detail);
    const retirement = context.ring.get(keyId)?.retirement;
    if (!retirement || cover.has(keyId)) {
      fail(
        'CHAIN_KEY_POLICY_VIOLATION',
        retirement
          ? `the retirement of the key ${keyId} stands here twice`
          : `no statement in this file retires the key ${keyId}`,
      );
      continue;
    }
    // Whether the root covers it is what is judged here.
    const reading = verifyCheckpointBytes(coseSign1, place, hub, context, () => true);
    if (!reading) continue;
    const { claim } = reading;
    if (reading.keyId !== keyId || claim.logIndex !== logIndex)
      fail(
        'CHECKPOINT_HEAD_MISMATCH',
        `shown as the leaf ${logIndex} by the key ${keyId}, signed as the leaf ${claim.logIndex} by the key ${reading.keyId}`,
      );
    else if (claim.chainKey !== chainKey)
      fail('CHECKPOINT_CHAIN_MISSING', 'the checkpoint is one of another chain');
    else if (
      !holds(coseSign1, claim, inclusion, { size: retirement.treeSize, root: retirement.treeRoot })
    )
      fail(
        'CHECKPOINT_ROOT_MISMATCH',
        `it does not stand in the log of which the retirement of the key ${keyId} seals the root`,
      );
    else cover.set(keyId, claim);
  }
  return cover;
};

/**
 * Checks that the closing checkpoint stands in the log of which the newest round sealed the root: what anchors and time
 * stamps are about.
 *
 * @returns the root, lowercase hex; null where it does not hold.
 */
export const verifyLog = (
  { coseSign1, inclusion }: LogRow,
  checkpoint: CheckpointRow,
  hub: HubClaim | null,
  context: ChainContext,
): string | null => {
  const place = { chainKey: PLATFORM_CHAIN, position: inclusion.treeSize };
  const reading = verifyCheckpointBytes(coseSign1, place, hub, context);
  if (!reading) return null;
  const { claim } = reading;
  if (
    claim.chainKey === PLATFORM_CHAIN &&
    claim.tree &&
    claim.logIndex === claim.tree.size &&
    holds(checkpoint.coseSign1, checkpoint, inclusion, claim.tree)
  )
    return claim.tree.root;
  context.findings.fail(
    'checkpoints',
    'checkpoints',
    'CHECKPOINT_ROOT_MISMATCH',
    place,
    'the closing checkpoint does not stand in the log whose root is shown',
  );
  return null;
};

/** RFC 9162 section 2.1.3.2. */
const holds = (
  coseSign1: Uint8Array,
  { logIndex }: { readonly logIndex: number | null },
  { leafIndex, treeSize, path }: InclusionRow,
  tree: { readonly size: number; readonly root: string },
): boolean =>
  leafIndex === logIndex &&
  treeSize === tree.size &&
  isIncluded(leafHash(coseSign1), leafIndex, treeSize, path.map(fromHex), fromHex(tree.root));
