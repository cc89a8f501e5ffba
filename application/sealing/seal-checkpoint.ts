import { toHex } from '../../domain/kernel/digest.ts';
import type { IdSource } from '../../domain/kernel/ids.ts';
import type { ChainHead } from '../../domain/vault/chain.ts';
import { sealCheckpoint, type Checkpoint } from '../../domain/vault/checkpoint.ts';
import type { Stores } from '../unit-of-work.port.ts';
import type { Vault } from '../vault/vault.ts';

/** Signs where a chain ends, in the one log of all checkpoints. */
export class SealCheckpoint {
  constructor(
    private readonly vault: Vault,
    private readonly ids: IdSource,
  ) {}

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
