import { hasPassed } from '../kernel/due.ts';

/** So many failures without a success open the circuit. */
export const FAILURES_TO_OPEN = 10;
/** After so long one probe is sent, ms. */
export const PROBE_AFTER_MS = 60_000;
/** After so long without a success, while it fails, a subscription becomes inactive, ms. */
export const INACTIVE_AFTER_MS = 72 * 3_600_000;

export type CircuitState = 'closed' | 'open' | 'half_open';

/** The breaker of one subscription. Pings, interrupted attempts and what never reached for the network do not count. */
export interface Circuit {
  readonly state: CircuitState;
  readonly consecutiveFailures: number;
  /** ISO 8601, of the latest opening; null while closed. */
  readonly openedAt: string | null;
  /** An operator opened it: it stays open until an operator closes it. */
  readonly isHeld: boolean;
  /** ISO 8601: the first failure since the last success. */
  readonly failingSince: string | null;
  /** ISO 8601. */
  readonly lastSuccessfulAt: string | null;
}

export const CLOSED: Circuit = {
  state: 'closed',
  consecutiveFailures: 0,
  openedAt: null,
  isHeld: false,
  failingSince: null,
  lastSuccessfulAt: null,
};

export const succeeded = (circuit: Circuit, at: string): Circuit =>
  // What was under way when an operator opened it does not close it.
  circuit.isHeld ? { ...circuit, lastSuccessfulAt: at } : { ...CLOSED, lastSuccessfulAt: at };

export const failed = (circuit: Circuit, at: string): Circuit => {
  const consecutiveFailures = circuit.consecutiveFailures + 1;
  const counted = { ...circuit, consecutiveFailures, failingSince: circuit.failingSince ?? at };
  const opens =
    circuit.state === 'half_open' ||
    (circuit.state === 'closed' && consecutiveFailures >= FAILURES_TO_OPEN);
  return opens ? { ...counted, state: 'open', openedAt: at } : counted;
};

/** What may leave now. A probe is one attempt: until it is answered, all others wait. */
export const mayLeave = (circuit: Circuit, now: string): 'any' | 'probe' | 'none' => {
  if (circuit.state === 'closed') return 'any';
  if (circuit.isHeld) return 'none';
  return hasPassed(PROBE_AFTER_MS, circuit.openedAt ?? now, now) ? 'probe' : 'none';
};

/** When a probe may leave, ISO 8601; null where nothing waits for that. */
export const probeAt = ({ state, isHeld, openedAt }: Circuit): string | null =>
  state === 'closed' || isHeld || openedAt === null
    ? null
    : new Date(Date.parse(openedAt) + PROBE_AFTER_MS).toISOString();

export const probing = (circuit: Circuit): Circuit => ({ ...circuit, state: 'half_open' });

/**
 * While it is open, what happens after the opening is not attempted. What happens once a probe is due waits for that, for
 * it may be the probe itself.
 */
export const refuses = ({ state, openedAt, isHeld }: Circuit, createdAt: string): boolean =>
  state !== 'closed' &&
  openedAt !== null &&
  createdAt > openedAt &&
  (isHeld || Date.parse(createdAt) < Date.parse(openedAt) + PROBE_AFTER_MS);

export const setByOperator = (circuit: Circuit, state: 'closed' | 'open', at: string): Circuit =>
  state === 'open'
    ? { ...circuit, state, openedAt: at, isHeld: true }
    : { ...CLOSED, lastSuccessfulAt: circuit.lastSuccessfulAt };

export const isSpent = ({ failingSince }: Circuit, now: string): boolean =>
  failingSince !== null && Date.parse(now) >= Date.parse(failingSince) + INACTIVE_AFTER_MS;
