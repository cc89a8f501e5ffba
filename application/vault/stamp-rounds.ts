import type { Clock } from '../../domain/kernel/clock.port.ts';
import { hasPassed } from '../../domain/kernel/due.ts';
import { PLATFORM_CHAIN } from '../../domain/vault/chain-key.ts';
import { openCheckpoint, type Checkpoint } from '../../domain/vault/checkpoint.ts';
import type { TimestampReads } from '../../domain/vault/timestamp-store.port.ts';
import {
  TIMESTAMP_TOLERANCE_MS,
  timestampFault,
  timestampImprint,
  type Timestamp,
} from '../../domain/vault/timestamp.ts';
import type { Log } from '../ports/log.port.ts';
import { DuplicateError, type UnitOfWork } from '../ports/unit-of-work.port.ts';
import { TimestampError, type TimestampAuthority } from './timestamp-authority.port.ts';
import type { Vault } from '../sealing/vault.ts';

/** Rounds that are stamped in one go, the newest first: its root covers all before it, so older ones matter less. */
const MAX_ROUNDS = 8;
/** Until the same round is tried again; a newer one is tried at once. */
const RETRY_MS = 300_000;

/**
 * Gets time stamps for the rounds of checkpoints, from the authority that the operator named. Nothing waits for it: a round
 * is sealed and committed before, without a lock or a transaction open meanwhile. What fails is the failure of this job,
 * which is where an operator looks.
 */
export class StampRounds {
  private failed: { readonly logIndex: number; readonly at: number } | null = null;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly reads: Pick<TimestampReads, 'missing'>,
    private readonly authority: TimestampAuthority | null,
    private readonly vault: Vault,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  async isNeeded(): Promise<boolean> {
    if (!this.authority) return false;
    const [newest] = await this.reads.missing(PLATFORM_CHAIN, 1);
    if (!newest) return false;
    const { failed } = this;
    return failed?.logIndex !== newest.logIndex || hasPassed(RETRY_MS, failed.at, this.now());
  }

  /**
   * @returns how many got one.
   * @throws TimestampError at the first one that gets none; those before it are kept.
   */
  async run(stopping?: AbortSignal): Promise<number> {
    const { authority } = this;
    if (!authority) return 0;
    const missing = await this.reads.missing(PLATFORM_CHAIN, MAX_ROUNDS);
    for (const [count, checkpoint] of missing.entries()) {
      if (stopping?.aborted) return count;
      try {
        await this.stamp(authority, checkpoint, stopping);
      } catch (error) {
        if (stopping?.aborted) return count;
        this.failed = { logIndex: missing[0]!.logIndex, at: this.now() };
        throw error;
      }
    }
    return missing.length;
  }

  /** The same for whoever goes on without: a failure is logged. */
  async runQuietly(): Promise<void> {
    await this.run().catch((error: unknown) => {
      this.log.warn({ err: error }, 'the newest round of checkpoints has no time stamp');
    });
  }

  private async stamp(
    authority: TimestampAuthority,
    checkpoint: Checkpoint,
    stopping: AbortSignal | undefined,
  ): Promise<void> {
    const { logIndex, coseSign1, createdAt } = checkpoint;
    if (!(await openCheckpoint(checkpoint, this.vault.keyOf)))
      throw new Error(`the checkpoint ${logIndex} is not what was signed, and is not stamped`);
    const { token, stamp } = await authority.stamp(timestampImprint(coseSign1), stopping);
    const fault = timestampFault(stamp, coseSign1, createdAt) ?? this.futureFault(stamp);
    if (fault !== null) throw new TimestampError(`a time stamp is not kept: ${fault}`);
    try {
      await this.unitOfWork.transaction((stores) => stores.timestamps.insert(logIndex, token));
    } catch (error) {
      // Another node was faster.
      if (!(error instanceof DuplicateError)) throw error;
    }
    this.log.info(
      { logIndex, genTime: stamp.genTime, authority: stamp.authority },
      'a round of checkpoints has its time stamp',
    );
  }

  private futureFault({ genTime }: Timestamp): string | null {
    return Date.parse(genTime) > this.now() + TIMESTAMP_TOLERANCE_MS
      ? `it is of ${genTime}: the clock of the authority or that of this node is wrong`
      : null;
  }

  private now(): number {
    return this.clock.now().getTime();
  }
}
