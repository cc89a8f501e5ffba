import type { VerificationSubject } from '../../domain/verification/report/report.ts';

/** What files that were verified together hold, of those found valid. */
export interface Coverage {
  /** Chains, each counted once. */
  readonly chains: number;
  /** Files that are of a chain of another file. */
  readonly repeated: number;
  readonly entries: number;
  /** Of the files that hold their chain to its end: the oldest and the newest sealed time of that; null without one. */
  readonly completeAsOf: { readonly first: string; readonly last: string } | null;
  /** Files that show no end of their chain. */
  readonly open: number;
  readonly evidence: { readonly sealed: number; readonly present: number };
}

/** Counts what valid files hold, one file after the other. */
export class CoverageCount {
  readonly #chains = new Set<string | null>();
  #files = 0;
  #entries = 0;
  #closed = 0;
  #first: string | null = null;
  #last: string | null = null;
  #sealed = 0;
  #present = 0;

  add({ chainKey, entries, completeAsOf, evidence }: VerificationSubject): void {
    this.#chains.add(chainKey);
    this.#files++;
    this.#entries += entries;
    this.#sealed += evidence.sealed;
    this.#present += evidence.present;
    if (completeAsOf === null) return;
    this.#closed++;
    if (this.#first === null || completeAsOf < this.#first) this.#first = completeAsOf;
    if (this.#last === null || completeAsOf > this.#last) this.#last = completeAsOf;
  }

  get result(): Coverage {
    const [first, last] = [this.#first, this.#last];
    return {
      chains: this.#chains.size,
      repeated: this.#files - this.#chains.size,
      entries: this.#entries,
      completeAsOf: first !== null && last !== null ? { first, last } : null,
      open: this.#files - this.#closed,
      evidence: { sealed: this.#sealed, present: this.#present },
    };
  }
}

/** The same as a person reads it. */
export const coverageText = (coverage: Coverage): string => {
  const { chains, repeated, entries, completeAsOf, open, evidence } = coverage;
  return [
    `${entries} entries of ${chains} chains`,
    ...(repeated > 0 ? [`${repeated} files of a chain that another file shows too`] : []),
    ...(completeAsOf
      ? [
          completeAsOf.first === completeAsOf.last
            ? `complete as of ${completeAsOf.first}`
            : `complete as of ${completeAsOf.first} (the oldest) to ${completeAsOf.last}`,
        ]
      : []),
    ...(open > 0 ? [`${open} files do not show where their chain ends`] : []),
    `${evidence.present} of ${evidence.sealed} pieces of evidence`,
  ].join(', ');
};
