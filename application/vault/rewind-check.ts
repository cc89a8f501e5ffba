import { ANCHORS, anchorKey, anchorsOf, readAnchorKey } from '../../domain/vault/anchor-key.ts';
import type { AnchoredObject, AnchorStore } from '../../domain/vault/anchor.port.ts';
import { bytesEqual, sha256 } from '../../domain/kernel/digest.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { PLATFORM_CHAIN, type ChainKey } from '../../domain/vault/chain-key.ts';
import type { ChainHead } from '../../domain/vault/chain.ts';
import type { ChainReads, CoveredEnd } from '../../domain/vault/chain-store.port.ts';
import { openCheckpoint, type Checkpoint } from '../../domain/vault/checkpoint.ts';
import type { RewindFinding } from '../../domain/vault/rewind.ts';
import type { CheckpointReads } from '../../domain/vault/vault-store.port.ts';
import type { PlatformLedger } from '../sealing/platform-ledger.ts';
import type { RewindGuard } from '../sealing/rewind-guard.ts';
import type { AnchoredSuccession, LostSuccession } from './anchored-succession.ts';
import { openAnchor, type AnchorClaim } from './open-anchor.ts';
import type { UnprovenAnchors } from './unproven-anchors.ts';
import type { Vault } from '../sealing/vault.ts';

const LOOK = 500;
const MANY = 100;

/**
 * Compares the heads of chains with the newest checkpoints in the database and with those that were anchored outside of it.
 * What contradicts a signed checkpoint blocks its chain, unless the platform chain says that the loss was acknowledged.
 */
export class RewindCheck {
  constructor(
    private readonly anchors: AnchorStore | null,
    private readonly chains: ChainReads,
    private readonly checkpoints: CheckpointReads,
    private readonly vault: Vault,
    private readonly ledger: PlatformLedger,
    private readonly guard: RewindGuard,
    private readonly succession: Pick<AnchoredSuccession, 'lost'>,
    private readonly unproven: Pick<UnprovenAnchors, 'note'>,
    private readonly clock: Clock,
  ) {}

  /**
   * Before the first signature: the newest anchor of the platform chain. Where the log holds it, the database is no older
   * than the last sweep. Where it does not, every anchor is compared.
   *
   * @throws AnchorError
   */
  async newestAnchor(): Promise<void> {
    await this.platformHead();
    if (!this.anchors) return;
    const lost = await this.succession.lost(this.anchors);
    if (!(await this.holdsNewestAnchor(this.anchors, lost)))
      await this.everyAnchor(this.anchors, lost);
  }

  /**
   * Every head with its newest checkpoint, and the anchors.
   *
   * @param thorough compares every anchor, also where the newest is known.
   */
  async run({
    thorough = false,
    stopping = undefined as AbortSignal | undefined,
  } = {}): Promise<void> {
    await this.heads(stopping);
    if (!this.anchors || stopping?.aborted) return;
    if (!thorough) return this.newestAnchor();
    const lost = await this.succession.lost(this.anchors);
    await this.holdsNewestAnchor(this.anchors, lost);
    await this.everyAnchor(this.anchors, lost, stopping);
  }

  private async platformHead(): Promise<void> {
    const [head, newest, { isLost }] = await Promise.all([
      this.chains.head(PLATFORM_CHAIN),
      this.checkpoints.newestOf(PLATFORM_CHAIN),
      this.ledger.losses(),
    ]);
    if (!head || !newest) return;
    const covered = { position: newest.position, hash: newest.headHash };
    if (contradicts(head, covered) && !isLost(PLATFORM_CHAIN, newest.position, newest.createdAt))
      await this.blockBy(newest, head);
  }

  private async heads(stopping?: AbortSignal): Promise<void> {
    const { isLost } = await this.ledger.losses();
    for (let after = ''; !stopping?.aborted;) {
      const page = await this.chains.chainsAfter(after, LOOK);
      for (const { chainKey, head, covered } of page)
        if (
          head &&
          head.position > 0 &&
          covered &&
          contradicts(head, covered) &&
          !isLost(chainKey, covered.position, covered.at)
        )
          await this.blockBy(await this.checkpoints.newestOf(chainKey), head);
      const last = page.at(-1);
      if (!last) break;
      after = last.chainKey;
    }
    for (const checkpoint of await this.checkpoints.withoutChain(MANY))
      if (!isLost(checkpoint.chainKey, checkpoint.position, checkpoint.createdAt))
        await this.blockBy(checkpoint, null);
  }

  /** A row is believed only where its signature holds. */
  private async blockBy(checkpoint: Checkpoint | null, head: ChainHead | null): Promise<void> {
    if (!checkpoint || !(await openCheckpoint(checkpoint, this.vault.keyOf))) return;
    this.block(checkpoint, head);
  }

  private async holdsNewestAnchor(anchors: AnchorStore, lost: LostSuccession): Promise<boolean> {
    if (lost.newest) {
      const head = await this.chains.head(PLATFORM_CHAIN);
      if (!(await this.agrees(lost.newest, head))) this.block(lost.newest, head);
      return false;
    }
    const { isLost } = await this.ledger.losses();
    const objects = newestFirst(await collect(anchors.list(anchorsOf(PLATFORM_CHAIN))));
    for (const { key } of objects) {
      const claim = await this.read(anchors, key, lost);
      if (!claim || isLost(PLATFORM_CHAIN, claim.position, claim.at)) continue;
      const head = await this.chains.head(PLATFORM_CHAIN);
      if (!(await this.agrees(claim, head))) {
        this.block(claim, head);
        return false;
      }
      const [leaf] = await this.checkpoints.from(claim.logIndex, 1);
      return leaf?.logIndex === claim.logIndex && bytesEqual(leaf.coseSign1, claim.coseSign1);
    }
    return true;
  }

  /** Of each chain the newest anchor. Only what the log does not hold has to be read. */
  private async everyAnchor(
    anchors: AnchorStore,
    lost: LostSuccession,
    stopping?: AbortSignal,
  ): Promise<void> {
    const { isLost } = await this.ledger.losses();
    for await (const [chainKey, objects] of byChain(anchors.list(ANCHORS))) {
      if (stopping?.aborted) return;
      const known = new Set(
        (await this.checkpoints.ofChain(chainKey)).map((one) =>
          anchorKey(chainKey, one.position, one.coseSign1),
        ),
      );
      for (const { key } of newestFirst(objects)) {
        // Its checkpoint stands in the log, so the heads are compared with it there.
        if (known.has(key)) break;
        const claim = await this.read(anchors, key, lost);
        if (!claim || isLost(chainKey, claim.position, claim.at)) continue;
        const head = await this.chains.head(chainKey);
        if (!(await this.agrees(claim, head))) this.block(claim, head);
        break;
      }
    }
  }

  /** Null for what is no checkpoint of this hub, or stands under a name that is not its own: that is told, and no finding. */
  private async read(
    anchors: AnchorStore,
    key: string,
    lost: LostSuccession,
  ): Promise<AnchorClaim | null> {
    const bytes = await anchors.get(key);
    if (!bytes) return null;
    const { keyOf: known, hub } = this.vault;
    const { claim, fault } = await openAnchor(bytes, hub.hubId, { known, lost: lost.keyOf });
    const isNamed =
      claim !== null && anchorKey(claim.chainKey, claim.position, claim.coseSign1) === key;
    if (claim && isNamed) return claim;
    if (claim || fault !== null)
      this.unproven.note(key, fault ?? 'it stands under a name that is not its own');
    return null;
  }

  private async agrees(
    claim: Pick<AnchorClaim, 'chainKey' | 'position' | 'headHash'>,
    head: ChainHead | null,
  ): Promise<boolean> {
    if (claim.position === 0) return true;
    if (!head || head.position < claim.position) return false;
    if (head.position === claim.position) return bytesEqual(head.hash, claim.headHash);
    const entries = await this.chains.entriesAt([claim]);
    const there = entries.get(claim.chainKey);
    return there !== undefined && bytesEqual(sha256(there.coseSign1), claim.headHash);
  }

  private block(shown: ShownCheckpoint, head: ChainHead | null): void {
    this.guard.block(findingOf(shown, head, this.clock.now().toISOString()));
  }
}

type ShownCheckpoint = Pick<Checkpoint, 'chainKey' | 'position' | 'headHash' | 'coseSign1'> & {
  readonly isKeyLost?: boolean;
};

const findingOf = (
  shown: ShownCheckpoint,
  head: ChainHead | null,
  detectedAt: string,
): RewindFinding => ({
  chainKey: shown.chainKey,
  finding: head ? 'rewound' : 'missing_locally',
  localPosition: head?.position ?? 0,
  localHash: head?.hash ?? null,
  anchoredPosition: shown.position,
  anchoredHash: shown.headHash,
  checkpointHash: sha256(shown.coseSign1),
  isKeyLost: shown.isKeyLost ?? false,
  detectedAt,
  acknowledgedAt: null,
});

const contradicts = (
  { position, hash }: ChainHead,
  covered: Pick<CoveredEnd, 'position' | 'hash'>,
): boolean =>
  covered.position > position || (covered.position === position && !bytesEqual(covered.hash, hash));

const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};

/** By position, which the key says, and of one position by time. */
const newestFirst = (objects: readonly AnchoredObject[]): readonly AnchoredObject[] =>
  [...objects].sort(
    (a, b) =>
      (readAnchorKey(b.key)?.position ?? -1) - (readAnchorKey(a.key)?.position ?? -1) ||
      b.lastModified.localeCompare(a.lastModified),
  );

async function* byChain(
  objects: AsyncIterable<AnchoredObject>,
): AsyncGenerator<readonly [ChainKey, readonly AnchoredObject[]]> {
  let current: ChainKey | null = null;
  let found: AnchoredObject[] = [];
  for await (const object of objects) {
    const chainKey = readAnchorKey(object.key)?.chainKey;
    if (chainKey === undefined) continue;
    if (current !== null && chainKey !== current) {
      yield [current, found];
      found = [];
    }
    current = chainKey;
    found.push(object);
  }
  if (current !== null) yield [current, found];
}
