import type { Verified } from './verified.ts';

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

export const coverageOf = (verified: readonly Verified[]): Coverage => {
  const subjects = verified.flatMap((one) =>
    'report' in one && one.report.verdict === 'valid' ? [one.report.subject] : [],
  );
  const chains = new Set(subjects.map(({ chainKey }) => chainKey));
  const times = subjects.flatMap(({ completeAsOf }) => completeAsOf ?? []).sort();
  const sum = (count: (subject: (typeof subjects)[number]) => number): number =>
    subjects.reduce((total, subject) => total + count(subject), 0);
  const [first] = times;
  const last = times.at(-1);
  return {
    chains: chains.size,
    repeated: subjects.length - chains.size,
    entries: sum(({ entries }) => entries),
    completeAsOf: first !== undefined && last !== undefined ? { first, last } : null,
    open: subjects.length - times.length,
    evidence: {
      sealed: sum(({ evidence }) => evidence.sealed),
      present: sum(({ evidence }) => evidence.present),
    },
  };
};

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
