import type { FailureClass } from '../../domain/verification/report/failure.ts';
import type { Verdict } from '../../domain/verification/report/report.ts';
import { CoverageCount, type Coverage } from './coverage.ts';
import type { Verified } from './verified.ts';

/** How many documents of one kind that are not valid a report shows: lines of a file, and files. */
const LINES_SHOWN = 20;
const FILES_SHOWN = 1_000;
/** How many valid lines of files it shows. A report has 3 KB, so these have 1 MB. */
const VALID_LINES_SHOWN = 300;

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
 * The reports of documents that were verified together. A line of 8 bytes gets a report of 3 KB, and a valid one of 700
 * bytes as well. So only the first ones of each kind are shown, and the others are counted. Valid files are all shown.
 */
export class VerifiedFiles {
  readonly #shown: Verified[] = [];
  readonly #kinds = new Map<string, Kind>();
  readonly #coverage = new CoverageCount();
  readonly #counts: Record<Verdict, number> = { valid: 0, invalid: 0, cannot_tell: 0 };

  add(one: Verified, isLine: boolean): void {
    const verdict = VERDICTS[exitCodeOf(one)];
    this.#counts[verdict]++;
    const kind = this.#kindOf(
      verdict,
      'report' in one ? (one.report.brokenAt?.class ?? null) : null,
    );
    kind.count++;
    if (verdict === 'valid' && 'report' in one) this.#coverage.add(one.report.subject);
    if (kind.shown >= mostOf(verdict, isLine)) return;
    kind.shown++;
    this.#shown.push(one);
  }

  get shown(): readonly Verified[] {
    return this.#shown;
  }

  get counts(): Readonly<Record<Verdict, number>> {
    return this.#counts;
  }

  /** What all valid ones hold, also those that are not shown. */
  get coverage(): Coverage {
    return this.#coverage.result;
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

const mostOf = (verdict: Verdict, isLine: boolean): number => {
  if (verdict === 'valid') return isLine ? VALID_LINES_SHOWN : Infinity;
  return isLine ? LINES_SHOWN : FILES_SHOWN;
};

const VERDICTS = ['valid', 'invalid', 'cannot_tell'] as const satisfies readonly Verdict[];

const exitCodeOf = (one: Verified): 0 | 1 | 2 => ('report' in one ? one.report.exitCode : 2);
