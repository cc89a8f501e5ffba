import { toHex } from '../../domain/kernel/digest.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { PLATFORM_CHAIN, type ChainKey } from '../../domain/vault/chain-key.ts';
import type { RewindFinding } from '../../domain/vault/rewind.ts';

/**
 * Refuses to sign on chains that were rewound. It is held in memory, so that nobody pays a look at the database for it; a
 * watch of each process fills it.
 */
export class RewindGuard {
  private readonly blocked = new Map<string, RewindFinding>();
  private news: RewindFinding[] = [];
  private superseded: RewindFinding[] = [];
  private uncompared: string | null = null;

  /**
   * @throws CHAIN_REWIND_DETECTED where this chain, or the platform chain, was rewound.
   * @throws SERVICE_UNAVAILABLE before the anchors were compared.
   */
  assertWritable(chainKey: ChainKey): void {
    if (this.blocked.size === 0 && this.uncompared === null) return;
    if (this.uncompared !== null)
      throw new NotaryError('SERVICE_UNAVAILABLE', this.uncompared, { retryAfter: 10 });
    const finding = this.of(PLATFORM_CHAIN) ?? this.of(chainKey);
    if (finding) throw rewindDetected(finding);
  }

  /** Whether a finding is open about this very chain. */
  isRewound(chainKey: ChainKey): boolean {
    return this.blocked.size > 0 && this.of(chainKey) !== null;
  }

  /** Whether a finding is open that this chain ends before a checkpoint saw it end. */
  isBehind(chainKey: ChainKey): boolean {
    return this.findings.some(
      (finding) =>
        finding.chainKey === chainKey && finding.localPosition < finding.anchoredPosition,
    );
  }

  /** From here on the chain is refused. What was not known before is told to the watch. */
  block(finding: RewindFinding, isStored = false): void {
    if (this.findings.some((known) => shows(known, finding))) {
      // Another node or an earlier start stored it, before there was one that shows more.
      if (isStored && !this.knows(finding)) this.superseded.push(finding);
      return;
    }
    for (const known of this.findings)
      if (shows(finding, known)) {
        this.lift(known);
        this.superseded.push(known);
      }
    this.blocked.set(rewindName(finding), finding);
    if (!isStored) this.news.push(finding);
  }

  /** Findings whose loss another one shows as well, and more of it: their rows are to be removed. */
  takeSuperseded(): readonly RewindFinding[] {
    const { superseded } = this;
    this.superseded = [];
    return superseded;
  }

  /** Whether this very finding is open. */
  knows(finding: RewindFinding): boolean {
    return this.blocked.has(rewindName(finding));
  }

  lift(finding: RewindFinding): void {
    const name = rewindName(finding);
    this.blocked.delete(name);
    this.news = this.news.filter((one) => rewindName(one) !== name);
  }

  /** @param why nothing is signed, as a sentence for callers; null: everything was compared. */
  setUncompared(why: string | null): void {
    this.uncompared = why;
  }

  get isUncompared(): boolean {
    return this.uncompared !== null;
  }

  get findings(): readonly RewindFinding[] {
    return [...this.blocked.values()];
  }

  /** Findings that nobody stored yet. */
  takeNews(): readonly RewindFinding[] {
    const news = this.news;
    this.news = [];
    return news;
  }

  /** Where they could not be stored. */
  giveBack(news: readonly RewindFinding[], superseded: readonly RewindFinding[]): void {
    this.news.unshift(...news);
    this.superseded.unshift(...superseded);
  }

  private of(chainKey: ChainKey): RewindFinding | null {
    for (const finding of this.blocked.values()) if (finding.chainKey === chainKey) return finding;
    return null;
  }
}

/** Whether one finding shows the whole loss that another one shows: a chain that was cut once contradicts several checkpoints. */
const shows = (finding: RewindFinding, other: RewindFinding): boolean =>
  finding.chainKey === other.chainKey &&
  finding.anchoredPosition >= other.anchoredPosition &&
  finding.localPosition <= other.localPosition &&
  (finding.isKeyLost || !other.isKeyLost);

/** One checkpoint that contradicts one chain. */
export const rewindName = ({ chainKey, checkpointHash }: RewindFinding): string =>
  `${chainKey}/${toHex(checkpointHash)}`;

const rewindDetected = (finding: RewindFinding): NotaryError =>
  new NotaryError(
    'CHAIN_REWIND_DETECTED',
    `${finding.chainKey === PLATFORM_CHAIN ? 'The platform chain' : `The chain ${finding.chainKey}`} is not the one that was signed: a checkpoint saw it end at position ${finding.anchoredPosition}, and here it ${finding.localPosition === 0 ? 'has no entry' : `ends at ${finding.localPosition}`}. An older copy of the database was restored, or rows were removed; nothing more is signed on it.`,
    {
      suggestion:
        'Restore a backup that holds the missing entries. Where there is none, a platform key acknowledges the loss: POST /v1/admin/vault/rewind/acknowledge.',
    },
  );
