import { sha256 } from '../../../domain/kernel/digest.ts';
import { GrowingTree, leafHash } from '../../../domain/transparency/rfc9162-tree.ts';
import type { ChainEntry } from '../../../domain/vault/chain.ts';
import {
  sealCheckpoint,
  type Checkpoint,
  type TreeHead,
} from '../../../domain/vault/checkpoint.ts';
import { auditVaultRow, checkpointRow } from '../../../domain/verification/dump/rows/dump-rows.ts';
import {
  verifyDump,
  type VerifyDumpOptions,
} from '../../../domain/verification/dump/verify-dump.ts';
import type { VerificationReport } from '../../../domain/verification/report/report.ts';
import { trustOf } from '../../../domain/verification/keys/trust.ts';
import { sourceOf, textOf, type DumpTexts } from './dump-files.ts';
import { BASE, type TestChain, type TestHub } from './make-export.ts';

const NO_BYTES = new Uint8Array();

/** How the round of a dump was taken. */
interface Round {
  /** What happens after the checkpoints of the chains, and before the one that closes the round. */
  readonly beforeRound?: () => Promise<void>;
  /** How long a checkpoint of it takes, in milliseconds. */
  readonly pauseMs?: number;
  /** A chain without a checkpoint. */
  readonly uncovered?: TestChain;
}

/** A dump of these chains and of the platform chain, with one round over all of them: everything signed by the real key. */
export const dumpOf = async (
  hub: TestHub,
  chains: readonly TestChain[],
  { beforeRound, pauseMs = 0, uncovered }: Round = {},
): Promise<DumpTexts> => {
  const tree = new GrowingTree(0, []);
  const leaves: Checkpoint[] = [];
  const cover = async (entries: readonly ChainEntry[], treeHead?: TreeHead): Promise<void> => {
    const last = entries.at(-1)!;
    const leaf = await sealCheckpoint(hub.seal, BASE, last, {
      id: hub.id(),
      logIndex: leaves.length,
      at: leaves.length > 0 ? hub.pass(pauseMs) : hub.now(),
      ...(treeHead ? { tree: treeHead } : {}),
    });
    leaves.push(leaf);
    tree.append(leafHash(leaf.coseSign1));
  };
  for (const chain of chains) if (chain !== uncovered) await cover(chain.entries);
  const schemas = await hub.typesRegistered();
  // Which leaves the log of the org has is not in a dump.
  if (schemas.length > 0) await cover(schemas, { size: schemas.length, root: sha256(NO_BYTES) });
  await beforeRound?.();
  await cover(hub.platform, { size: tree.size, root: tree.root });
  const all = [hub.platform, ...chains.map(({ entries }) => entries), schemas]
    .filter((entries) => entries.length > 0)
    .toSorted(([a], [b]) => (a!.chainKey < b!.chainKey ? -1 : 1));
  return {
    audit_vault: textOf(all.flatMap((entries) => entries.map(auditVaultRow))),
    vault_checkpoints: textOf(leaves.map(checkpointRow)),
    vault_signing_keys: textOf(
      hub.keys.map((key) => ({
        key_id: key.keyId,
        algorithm: key.algorithm,
        cose_algorithm: key.coseAlgorithm,
        public_key: key.publicKey,
        status: key.status,
        activated_at: key.activatedAt,
        retired_at: key.retiredAt,
      })),
    ),
    vault_key_statements: textOf(
      hub.keyStatements.map(({ keyId, statement, position, coseSign1 }) => ({
        key_id: keyId,
        statement,
        chain_position: position,
        cose_sign1: coseSign1,
        created_at: hub.platform[position - 1]!.at,
      })),
    ),
    org_admin_reads: '',
    org_admin_reads_checkpoints: '',
  };
};

/** Under the key of the hub, which has one. */
export const verifySignedDump = async (
  hub: TestHub,
  chains: readonly TestChain[],
): Promise<VerificationReport> => verifyUnder(hub, await dumpOf(hub, chains));

export const verifyUnder = (
  hub: TestHub,
  texts: DumpTexts,
  options: Partial<VerifyDumpOptions> = {},
): Promise<VerificationReport> =>
  verifyDump(sourceOf(texts), { trust: trustOf({ kind: 'keys', spki: [hub.spki] }), ...options });
