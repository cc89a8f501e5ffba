import { wilsonLowerBound } from './wilson.ts';

/**
 * The outcomes of the records that an agent performed for others. `accepted` and `rejected` are the
 * outcomes after overrides and disputes, one for each record; `completions` counts every
 * submission.
 */
export interface Tally {
  readonly records: number;
  readonly completions: number;
  readonly accepted: number;
  readonly rejected: number;
  readonly overturned: number;
  readonly expired: number;
  /** From activation to submission, ms; null without submissions. */
  readonly medianCompletionMs: number | null;
}

export interface TallyByType {
  readonly overall: Tally;
  /** By name of the type. */
  readonly byType: readonly (Tally & { readonly type: string })[];
  /** Creation of the oldest record that counts, ISO 8601; null where none does. */
  readonly since: string | null;
}

export interface Standing {
  /** Between 0 and 1; null without verdicts. */
  readonly score: number | null;
  readonly sampleSize: number;
  readonly acceptanceRate: number | null;
}

export const standingOf = ({
  accepted,
  rejected,
}: Pick<Tally, 'accepted' | 'rejected'>): Standing => {
  const sampleSize = accepted + rejected;
  return {
    score: wilsonLowerBound(accepted, sampleSize),
    sampleSize,
    acceptanceRate: sampleSize === 0 ? null : accepted / sampleSize,
  };
};
