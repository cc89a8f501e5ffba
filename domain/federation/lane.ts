/** Waits before the second attempt of a message, the third and so on, seconds; after these the last one, again and again. */
export const LANE_WAITS_SECONDS = [5, 15, 40, 90, 150] as const;
export const LATER_WAIT_SECONDS = 300;
/** So long after its first attempt a message is given to the DLQ, ms. */
export const EXHAUSTED_AFTER_MS = 7 * 24 * 3_600_000;
/** A peer that asks for more time gets no more than that. */
const MAX_RETRY_AFTER_SECONDS = LATER_WAIT_SECONDS;
/** No attempt is put off further than this, ms, with room for clocks that are apart. */
export const LONGEST_LANE_WAIT_MS = 2 * LATER_WAIT_SECONDS * 1_000;
/** Requests to one peer at once, over all lanes and nodes. */
export const REQUESTS_AT_ONCE = 8;
/**
 * Lanes that a node takes at once where no other one sends to the peer: those beyond the requests under way wait for one to
 * end, so that one transaction gives out and takes back many.
 */
export const LANES_AT_ONCE = 4 * REQUESTS_AT_ONCE;

/** Why a lane stands, and its messages are in the DLQ. */
export const LANE_STOPS = ['blocked', 'attempts_exhausted', 'peer_revoked'] as const;
export type LaneStop = (typeof LANE_STOPS)[number];

/** What came of sending a message. An answer is attested where the counter-attestation in it verified. */
export type LaneOutcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly isAttested: boolean;
      /** Of a 409 SEQUENCE_GAP: the one that the peer waits for. */
      readonly expectedSequence: number | null;
      readonly retryAfterSeconds: number | null;
    }
  | { readonly kind: 'unreachable' };

/** What follows for the lane. */
export type LaneVerdict =
  | { readonly kind: 'delivered' }
  /** Goes on at once from the message that the peer waits for. */
  | { readonly kind: 'rewound'; readonly sequence: number }
  | { readonly kind: 'waits'; readonly afterMs: number }
  | { readonly kind: 'stopped'; readonly reason: LaneStop };

/** How often the message at the head of a lane failed, and since when. */
export interface LaneFailures {
  readonly attempts: number;
  /** ISO 8601, of the first failure; null without one. */
  readonly since: string | null;
}

export const NO_FAILURES: LaneFailures = { attempts: 0, since: null };

/** Whose repetition may end otherwise. All other refusals say that the message itself is not taken. */
const RETRIED: ReadonlySet<number> = new Set([401, 408, 409, 425, 429]);

const isRetried = (status: number): boolean => status < 300 || status >= 500 || RETRIED.has(status);

/**
 * An answer counts only with an attestation: without one a 2xx proves nothing, and the message is sent again. A 422
 * without one (and 404, 413 and their like) stops the lane, because the same bytes will not fare better.
 *
 * @param sent the sequence of the message.
 * @param failures of this message, without this one.
 * @param isProbe the breaker asked for this attempt; it exhausts no lane.
 */
export const laneVerdict = (
  outcome: LaneOutcome,
  { sent, failures, now, isProbe }: LaneAttempt,
): LaneVerdict => {
  if (outcome.kind === 'answered') {
    if (outcome.isAttested) return { kind: 'delivered' };
    const { expectedSequence } = outcome;
    if (outcome.status === 409 && expectedSequence !== null && expectedSequence < sent)
      return { kind: 'rewound', sequence: expectedSequence };
    if (!isRetried(outcome.status)) return { kind: 'stopped', reason: 'blocked' };
  }
  const since = failures.since ?? now;
  if (!isProbe && Date.parse(now) - Date.parse(since) >= EXHAUSTED_AFTER_MS)
    return { kind: 'stopped', reason: 'attempts_exhausted' };
  const wait = LANE_WAITS_SECONDS[failures.attempts] ?? LATER_WAIT_SECONDS;
  const asked = outcome.kind === 'answered' ? (outcome.retryAfterSeconds ?? 0) : 0;
  return {
    kind: 'waits',
    afterMs: 1_000 * Math.max(wait, Math.min(asked, MAX_RETRY_AFTER_SECONDS)),
  };
};

export interface LaneAttempt {
  readonly sent: number;
  readonly failures: LaneFailures;
  /** ISO 8601. */
  readonly now: string;
  readonly isProbe: boolean;
}

export const failedAgain = ({ attempts, since }: LaneFailures, now: string): LaneFailures => ({
  attempts: attempts + 1,
  since: since ?? now,
});

/** A peer that gave no answer, or one that says nothing of the message, is away. */
export const isAway = (outcome: LaneOutcome): boolean =>
  outcome.kind === 'unreachable' ||
  outcome.status >= 500 ||
  outcome.status === 401 ||
  outcome.status === 408;
