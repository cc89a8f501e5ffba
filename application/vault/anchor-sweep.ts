import { anchorKey } from '../../domain/vault/anchor-key.ts';
import type {
  AnchoredCheckpoint,
  AnchorLog,
  AnchorSweepState,
  AnchorVerification,
} from '../../domain/vault/anchor-log.port.ts';
import { AnchorError, type AnchorStore } from '../../domain/vault/anchor.port.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { hasPassed } from '../../domain/kernel/due.ts';
import { PLATFORM_CHAIN } from '../../domain/vault/chain-key.ts';
import { openCheckpoint, type Checkpoint } from '../../domain/vault/checkpoint.ts';
import type { CheckpointReads } from '../../domain/vault/vault-store.port.ts';
import type { Log } from '../ports/log.port.ts';
import type { RewindGuard } from '../sealing/rewind-guard.ts';
import type { AnchorMatches } from './anchor-matches.ts';
import type { AnchoredSuccession } from './anchored-succession.ts';
import type { LostRevocations } from './lost-revocations.ts';
import type { RewindCheck } from './rewind-check.ts';
import type { RewindWatch } from './rewind-watch.ts';
import type { UnprovenAnchors } from './unproven-anchors.ts';
import type { Vault } from '../sealing/vault.ts';

/** Chains in one sweep, beside the platform chain. */
const MAX_CHAINS = 100;
/** Objects that are written at once. */
const AT_ONCE = 4;
const SAMPLE = 20;
const DAY_MS = 86_400_000;
const MAX_COUNTED = 1_000;

/** Compares what is stored with what was anchored, and copies the newest checkpoints out of the database. */
export class AnchorSweep {
  constructor(
    private readonly anchors: AnchorStore | null,
    private readonly anchored: AnchorLog,
    private readonly checkpoints: CheckpointReads,
    private readonly matches: AnchorMatches,
    private readonly succession: Pick<AnchoredSuccession, 'keep'>,
    private readonly revocations: Pick<LostRevocations, 'keep'>,
    private readonly unproven: Pick<UnprovenAnchors, 'list'>,
    private readonly check: RewindCheck,
    private readonly watch: RewindWatch,
    private readonly guard: RewindGuard,
    private readonly vault: Vault,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** Whether the newest sweep is older than this, and there is something to anchor. */
  async isDue(afterMs: number): Promise<boolean> {
    const { lastSweepAt } = await this.anchored.state();
    if (lastSweepAt !== null && !hasPassed(afterMs, lastSweepAt, this.now())) return false;
    return (await this.checkpoints.newestOf(PLATFORM_CHAIN)) !== null;
  }

  /** @param stopping ends the sweep early; the next one goes on. */
  async run(stopping?: AbortSignal): Promise<void> {
    const before = await this.anchored.state();
    const faults = [
      await this.attempt(() => this.check.run({ ...(stopping ? { stopping } : {}) })),
      await this.attempt(async () => this.anchor(await this.toAnchor(), stopping)),
      await this.attempt(() => this.revocations.keep()),
    ];
    await this.watch.liftRestored();
    const lastVerify = await this.verifyDaily(before);
    const failed = faults.some((fault) => fault !== null);
    const at = this.clock.now().toISOString();
    await this.anchored.save({
      lastSweepAt: at,
      lastSuccessAt: failed ? before.lastSuccessAt : at,
      failures: failed ? before.failures + 1 : 0,
      pending: this.anchors ? (await this.anchored.pending(MAX_COUNTED)).length : 0,
      lastVerify,
    });
    const fault = faults.find((one) => one !== null);
    if (fault) throw fault;
  }

  /** The newest round of the platform chain, whose root covers all others. A failure waits for the next sweep. */
  async anchorRound(): Promise<void> {
    const fault = await this.attempt(async () => {
      const newest = await this.checkpoints.newestOf(PLATFORM_CHAIN);
      await this.anchor(newest ? [newest] : []);
    });
    if (fault) this.log.error({ err: fault }, 'the round after a rotation could not be anchored');
  }

  private async toAnchor(): Promise<readonly Checkpoint[]> {
    if (!this.anchors) return [];
    const [platform, others] = await Promise.all([
      this.checkpoints.newestOf(PLATFORM_CHAIN),
      this.anchored.pending(MAX_CHAINS),
    ]);
    return [...(platform ? [platform] : []), ...others];
  }

  /** What does not verify, or belongs to a chain that was rewound, is no copy to keep. */
  private async anchor(checkpoints: readonly Checkpoint[], stopping?: AbortSignal): Promise<void> {
    const { anchors } = this;
    if (!anchors) return;
    await this.succession.keep(anchors);
    let taken: AnchorError | null = null;
    const put = async (one: Checkpoint): Promise<AnchoredCheckpoint | null> => {
      try {
        return await this.put(anchors, one);
      } catch (error) {
        if (!(error instanceof AnchorError) || error.reason !== 'differs') throw error;
        // Somebody put something else in its place. That is told of, and holds up no other.
        taken = error;
        return null;
      }
    };
    for (let from = 0; from < checkpoints.length && !stopping?.aborted; from += AT_ONCE) {
      const done = await Promise.all(checkpoints.slice(from, from + AT_ONCE).map(put));
      await this.anchored.record(done.filter((one) => one !== null));
    }
    if (taken) throw taken as AnchorError;
  }

  private async put(
    anchors: AnchorStore,
    checkpoint: Checkpoint,
  ): Promise<AnchoredCheckpoint | null> {
    const { logIndex, chainKey, position, coseSign1 } = checkpoint;
    if (this.guard.isRewound(chainKey) || !(await openCheckpoint(checkpoint, this.vault.keyOf)))
      return null;
    const objectKey = anchorKey(chainKey, position, coseSign1);
    await anchors.put(objectKey, coseSign1);
    const anchoredAt = this.clock.now().toISOString();
    return { logIndex, chainKey, position, objectKey, anchoredAt };
  }

  private async verifyDaily(before: AnchorSweepState): Promise<AnchorVerification | null> {
    const { lastVerify } = before;
    if (!this.anchors || (lastVerify && !hasPassed(DAY_MS, lastVerify.at, this.now())))
      return lastVerify;
    let verified = lastVerify;
    await this.attempt(async () => {
      const found = await this.matches.of(await this.anchored.sample(SAMPLE));
      for (const { chainKey, position, match, detail } of found)
        if (!match) this.log.error({ chainKey, position, detail }, 'an anchor does not match');
      const unproven = this.unproven.list().length;
      verified = {
        at: this.clock.now().toISOString(),
        checked: found.length + unproven,
        mismatches: found.filter(({ match }) => !match).length + unproven,
      };
    });
    return verified;
  }

  private async attempt(work: () => Promise<void>): Promise<AnchorError | null> {
    try {
      await work();
      return null;
    } catch (error) {
      if (error instanceof AnchorError) return error;
      throw error;
    }
  }

  private now(): number {
    return this.clock.now().getTime();
  }
}
