/**
 * The record lifecycle, reduced to what two hubs can disagree about. Gates, trees and contents are left out: home alone
 * judges them, and a mirror hears the result like any other transition.
 */
export type Status =
  | 'PROPOSED'
  | 'ACTIVE'
  | 'REVISION_REQUESTED'
  | 'FULFILLED'
  | 'FAILED'
  | 'REMEDIATED'
  | 'EXPIRED'
  | 'CANCELLED'
  | 'REJECTED';

export type Party = 'principal' | 'performer';
export type Actor = Party | 'system' | 'platform' | 'peer';

export const ACTIONS = [
  'accept',
  'reject',
  'counter-propose',
  'cancel',
  'expire',
  'submit-completion',
  'accept-verdict',
  'reject-verdict',
  'override',
  'revision',
  'open-dispute',
  'escalate',
  'withdraw',
  'concede',
  'uphold',
  'end-window',
] as const;
export type Action = (typeof ACTIONS)[number];

export interface Life {
  readonly status: Status;
  /** Whose consent a proposal waits for. */
  readonly awaits: Party | null;
  /** Which criteria are on the table: counted up by every counter-proposal. */
  readonly terms: number;
  readonly completions: number;
  readonly revisions: number;
  /** A completion waits for its verdict. */
  readonly pending: boolean;
  readonly cancelledBy: Party | null;
  readonly disputeBy: Party | null;
  readonly tier: number;
  readonly disputes: number;
  readonly windowOver: boolean;
  readonly signal: 'SETTLE' | 'HOLD' | 'RELEASE' | null;
}

export interface Limits {
  readonly rounds: number;
  readonly revisions: number;
  readonly tiers: number;
  readonly disputes: number;
}

export const OFFERED: Life = {
  status: 'PROPOSED',
  awaits: 'performer',
  terms: 0,
  completions: 0,
  revisions: 0,
  pending: false,
  cancelledBy: null,
  disputeBy: null,
  tier: 0,
  disputes: 0,
  windowOver: false,
  signal: null,
};

export const isOpen = ({ status }: Life): boolean =>
  status === 'PROPOSED' || status === 'ACTIVE' || status === 'REVISION_REQUESTED';

const other = (party: Party): Party => (party === 'principal' ? 'performer' : 'principal');

/** records.md 6: the side that the outcome went against, where there is one. */
export const loser = (life: Life): Party | null => {
  if (life.status === 'FULFILLED') return 'principal';
  if (life.status === 'FAILED') return 'performer';
  const delivered = life.completions > 0;
  if (life.status === 'EXPIRED') return delivered ? 'performer' : null;
  if (life.status === 'CANCELLED')
    return delivered && life.cancelledBy === 'principal' ? 'performer' : null;
  return null;
};

/** records.md 3 and 6. @returns null where the table does not allow it. */
export const apply = (life: Life, action: Action, by: Actor, limits: Limits): Life | null => {
  const { status } = life;
  if (life.disputeBy) return inDispute(life, action, by, limits);
  switch (action) {
    case 'accept':
      return status === 'PROPOSED' && by === life.awaits
        ? { ...life, status: 'ACTIVE', awaits: null }
        : null;
    case 'reject':
      return status === 'PROPOSED' && by === life.awaits
        ? { ...life, status: 'REJECTED', awaits: null }
        : null;
    case 'counter-propose':
      return status === 'PROPOSED' && by === life.awaits && life.terms < limits.rounds
        ? { ...life, awaits: other(life.awaits), terms: life.terms + 1 }
        : null;
    case 'cancel':
      return mayCancel(life, by)
        ? { ...life, status: 'CANCELLED', awaits: null, pending: false, cancelledBy: by as Party }
        : null;
    case 'expire':
      return isOpen(life) && by === 'system'
        ? { ...life, status: 'EXPIRED', awaits: null, pending: false }
        : null;
    case 'submit-completion':
      return by === 'performer' &&
        ((status === 'ACTIVE' && !life.pending) || status === 'REVISION_REQUESTED')
        ? { ...life, status: 'ACTIVE', pending: true, completions: life.completions + 1 }
        : null;
    case 'accept-verdict':
      return life.pending && by === 'principal'
        ? { ...life, status: 'FULFILLED', pending: false }
        : null;
    case 'reject-verdict':
      return life.pending && by === 'principal'
        ? { ...life, status: 'FAILED', pending: false }
        : null;
    case 'override':
      return status === 'FAILED' && by === 'principal' ? { ...life, status: 'REMEDIATED' } : null;
    case 'revision':
      return life.pending && by === 'principal' && life.revisions < limits.revisions
        ? { ...life, status: 'REVISION_REQUESTED', pending: false, revisions: life.revisions + 1 }
        : null;
    case 'open-dispute':
      return by === loser(life) && life.disputes < limits.disputes && !life.windowOver
        ? { ...life, disputeBy: by, tier: 1, disputes: 1 }
        : null;
    case 'end-window':
      return by === 'system' &&
        loser(life) !== null &&
        life.disputes === 0 &&
        limits.disputes > 0 &&
        !life.windowOver
        ? { ...life, windowOver: true }
        : null;
    default:
      return null;
  }
};

const mayCancel = (life: Life, by: Actor): boolean => {
  if (by !== 'principal' && by !== 'performer') return false;
  if (life.status === 'PROPOSED') return by !== life.awaits;
  if (life.status === 'REVISION_REQUESTED') return true;
  return life.status === 'ACTIVE' && (by === 'principal' || !life.pending);
};

const inDispute = (life: Life, action: Action, by: Actor, limits: Limits): Life | null => {
  const closed = { ...life, disputeBy: null, tier: 0 };
  if (action === 'withdraw') return by === life.disputeBy ? closed : null;
  if (action === 'uphold') return by === 'platform' ? closed : null;
  if (action === 'escalate')
    return (by === 'principal' || by === 'performer') && life.tier < limits.tiers
      ? { ...life, tier: life.tier + 1 }
      : null;
  if (action === 'concede')
    return by === other(life.disputeBy as Party)
      ? { ...closed, status: life.status === 'FULFILLED' ? 'FAILED' : 'REMEDIATED' }
      : null;
  return null;
};

/** records.md 7: what a change tells those who hold the money; `null` for nothing new. */
export const signalled = (
  before: Life,
  after: Life,
  action: Action,
  limits: Limits,
): Life | null => {
  const signal = recommendation(before, after, action, limits);
  return signal === null ? null : { ...after, signal };
};

const recommendation = (
  before: Life,
  after: Life,
  action: Action,
  limits: Limits,
): Life['signal'] => {
  if (action === 'open-dispute') return 'HOLD';
  if (action === 'end-window') return after.status === 'FULFILLED' ? null : 'RELEASE';
  if (action === 'escalate') return null;
  if (action === 'uphold' || action === 'concede')
    return after.status === 'FULFILLED' || after.status === 'REMEDIATED' ? 'SETTLE' : 'RELEASE';
  if (action === 'withdraw') {
    if (after.status === 'FULFILLED') return 'SETTLE';
    return after.disputes < limits.disputes && !after.windowOver ? 'HOLD' : 'RELEASE';
  }
  if (after.status === 'FULFILLED' || after.status === 'REMEDIATED') return 'SETTLE';
  if (after.status === 'FAILED') return 'HOLD';
  if (after.status === 'EXPIRED' || after.status === 'CANCELLED') {
    if (loser(after)) return 'HOLD';
    return before.status === 'PROPOSED' ? null : 'RELEASE';
  }
  return null;
};
