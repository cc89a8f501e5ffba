import { toHex } from '../../kernel/digest.ts';
import { GrowingTree, leafHash } from '../../transparency/rfc9162-tree.ts';
import { PLATFORM_CHAIN } from '../../vault/chain-key.ts';
import { parseStatement, UnreadableError } from '../../vault/parsed-statement.ts';
import type { HubClaim } from '../chain-entry.ts';
import type { FailureClass } from '../failure.ts';
import { Findings } from '../report.ts';
import type { ChainContext } from '../verify-chain.ts';
import { verifyCheckpointBytes, type CheckpointReading } from '../verify-checkpoint.ts';
import type { ChainCovers, Cover } from './chain-covers.ts';
import type { DumpSource } from './dump-source.port.ts';
import type { DumpTimestamps } from './dump-timestamps.ts';
import { dumpRows, type DumpRow } from './read-dump-rows.ts';

export interface LogOutcome {
  readonly size: number;
  /** Lowercase hex. */
  readonly root: string;
  /** `at` of the newest checkpoint of the platform chain, whose root covers all before it; null without one. */
  readonly closedAt: string | null;
}

interface CheckpointMembers {
  readonly log_index: number;
  readonly chain_key: string;
  readonly position: number;
  readonly timestamp_token?: string;
}

/**
 * Verifies the log of checkpoints: each checkpoint alone, that none is missing, and that each root that a round or a
 * retirement of a key seals is that of the RFC 9162 tree over the leaves before it.
 *
 * @param expectRoot one that the log must have had, lowercase hex; so the dump is not older than that.
 */
export const verifyLog = async (
  source: DumpSource,
  hub: HubClaim | null,
  context: ChainContext,
  covers: ChainCovers,
  { expectRoot, stamps }: { readonly expectRoot: string | null; readonly stamps: DumpTimestamps },
): Promise<LogOutcome> => {
  const walk = new LogWalk(hub, context, covers, expectRoot);
  for await (const row of dumpRows<CheckpointMembers>(
    source,
    'vault_checkpoints',
    context.findings,
  )) {
    if (row) walk.leaf(row);
    else walk.unreadable();
    if (row) await stamps.check(row);
    if (context.signatures.full) await context.signatures.room();
  }
  return walk.end();
};

class LogWalk {
  private readonly tree = new GrowingTree(0, []);
  private closedAt: string | null = null;
  private lastAt = '';
  /** After a leaf that is missing no root can be computed, and one failure is enough. */
  private isWhole = true;
  private readonly retired: ReadonlyMap<number, readonly { keyId: string; treeRoot: string }[]>;
  private readonly missingRoots: Set<string>;

  constructor(
    private readonly hub: HubClaim | null,
    private readonly context: ChainContext,
    private readonly covers: ChainCovers,
    expectedRoot: string | null,
  ) {
    const retired = new Map<number, { keyId: string; treeRoot: string }[]>();
    for (const { keyId, retirement } of context.ring.values())
      if (retirement) {
        const { treeSize, treeRoot } = retirement;
        retired.set(treeSize, [...(retired.get(treeSize) ?? []), { keyId, treeRoot }]);
      }
    this.retired = retired;
    this.missingRoots = new Set(expectedRoot === null ? [] : [expectedRoot]);
  }

  leaf(row: DumpRow<CheckpointMembers>): void {
    const { log_index: logIndex, chain_key: chainKey, position } = row.members;
    const place = { chainKey, position };
    const index = this.tree.size;
    if (logIndex !== index) {
      if (this.isWhole)
        this.fail(
          'CHECKPOINT_LOG_GAP',
          place,
          `the leaf ${index} is expected here, and not ${logIndex}`,
        );
      this.isWhole = false;
    }
    const reading = verifyCheckpointBytes(row.bytes, place, this.hub, this.context, (keyId) => {
      const retirement = this.context.ring.get(keyId)?.retirement ?? null;
      return retirement !== null && logIndex < retirement.treeSize;
    });
    if (reading) this.compare(row, reading);
    this.tree.append(leafHash(row.bytes));
    this.checkRetirements();
  }

  unreadable(): void {
    this.isWhole = false;
    // Its place in the tree: what follows keeps its own.
    this.tree.append(new Uint8Array(32));
  }

  end(): LogOutcome {
    for (const [size, retired] of this.retired)
      for (const { keyId } of size > this.tree.size ? retired : [])
        this.fail(
          'CHECKPOINT_LOG_GAP',
          { chainKey: PLATFORM_CHAIN, position: null },
          `the log ends after ${this.tree.size} leaves, and had ${size} when the key ${keyId} was retired`,
        );
    const root = toHex(this.tree.root);
    this.missingRoots.delete(root);
    for (const missing of this.missingRoots)
      this.fail(
        'CHECKPOINT_ROOT_MISMATCH',
        { chainKey: null, position: null },
        `the log never had the root ${missing}: this dump is older than that, or of another log`,
      );
    return { size: this.tree.size, root, closedAt: this.closedAt };
  }

  private compare(row: DumpRow<CheckpointMembers>, { claim, keyId }: CheckpointReading): void {
    const { log_index: logIndex, chain_key: chainKey, position } = row.members;
    const place = { chainKey, position };
    if (claim.chainKey !== chainKey || claim.position !== position || claim.logIndex !== logIndex)
      this.fail(
        'CHECKPOINT_HEAD_MISMATCH',
        place,
        `shown as the leaf ${logIndex} on position ${position} of its chain, signed as the leaf ${claim.logIndex} on position ${claim.position} of ${claim.chainKey}`,
      );
    if (claim.at < this.lastAt)
      this.fail(
        'CHAIN_PAYLOAD_BINDING_MISMATCH',
        place,
        `the checkpoint is of ${claim.at}, before the leaf before it (${this.lastAt})`,
      );
    else this.lastAt = claim.at;
    if (claim.chainKey === PLATFORM_CHAIN) this.checkRound(claim);
    const { headHash, at } = claim;
    // Before its first entry there is nothing of a chain to hold it against.
    if (position > 0) this.covers.add({ chainKey, position, headHash, logIndex, keyId, at });
  }

  /** A checkpoint of the platform chain closes a round: it seals the tree over every leaf before it. */
  private checkRound({ tree, at, position }: CheckpointReading['claim']): void {
    this.closedAt = at;
    if (!this.isWhole) return;
    const root = toHex(this.tree.root);
    if (!tree || tree.size !== this.tree.size || tree.root !== root)
      this.failRoot(
        position,
        tree
          ? `the round seals the root ${tree.root} of ${tree.size} leaves; the ${this.tree.size} before it have the root ${root}`
          : 'the round seals no root',
      );
    if (tree) this.missingRoots.delete(tree.root);
  }

  private checkRetirements(): void {
    const retired = this.retired.get(this.tree.size);
    if (!retired || !this.isWhole) return;
    const root = toHex(this.tree.root);
    this.missingRoots.delete(root);
    for (const { keyId, treeRoot } of retired)
      if (treeRoot !== root)
        this.failRoot(
          null,
          `the retirement of the key ${keyId} seals the root ${treeRoot} of ${this.tree.size} leaves; those here have the root ${root}`,
        );
  }

  private failRoot(position: number | null, detail: string): void {
    this.isWhole = false;
    this.fail('CHECKPOINT_ROOT_MISMATCH', { chainKey: PLATFORM_CHAIN, position }, detail);
  }

  private fail(
    failureClass: FailureClass,
    place: { readonly chainKey: string | null; readonly position: number | null },
    detail: string,
  ): void {
    this.context.findings.fail('checkpoints', 'checkpoints', failureClass, place, detail);
  }
}

/** Reads those checkpoints again that did not fit; what is wrong with any of them was reported. */
export const readCovers = async (source: DumpSource, covers: ChainCovers): Promise<ChainCovers> => {
  const rows = dumpRows<CheckpointMembers>(
    source,
    'vault_checkpoints',
    new Findings(),
    ({ bytes }) => {
      const chainKey = bytes && chainKeyAtTheFront(bytes);
      return chainKey === null || covers.holds(chainKey);
    },
  );
  for await (const row of rows) {
    if (!row || !covers.holds(row.members.chain_key)) continue;
    const cover = row.members.position > 0 ? coverIn(row) : null;
    if (cover) covers.add(cover);
  }
  return covers;
};

/** What a line says before anything else; null where that is not seen at once. */
const chainKeyAtTheFront = (bytes: Uint8Array): string | null =>
  /^\{"log_index":\d+,"chain_key":"([^"\\]*)"/.exec(ascii.decode(bytes.subarray(0, 96)))?.[1] ??
  null;
const ascii = new TextDecoder('latin1');

const coverIn = ({ members, bytes }: DumpRow<CheckpointMembers>): Cover | null => {
  try {
    const { header, statement } = parseStatement(bytes);
    const { headHash, at } = statement?.predicate ?? {};
    if (typeof headHash !== 'string' || typeof at !== 'string') return null;
    return {
      chainKey: members.chain_key,
      position: members.position,
      headHash,
      logIndex: members.log_index,
      keyId: header.kid,
      at,
    };
  } catch (error) {
    if (error instanceof UnreadableError) return null;
    throw error;
  }
};
