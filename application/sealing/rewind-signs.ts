import { bytesEqual, sha256 } from '../../domain/kernel/digest.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { PLATFORM_CHAIN, type ChainKey } from '../../domain/vault/chain-key.ts';
import type { ChainHead } from '../../domain/vault/chain.ts';
import { openCheckpoint } from '../../domain/vault/checkpoint.ts';
import type { CheckpointStore } from '../../domain/vault/vault-store.port.ts';
import type { Vault } from '../vault/vault.ts';
import type { Losses, PlatformLedger } from './platform-ledger.ts';
import type { RewindGuard } from './rewind-guard.ts';

const MAX_CHAINS = 20_000;

/** What a writer of chains asks before it signs: is this chain still the one that its checkpoint saw? */
export class RewindSigns {
  /** Chains that this process compared already; after that the sweeps do. */
  private readonly compared = new Set<ChainKey>();

  constructor(
    private readonly guard: RewindGuard,
    private readonly ledger: PlatformLedger,
    private readonly vault: Pick<Vault, 'keyOf'>,
    private readonly clock: Clock,
  ) {}

  assertWritable(chainKey: ChainKey): void {
    this.guard.assertWritable(chainKey);
  }

  isRewound(chainKey: ChainKey): boolean {
    return this.guard.isRewound(chainKey);
  }

  losses(): Promise<Losses> {
    return this.ledger.losses();
  }

  /**
   * Compares a head that this process did not write with the newest checkpoint of its chain, once. Where it was rewound,
   * nothing is signed on it from here on.
   */
  async compare(checkpoints: Pick<CheckpointStore, 'newestOf'>, head: ChainHead): Promise<void> {
    const { chainKey } = head;
    // The platform chain is compared at the start.
    if (chainKey === PLATFORM_CHAIN || this.compared.has(chainKey)) return;
    const newest = await checkpoints.newestOf(chainKey);
    const contradicts =
      newest !== null &&
      (newest.position > head.position ||
        (newest.position === head.position && !bytesEqual(newest.headHash, head.hash))) &&
      (await openCheckpoint(newest, this.vault.keyOf)) !== null &&
      !(await this.losses()).isLost(chainKey, newest.position, newest.createdAt);
    if (contradicts)
      return this.guard.block({
        chainKey,
        finding: 'rewound',
        localPosition: head.position,
        localHash: head.hash,
        anchoredPosition: newest.position,
        anchoredHash: newest.headHash,
        checkpointHash: sha256(newest.coseSign1),
        isKeyLost: false,
        detectedAt: this.clock.now().toISOString(),
        acknowledgedAt: null,
      });
    this.compared.add(chainKey);
    if (this.compared.size > MAX_CHAINS)
      this.compared.delete(this.compared.values().next().value as ChainKey);
  }
}
