import type { RewindAcknowledged } from '../../vault/rewind.ts';

/** What an entry REWIND_ACKNOWLEDGED says, and where it stands. */
export interface AcknowledgedLoss extends RewindAcknowledged {
  /** Of the entry, on the platform chain. */
  readonly acknowledgedIn: number;
  /** ISO 8601 with milliseconds. */
  readonly acknowledgedAt: string;
}

/** Whether this is said to be lost: what stood at the position when something of that time saw it. */
export const isLostBy = (
  { lostRange, acknowledgedAt }: AcknowledgedLoss,
  position: number,
  at: string,
): boolean => lostRange.from <= position && position <= lostRange.to && at < acknowledgedAt;

/** For people: exactly the range. */
export const lossText = (loss: AcknowledgedLoss): string => {
  const { from, to } = loss.lostRange;
  const entries = from === to ? `entry ${from}` : `entries ${from} to ${to}`;
  const were = from === to ? 'was' : 'were';
  const reason = loss.reason === null ? 'no reason is given' : `the reason given: ${loss.reason}`;
  return `${entries} of the chain ${loss.chainKey} ${were} lost in a rewind, up to the hash ${loss.lostHead}, as the checkpoint ${loss.checkpoint} shows; a platform key acknowledged it at ${loss.acknowledgedAt}, ${reason}`;
};

/** Those of all chains. */
export class AcknowledgedLosses {
  private readonly byChain = new Map<string, AcknowledgedLoss[]>();

  constructor(losses: readonly AcknowledgedLoss[] = []) {
    for (const loss of losses) this.add(loss);
  }

  add(loss: AcknowledgedLoss): void {
    const known = this.byChain.get(loss.chainKey);
    if (known) known.push(loss);
    else this.byChain.set(loss.chainKey, [loss]);
  }

  isLost(chainKey: string, position: number, at: string): boolean {
    return this.byChain.get(chainKey)?.some((loss) => isLostBy(loss, position, at)) ?? false;
  }

  /** Those of one chain. */
  of(chainKey: string): readonly AcknowledgedLoss[] {
    return this.byChain.get(chainKey) ?? [];
  }

  /** Whether any entry that the chain had at that time is lost. */
  hasLost(chainKey: string, at: string): boolean {
    return this.byChain.get(chainKey)?.some((loss) => at < loss.acknowledgedAt) ?? false;
  }
}
