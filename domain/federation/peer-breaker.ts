import { isDue } from '../kernel/due.ts';
import { FAILURES_TO_OPEN, PROBE_AFTER_MS } from '../delivery/circuit.ts';

/**
 * The breaker of one peer, for all lanes to it. While it is open one message a minute probes, and all others wait; it
 * gives nothing to the DLQ, so what waits for a peer that is away goes on when it is back.
 */
export interface PeerBreaker {
  readonly consecutiveFailures: number;
  /** ISO 8601, of its opening; null while closed. */
  readonly openedAt: string | null;
  /** ISO 8601: when the next probe may leave; null while closed. */
  readonly probeAt: string | null;
}

export const CLOSED_BREAKER: PeerBreaker = {
  consecutiveFailures: 0,
  openedAt: null,
  probeAt: null,
};

export const peerFailed = (breaker: PeerBreaker, now: string): PeerBreaker => {
  const consecutiveFailures = breaker.consecutiveFailures + 1;
  if (consecutiveFailures < FAILURES_TO_OPEN) return { ...breaker, consecutiveFailures };
  return {
    consecutiveFailures,
    openedAt: breaker.openedAt ?? now,
    probeAt: breaker.probeAt ?? minuteAfter(now),
  };
};

/** The next one is a minute away, whatever comes of this one, and whoever sends it. */
export const peerProbed = (breaker: PeerBreaker, now: string): PeerBreaker => ({
  ...breaker,
  probeAt: minuteAfter(now),
});

export const peerLetsLeave = ({ openedAt, probeAt }: PeerBreaker, now: string): Leave => {
  if (openedAt === null) return 'any';
  return probeAt === null || isDue(probeAt, now, 2 * PROBE_AFTER_MS) ? 'probe' : 'none';
};

export type Leave = 'any' | 'probe' | 'none';

const minuteAfter = (now: string): string =>
  new Date(Date.parse(now) + PROBE_AFTER_MS).toISOString();
