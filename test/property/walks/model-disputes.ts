import { actorOf, type ActorName } from './cast.ts';
import type { Dispute } from './command.ts';
import { signal, tellParent } from './model-ends.ts';
import {
  disputable,
  loser,
  readable,
  refuse,
  sidesOf,
  type Effect,
  type ModelRecord,
  type ModelWorld,
} from './model-world.ts';

/** The steps of a dispute (records.md, part 6). */
export const dispute = (world: ModelWorld, { as, on, step, outcome }: Dispute): Effect => {
  const one = readable(world, as, on);
  if (step === 'open') return open(one, as);
  const running = one.dispute ?? refuse(422, 'UNPROCESSABLE_STATE');
  const sides = sidesOf(as, one);
  switch (step) {
    case 'evidence':
      return () => void one.entries.push('DISPUTE_EVIDENCE_SUBMITTED');
    case 'escalate':
      if (running.phase === 'TIER_3_ARBITRATION') refuse(422, 'UNPROCESSABLE_STATE');
      return () => {
        running.phase =
          running.phase === 'EVIDENCE_WINDOW' ? 'TIER_2_REVIEW' : 'TIER_3_ARBITRATION';
        one.entries.push('DISPUTE_ESCALATED');
      };
    case 'withdraw': {
      const actor = actorOf(as);
      if (
        !opened(as, running.opener) &&
        actor.kind !== 'platform' &&
        !(actor.kind === 'admin' && sides.has(running.side))
      )
        refuse(403, 'FORBIDDEN');
      return () => {
        one.dispute = null;
        one.entries.push('DISPUTE_WITHDRAWN');
        signal(
          one,
          one.status === 'FULFILLED' || one.status === 'REMEDIATED'
            ? 'SETTLE'
            : disputable(one)
              ? 'HOLD'
              : 'RELEASE',
        );
      };
    }
    case 'resolve': {
      if (opened(as, running.opener)) refuse(403, 'FORBIDDEN');
      const { kind } = actorOf(as);
      const concedes =
        outcome === 'OVERTURNED' &&
        sides.has(running.side === 'principal' ? 'performer' : 'principal');
      const reviews =
        kind === 'admin' && running.phase === 'TIER_2_REVIEW' && sides.has('principal');
      if (kind !== 'platform' && !concedes && !reviews) refuse(403, 'FORBIDDEN');
      return () => {
        one.dispute = null;
        const before = one.status;
        if (outcome === 'OVERTURNED') one.status = before === 'FULFILLED' ? 'FAILED' : 'REMEDIATED';
        one.entries.push('DISPUTE_RESOLVED');
        signal(
          one,
          one.status === 'FULFILLED' || one.status === 'REMEDIATED' ? 'SETTLE' : 'RELEASE',
        );
        if (one.status !== before) tellParent(world, one);
      };
    }
  }
};

const open = (one: ModelRecord, as: ActorName): Effect => {
  const side = loser(one);
  if (side !== null && !sidesOf(as, one).has(side)) refuse(403, 'FORBIDDEN');
  if (side === null || !disputable(one)) return refuse(422, 'UNPROCESSABLE_STATE');
  return () => {
    one.disputes += 1;
    one.dispute = { phase: 'EVIDENCE_WINDOW', side, opener: as };
    one.entries.push('DISPUTE_OPENED');
    signal(one, 'HOLD');
  };
};

/** The key that opened it, or any key of its agent. */
const opened = (as: ActorName, opener: ActorName): boolean =>
  as === opener || (actorOf(as).agent !== undefined && actorOf(as).agent === actorOf(opener).agent);
