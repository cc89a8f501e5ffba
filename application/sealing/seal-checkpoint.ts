import { toHex } from '../../domain/kernel/digest.ts';
import type { IdSource } from '../../domain/kernel/ids.ts';
import { leafHash } from '../../domain/transparency/rfc9162-tree.ts';
import type { ChainHead } from '../../domain/vault/chain.ts';
import {
  coversHead,
  openCheckpoint,
  sealCheckpoint,
  type Checkpoint,
  type TreeHead,
} from '../../domain/vault/checkpoint.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';
import type { Vault } from './vault.ts';
import { OwnCheckpoints } from './own-checkpoints.ts';
import type { RewindGuard } from './rewind-guard.ts';
import { payloadDrift } from './head-check.ts';

/** What is sealed at a head. */
export interface ToCover {
  /** Of a chain that is verified. */
  readonly head: ChainHead;
  readonly tree?: TreeHead;
}

type Log = Pick<Stores, 'checkpoints'>;

/** Signs where chains end, as the next leaves of the one log of all checkpoints. */
export class SealCheckpoint {
  private readonly own = new OwnCheckpoints();

  constructor(
    private readonly vault: Vault,
    private readonly ids: IdSource,
    private readonly rewinds: Pick<RewindGuard, 'assertWritable'>,
  ) {}

  /**
   * The checkpoint of this head: the one that exists, as long as the head has not moved and the key that signed it is
   * the active one, else a new one.
   *
   * @param head of a chain that the unit of work holds and has verified: so nobody else makes one meanwhile.
   * @param at of a new one: ISO 8601 with milliseconds.
   */
  async covering(stores: Log, head: ChainHead, at: string): Promise<Checkpoint> {
    const newest = await stores.checkpoints.newestOf(head.chainKey);
    const covers =
      newest?.signingKeyId === this.vault.seal.signer.keyId &&
      (await coversHead(newest, head, this.vault.keyOf));
    return covers ? newest : this.seal(stores, { head }, at);
  }

  /** @param at ISO 8601 with milliseconds; later where the head, or the leaf before, is. */
  async seal(stores: Log, item: ToCover, at: string): Promise<Checkpoint> {
    const [checkpoint] = await this.sealAll(stores, [item], at);
    return checkpoint!;
  }

  /** The same for several chains, as leaves that follow each other. */
  async sealAll(
    { checkpoints }: Log,
    items: readonly ToCover[],
    at: string,
  ): Promise<readonly Checkpoint[]> {
    for (const { head } of items) this.rewinds.assertWritable(head.chainKey);
    const newest = await checkpoints.lockLog();
    if (newest) await this.assertGenuine(newest);
    const first = newest ? newest.logIndex + 1 : 0;
    const times = timesAfter(newest?.createdAt ?? '', items, at);
    const sealed = await Promise.all(
      items.map(({ head, tree }, offset) =>
        sealCheckpoint(this.vault.seal, this.vault.hub.predicateBase, head, {
          id: this.ids.next(),
          logIndex: first + offset,
          at: times[offset]!,
          ...(tree ? { tree } : {}),
        }),
      ),
    );
    for (const checkpoint of sealed) {
      await checkpoints.insert(checkpoint);
      this.own.remember(checkpoint);
    }
    return sealed;
  }

  /**
   * Gives the hash of a stored leaf, if it is what this hub signed.
   *
   * @throws CONFLICT with reason payload_drift where it is not.
   */
  async assertGenuine(checkpoint: Checkpoint): Promise<Uint8Array> {
    const leaf = leafHash(checkpoint.coseSign1);
    if (!(await this.isGenuine(checkpoint, leaf)))
      throw payloadDrift(
        checkpoint.chainKey,
        `the checkpoint ${checkpoint.logIndex} (${toHex(leaf).slice(0, 16)})`,
      );
    return leaf;
  }

  /** Whether a stored leaf is what this hub signed, and its row says the same. */
  async isGenuine(checkpoint: Checkpoint, leaf = leafHash(checkpoint.coseSign1)): Promise<boolean> {
    return (
      this.own.has(checkpoint, leaf) ||
      (await openCheckpoint(checkpoint, this.vault.keyOf)) !== null
    );
  }
}

/** No leaf is older than its head, nor than the leaf before it. */
const timesAfter = (newest: string, items: readonly ToCover[], at: string): readonly string[] => {
  let latest = newest;
  return items.map(({ head }) => {
    for (const time of [at, head.at]) if (time > latest) latest = time;
    return latest;
  });
};
