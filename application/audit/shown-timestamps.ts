import type { Checkpoint } from '../../domain/vault/checkpoint.ts';
import type { TimestampChecker } from '../../domain/vault/timestamp-checker.port.ts';
import type { TimestampReads } from '../../domain/vault/timestamp-store.port.ts';
import { timestampFault } from '../../domain/vault/timestamp.ts';
import type { Log } from '../ports/log.port.ts';

/** The time stamps of rounds, as exports show them. */
export class ShownTimestamps {
  /** The one that was judged last: exports show the newest round, so it is asked for again and again. */
  private judged: { readonly logIndex: number; readonly token: Uint8Array } | null = null;

  constructor(
    private readonly reads: Pick<TimestampReads, 'of'>,
    private readonly checker: TimestampChecker,
    private readonly log: Log,
  ) {}

  /**
   * The token of a checkpoint that is genuine; null where it has none. So it is where the token was changed or moved behind
   * the service, which raises an alarm: an export with it would be refused for what the notary did not do.
   */
  async of(checkpoint: Checkpoint): Promise<Uint8Array | null> {
    const { logIndex, coseSign1, createdAt } = checkpoint;
    if (this.judged?.logIndex === logIndex) return this.judged.token;
    const token = await this.reads.of(logIndex);
    if (!token) return null;
    const reading = await this.checker.read(token);
    const fault =
      'fault' in reading ? reading.detail : timestampFault(reading.stamp, coseSign1, createdAt);
    if (fault === null) {
      this.judged = { logIndex, token };
      return token;
    }
    this.log.error(
      { logIndex, fault, alarm: 'checkpoint_timestamp' },
      'the time stamp of a checkpoint was changed behind the service',
    );
    return null;
  }
}
