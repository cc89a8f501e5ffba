import { bytesEqual, fromHex, sha256 } from '../../domain/kernel/digest.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { PLATFORM_CHAIN, type ChainKey } from '../../domain/vault/chain-key.ts';
import type { ChainHead } from '../../domain/vault/chain.ts';
import { openSigned } from '../../domain/vault/checkpoint.ts';
import type { CheckpointPredicate } from '../../domain/vault/statement.ts';
import type { CheckpointStore } from '../../domain/vault/vault-store.port.ts';
import type { Vault } from './vault.ts';
import { payloadDrift } from './head-check.ts';
import type { Losses, PlatformLedger } from './platform-ledger.ts';
import type { RewindGuard } from './rewind-guard.ts';

const MAX_CHAINS = 20_000;

/** Where a chain ends: at its head, or at its newest entry if the entry of the head is gone. */
export type ChainEnd = Pick<ChainHead, 'chainKey' | 'position'> & {
  /** Null at position 0: the chain has no entry. */
  readonly hash: Uint8Array | null;
};

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

  isBehind(chainKey: ChainKey): boolean {
    return this.guard.isBehind(chainKey);
  }

  losses(): Promise<Losses> {
    return this.ledger.losses();
  }

  /**
   * Compares the end of a chain that this process did not write with the newest checkpoint of the chain, once. If the chain
   * was rewound, nothing is signed on it from here on.
   *
   * @param isShorter than this process knows it: then it is compared again.
   */
  async compare(
    checkpoints: Pick<CheckpointStore, 'newestOf'>,
    end: ChainEnd,
    isShorter = false,
  ): Promise<void> {
    const { chainKey } = end;
    // The platform chain is compared at the start.
    if (chainKey === PLATFORM_CHAIN || (this.compared.has(chainKey) && !isShorter)) return;
    const newest = await checkpoints.newestOf(chainKey);
    const said = newest && ((await openSigned(newest, this.vault.keyOf))?.said ?? null);
    // What is signed says where the chain ended, and not the row of it.
    if (newest && said?.chainKey !== chainKey)
      throw payloadDrift(chainKey, `its checkpoint ${newest.logIndex}`);
    if (newest && said && (await this.contradicts(end, said)))
      return this.guard.block({
        chainKey,
        finding: 'rewound',
        localPosition: end.position,
        localHash: end.hash,
        anchoredPosition: said.position,
        anchoredHash: fromHex(said.headHash),
        checkpointHash: sha256(newest.coseSign1),
        isKeyLost: false,
        detectedAt: this.clock.now().toISOString(),
        acknowledgedAt: null,
      });
    this.compared.add(chainKey);
    if (this.compared.size > MAX_CHAINS)
      this.compared.delete(this.compared.values().next().value as ChainKey);
  }

  private async contradicts(
    { chainKey, position, hash }: ChainEnd,
    said: CheckpointPredicate,
  ): Promise<boolean> {
    return (
      (said.position > position ||
        (said.position === position && !(hash && bytesEqual(fromHex(said.headHash), hash)))) &&
      !(await this.losses()).isLost(chainKey, said.position, said.at)
    );
  }
}
