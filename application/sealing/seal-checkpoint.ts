import { toHex } from '../../domain/kernel/digest.ts';
import type { IdSource } from '../../domain/kernel/ids.ts';
import type { ChainHead } from '../../domain/vault/chain.ts';
import { coversHead, sealCheckpoint, type Checkpoint } from '../../domain/vault/checkpoint.ts';
import type { Stores } from '../unit-of-work.port.ts';
import type { Vault } from '../vault/vault.ts';

/** Signs where a chain ends, in the one log of all checkpoints. */
export class SealCheckpoint {
  constructor(
    private readonly vault: Vault,
    private readonly ids: IdSource,
  ) {}

  /**
   * The checkpoint of this head: the one that exists, as long as the head has not moved and the key that signed it is
   * the active one, else a new one.
   *
   * @param head of a chain that the unit of work holds and has verified: so nobody else makes one meanwhile.
   * @param at of a new one: ISO 8601 with milliseconds.
   */
  async covering(
    stores: Pick<Stores, 'checkpoints'>,
    head: ChainHead,
    at: string,
  ): Promise<Checkpoint> {
    const newest = await stores.checkpoints.newestOf(head.chainKey);
    const covers =
      newest?.signingKeyId === this.vault.seal.signer.keyId &&
      (await coversHead(newest, head, this.vault.keyOf));
    return covers ? newest : this.seal(stores, head, at);
  }

  /**
   * @param head of a chain that the unit of work holds and has verified.
   * @param at ISO 8601 with milliseconds.
   */
  async seal(
    { checkpoints }: Pick<Stores, 'checkpoints'>,
    head: ChainHead,
    at: string,
  ): Promise<Checkpoint> {
    const logIndex = await checkpoints.lockNextIndex();
    const checkpoint = await sealCheckpoint(
      this.vault.seal,
      this.vault.hub.predicateBase,
      head,
      { id: this.ids.next(), logIndex, at },
      toHex(head.hash),
    );
    await checkpoints.insert(checkpoint);
    return checkpoint;
  }
}
