import { NotaryError } from '../../domain/kernel/errors.ts';
import type { RateDecision } from '../ports/rate-limiter.port.ts';

/** A limit as a refusal names it. */
export interface NamedLimit {
  /** As in RateLimit-Policy. */
  readonly name: string;
  readonly limit: number;
  /** What it counts, after a number: `requests of this key`. */
  readonly counts: string;
  /** The settings by which the operator changes it. */
  readonly setting: string;
}

export const rateLimited = (named: NamedLimit, { retryAfterSeconds }: RateDecision): NotaryError =>
  new NotaryError(
    'RATE_LIMITED',
    `More than ${named.limit} ${named.counts} within a minute: ${nameOf(named)}. Try again in ${retryAfterSeconds} s.`,
    { retryAfter: retryAfterSeconds },
  );

/** A call that is larger than the limit itself: to wait does not help, so no Retry-After says so. */
const neverFits = (named: NamedLimit, items: number): NotaryError =>
  new NotaryError(
    'PAYLOAD_TOO_LARGE',
    `A call of ${items} items never fits: no more than ${named.limit} ${named.counts} are taken within a minute, by ${nameOf(named)}.`,
    {
      errors: [
        { path: '', keyword: 'maxItems', message: `must have at most ${named.limit} items` },
      ],
      suggestion: `Send at most ${named.limit} items in one call, and the others a minute later.`,
    },
  );

/** A limit, and what it says to a call that is refused. */
export interface Refusing {
  readonly named: NamedLimit;
  readonly decision: RateDecision;
}

/** Of several limits that refuse, the one that does so longest. */
export const refusalOf = (looks: readonly Refusing[], cost: number): Error => {
  const refusing = looks.toSorted(
    (a, b) => b.decision.retryAfterSeconds - a.decision.retryAfterSeconds,
  );
  const tooSmall = refusing
    .filter(({ named }) => named.limit > 0 && cost > named.limit)
    .sort((a, b) => a.named.limit - b.named.limit)[0];
  if (tooSmall) return neverFits(tooSmall.named, cost);
  const [longest] = refusing;
  return rateLimited(longest!.named, longest!.decision);
};

const nameOf = ({ name, setting }: NamedLimit): string => `the limit "${name}" (${setting})`;
