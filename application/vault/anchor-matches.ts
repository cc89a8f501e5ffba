import type { AnchoredCheckpoint } from '../../domain/vault/anchor-log.port.ts';
import type { AnchorStore } from '../../domain/vault/anchor.port.ts';
import { bytesEqual } from '../../domain/kernel/digest.ts';
import type { CheckpointReads } from '../../domain/vault/vault-store.port.ts';
import { openAnchor } from './open-anchor.ts';
import type { Vault } from '../sealing/vault.ts';

/** Whether what was recorded as anchored is in the store, and is what the log holds. */
export interface AnchorMatch {
  readonly chainKey: string;
  readonly position: number;
  readonly match: boolean;
  /** Null where it matches. */
  readonly detail: string | null;
}

export class AnchorMatches {
  constructor(
    private readonly anchors: AnchorStore | null,
    private readonly checkpoints: CheckpointReads,
    private readonly vault: Vault,
  ) {}

  /** @throws AnchorError where the store cannot be read. */
  async of(anchored: readonly AnchoredCheckpoint[]): Promise<readonly AnchorMatch[]> {
    const found: AnchorMatch[] = [];
    for (const one of anchored) {
      const detail = await this.faultOf(one);
      found.push({
        chainKey: one.chainKey,
        position: one.position,
        match: detail === null,
        detail,
      });
    }
    return found;
  }

  private async faultOf(anchored: AnchoredCheckpoint): Promise<string | null> {
    if (!this.anchors) return 'anchors are switched off (ANCHOR=none)';
    const bytes = await this.anchors.get(anchored.objectKey);
    if (!bytes) return 'recorded as anchored, and missing in the store';
    const [checkpoint] = await this.checkpoints.from(anchored.logIndex, 1);
    if (checkpoint?.logIndex !== anchored.logIndex)
      return `the log of checkpoints does not hold the leaf ${anchored.logIndex} any more`;
    if (!bytesEqual(bytes, checkpoint.coseSign1))
      return 'the object is not the checkpoint that the log holds';
    const { keyOf: known, hub } = this.vault;
    const { claim, fault } = await openAnchor(bytes, hub.hubId, { known, lost: () => undefined });
    if (fault !== null) return fault;
    const isThis =
      claim && claim.chainKey === anchored.chainKey && claim.position === anchored.position;
    return isThis ? null : 'what is signed there is another place';
  }
}
