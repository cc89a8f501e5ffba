import { toHex } from '../../kernel/digest.ts';
import { GrowingTree } from '../../transparency/rfc9162-tree.ts';
import { PLATFORM_CHAIN } from '../../vault/chain-key.ts';
import type { FailureClass } from '../report/failure.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import { Findings } from '../report/report.ts';
import type { ChainContext } from '../chain/verify-chain.ts';
import type { ChainCovers } from './chain-covers.ts';
import { blocksOf } from './rows/dump-blocks.ts';
import type { DumpSource } from './rows/dump-source.port.ts';
import type { DumpTimestamps } from './dump-timestamps.ts';
import type { Lanes, Placed } from './lanes.ts';
import { COVER_AT, LEAF_BYTES } from './log-leaves.ts';
import type { LogAnswer, LogTask, Round } from './log-task.ts';
import { OrgLogHeads } from './org-log-heads.ts';
import { logIndexOf, packedChainKey, positionOf, timeOf } from './rows/packed-cover.ts';
import { faultIn } from './rows/read-dump-rows.ts';

export interface LogOutcome {
  readonly size: number;
  /** Lowercase hex. */
  readonly root: string;
  /** `at` of the newest checkpoint of the platform chain, whose root covers all before it; null without one. */
  readonly closedAt: string | null;
  /** Its place in the log. */
  readonly closedBy: number | null;
  /** The heads of the logs of the orgs. */
  readonly heads: Pick<OrgLogHeads, 'newestOf'>;
}

/**
 * Verifies the log of checkpoints: each checkpoint alone, that none is missing, and that each root that a round or a
 * retirement of a key seals is that of the RFC 9162 tree over the leaves before it.
 *
 * @param expectRoot one that the log must have had, lowercase hex; so the dump is not older than that.
 */
export const verifyLog = async (
  source: DumpSource,
  lanes: Lanes,
  { ring, findings }: Pick<ChainContext, 'ring' | 'findings'>,
  covers: ChainCovers,
  { expectRoot, stamps }: { readonly expectRoot: string | null; readonly stamps: DumpTimestamps },
): Promise<LogOutcome> => {
  const walk = new LogWalk(ring, findings, covers, expectRoot);
  for await (const answer of answersOf(source, lanes, () => null, findings)) {
    findings.add(answer.found);
    walk.part(answer);
    for (const row of answer.stamped) await stamps.check(row);
  }
  return walk.end();
};

const FILE = 'vault_checkpoints';

async function* answersOf(
  source: DumpSource,
  lanes: Lanes,
  again: () => LogTask['again'],
  findings: Findings,
): AsyncIterable<LogAnswer> {
  const parts = source.open(FILE);
  if (!parts) return faultIn(FILE, findings, ' is missing');
  const tasks = async function* (): AsyncIterable<Placed<LogTask>> {
    for await (const block of blocksOf(parts, lanes.buffers))
      yield { task: { kind: 'log', block, again: again() }, continues: false };
  };
  yield* lanes.inOrder(tasks());
}

class LogWalk {
  private readonly tree = new GrowingTree(0, []);
  private closedAt: string | null = null;
  private closedBy: number | null = null;
  private readonly heads = new OrgLogHeads((failureClass, head, detail) =>
    this.fail(failureClass, head, detail),
  );
  /** In milliseconds since 1970. */
  private lastAt = -Infinity;
  /** After a leaf that is missing no root can be computed, and one failure is enough. */
  private isWhole = true;
  private readonly retired: ReadonlyMap<number, readonly { keyId: string; treeRoot: string }[]>;
  private readonly missingRoots: Set<string>;

  constructor(
    ring: KeyRing,
    private readonly findings: Findings,
    private readonly covers: ChainCovers,
    expectedRoot: string | null,
  ) {
    const retired = new Map<number, { keyId: string; treeRoot: string }[]>();
    for (const { keyId, retirement } of ring.values())
      if (retirement) {
        const { treeSize, treeRoot } = retirement;
        retired.set(treeSize, [...(retired.get(treeSize) ?? []), { keyId, treeRoot }]);
      }
    this.retired = retired;
    this.missingRoots = new Set(expectedRoot === null ? [] : [expectedRoot]);
  }

  /** Takes the rows of a part in, each of which was verified alone. */
  part({ leaves, rounds, heads }: LogAnswer): void {
    const { count, packed, odd } = leaves;
    const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
    let round = 0;
    for (const head of heads) this.heads.take(head);
    for (let index = 0; index < count; index++) {
      const at = index * LEAF_BYTES;
      const found = odd.get(index);
      if (found === null) {
        this.unreadable();
        continue;
      }
      const chainKey = (): string => found?.chainKey ?? packedChainKey(packed, at + COVER_AT);
      const place = () => ({
        chainKey: chainKey(),
        position: found?.position ?? positionOf(view, at + COVER_AT),
      });
      this.checkIndex(found?.logIndex ?? logIndexOf(view, at + COVER_AT), place);
      const cover = found?.cover;
      if (cover !== null) {
        this.checkTime(cover ? Date.parse(cover.at) : timeOf(view, at + COVER_AT), place);
        for (; rounds[round]?.index === index; round++) this.checkRound(rounds[round]!);
        // Before its first entry there is nothing of a chain to hold it against.
        const isOfNone = (cover?.position ?? positionOf(view, at + COVER_AT)) === 0;
        if (cover && !isOfNone) this.covers.add(cover);
        else if (!isOfNone) this.covers.addPacked(packed, at + COVER_AT);
      }
      this.tree.append(found?.leafHash ?? packed.slice(at, at + COVER_AT));
      this.checkRetirements();
    }
  }

  private unreadable(): void {
    this.isWhole = false;
    // Its place in the tree: what follows keeps its own.
    this.tree.append(new Uint8Array(32));
  }

  private checkIndex(logIndex: number, place: () => Place): void {
    const index = this.tree.size;
    if (logIndex === index) return;
    if (this.isWhole)
      this.fail(
        'CHECKPOINT_LOG_GAP',
        place(),
        `the leaf ${index} is expected here, and not ${logIndex}`,
      );
    this.isWhole = false;
  }

  private checkTime(at: number, place: () => Place): void {
    if (at < this.lastAt)
      this.fail(
        'CHAIN_PAYLOAD_BINDING_MISMATCH',
        place(),
        `the checkpoint is of ${isoOf(at)}, before the leaf before it (${isoOf(this.lastAt)})`,
      );
    else this.lastAt = at;
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
    const { closedAt, closedBy, heads } = this;
    return { size: this.tree.size, root, closedAt, closedBy, heads };
  }

  /** A checkpoint of the platform chain closes a round: it seals the tree over every leaf before it. */
  private checkRound({ tree, at, position }: Round): void {
    this.closedAt = at;
    this.closedBy = this.tree.size;
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

  private fail(failureClass: FailureClass, place: Place, detail: string): void {
    this.findings.fail('checkpoints', 'checkpoints', failureClass, place, detail);
  }
}

interface Place {
  readonly chainKey: string | null;
  readonly position: number | null;
}

const isoOf = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** Reads those checkpoints again that did not fit; what is wrong with any of them was reported. */
export const readCovers = async (
  source: DumpSource,
  lanes: Lanes,
  covers: ChainCovers,
): Promise<ChainCovers> => {
  const wanted = () => ({ from: covers.from, to: covers.end });
  for await (const { leaves } of answersOf(source, lanes, wanted, new Findings())) {
    const { count, packed, odd } = leaves;
    for (let index = 0; index < count; index++) {
      const cover = odd.get(index)?.cover;
      if (cover) covers.add(cover);
      else covers.addPacked(packed, index * LEAF_BYTES + COVER_AT);
    }
  }
  return covers;
};
