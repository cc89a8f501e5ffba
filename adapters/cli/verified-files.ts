import type { FailureClass } from '../../domain/verification/failure.ts';
import type { Verdict } from '../../domain/verification/report.ts';
import type { Verified } from './verified.ts';

/** How many documents of one kind that are not valid a report shows: lines of a file, and files. */
const LINES_SHOWN = 20;
const FILES_SHOWN = 1_000;

/** Documents that a report counts and does not show, because it shows enough of their kind. */
export interface OmittedDocuments {
  readonly verdict: Verdict;
  /** The class of their first failure; null if they have none. */
  readonly class: FailureClass | null;
  readonly count: number;
}

interface Kind {
  readonly verdict: Verdict;
  readonly class: FailureClass | null;
  shown: number;
  count: number;
}

/**
 * The reports of documents that were verified together. A line of 8 bytes gets a report of 3 KB, so only the first ones of
 * each kind that is not valid are shown, and the others are counted.
 */
export class VerifiedFiles {
  readonly #shown: Verified[] = [];
  readonly #kinds = new Map<string, Kind>();
  readonly #counts: Record<Verdict, number> = { valid: 0, invalid: 0, cannot_tell: 0 };

  add(one: Verified, isLine: boolean): void {
    const verdict = VERDICTS[exitCodeOf(one)];
    this.#counts[verdict]++;
    if (verdict === 'valid') return void this.#shown.push(one);
    const kind = this.#kindOf(
      verdict,
      'report' in one ? (one.report.brokenAt?.class ?? null) : null,
    );
    kind.count++;
    if (kind.shown >= (isLine ? LINES_SHOWN : FILES_SHOWN)) return;
    kind.shown++;
    this.#shown.push(one);
  }

  get shown(): readonly Verified[] {
    return this.#shown;
  }

  get counts(): Readonly<Record<Verdict, number>> {
    return this.#counts;
  }

  get total(): number {
    return this.#counts.valid + this.#counts.invalid + this.#counts.cannot_tell;
  }

  get omitted(): readonly OmittedDocuments[] {
    return [...this.#kinds.values()]
      .filter(({ shown, count }) => count > shown)
      .map(({ shown, count, ...kind }) => ({ ...kind, count: count - shown }));
  }

  /** What is invalid is certain, so it is worse than what cannot be told. */
  get exitCode(): 0 | 1 | 2 {
    return this.#counts.invalid > 0 ? 1 : this.#counts.cannot_tell > 0 ? 2 : 0;
  }

  #kindOf(verdict: Verdict, failureClass: FailureClass | null): Kind {
    const key = `${verdict} ${failureClass}`;
    const known = this.#kinds.get(key);
    if (known) return known;
    const kind = { verdict, class: failureClass, shown: 0, count: 0 };
    this.#kinds.set(key, kind);
    return kind;
  }
}

const VERDICTS = ['valid', 'invalid', 'cannot_tell'] as const satisfies readonly Verdict[];

const exitCodeOf = (one: Verified): 0 | 1 | 2 => ('report' in one ? one.report.exitCode : 2);
