import type { Answer, Body, Client } from '../../../support/service/world.ts';
import type { Action, Life, Party } from '../life.ts';
import { apply, OFFERED } from '../life.ts';

export const LIMITS = { rounds: 10, revisions: 3, tiers: 3, disputes: 1 } as const;

/** What a record shows to its readers, in the words of the model. */
export const lifeOf = (view: Body): Life => {
  const status = view['status'] as Life['status'];
  const awaiting = view['awaiting'] as string | null;
  const isProposed = status === 'PROPOSED';
  return {
    ...OFFERED,
    status,
    awaits: isProposed ? (awaiting as Party) : null,
    pending: status === 'ACTIVE' && awaiting === 'principal',
    completions: view['latestCompletionId'] ? 1 : 0,
    revisions: Number(view['revisionCount']),
    disputeBy: view['openDisputeId'] ? 'principal' : null,
    disputes: Number(view['disputeCount']),
    tier: 1,
  };
};

const OF_HOME: readonly Action[] = [
  'accept',
  'reject',
  'counter-propose',
  'cancel',
  'accept-verdict',
  'reject-verdict',
  'override',
  'revision',
  'open-dispute',
  'escalate',
  'withdraw',
  'concede',
];

const OF_MIRROR: readonly Action[] = [
  'accept',
  'reject',
  'counter-propose',
  'cancel',
  'submit-completion',
  'open-dispute',
  'escalate',
  'withdraw',
  'concede',
];

/**
 * What a side could sensibly ask for, as its own hub shows the record. Who opened a dispute is not looked at: the
 * wrong side's withdrawal and concession are tried too, and refused.
 */
export const actsOf = (side: Party, view: Body): readonly Action[] => {
  const life = lifeOf(view);
  const acts = side === 'principal' ? OF_HOME : OF_MIRROR;
  if (life.disputeBy)
    return acts.filter((act) => ['escalate', 'withdraw', 'concede'].includes(act));
  return acts.filter((act) => apply(life, act, side, LIMITS) !== null);
};

/** The request of an act. @param score of a completion: from 5 on the gate is content with it. */
export const perform = (
  client: Client,
  view: Body,
  act: Action | 'dispute-evidence' | 'uphold',
  score = 9,
): Promise<Answer<Body>> => {
  const post = (path: string, body: Body = {}): Promise<Answer<Body>> =>
    client.post(`/v1/records/${String(view['id'])}/${path}`, body);
  switch (act) {
    case 'accept':
      return post(view['counterProposal'] ? 'accept-counter' : 'accept');
    case 'counter-propose':
      return post(act, { criteria: { goal: `round ${Math.random()}`, threshold: 5 } });
    case 'submit-completion':
      return post('completions', {
        evidence: { score, log: `${Math.random()}` },
      });
    case 'accept-verdict':
    case 'override':
      return post('verdict', { verdict: 'accept', completionId: view['latestCompletionId'] });
    case 'reject-verdict':
      return post('verdict', { verdict: 'reject', completionId: view['latestCompletionId'] });
    case 'open-dispute':
      return post('dispute', { grounds: 'QUALITY', statement: 'Not as agreed.' });
    case 'dispute-evidence':
      return post('dispute/evidence', { evidence: { log: `${Math.random()}` } });
    case 'escalate':
      return post('dispute/escalate');
    case 'withdraw':
      return post('dispute/withdraw');
    case 'concede':
      return post('dispute/resolve', { outcome: 'OVERTURNED', resolution: 'So be it.' });
    case 'uphold':
      return post('dispute/resolve', { outcome: 'UPHELD', resolution: 'It stands.' });
    default:
      return post(act);
  }
};
