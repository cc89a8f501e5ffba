import { MAX_ROUNDS } from '../../../record/limits.ts';
import { sidesOfActor } from './acting.ts';
import { isWithItsParent } from './actor-rule.ts';
import { isMirrored, type SealedStep, type StepRule } from './sealed-step.ts';
import type { SealedRecord } from './sealed-record.ts';
import type { Side } from '../../../record/record-state.ts';

/** Who the parties are changes where the lifecycle says, and who called a record off is who acted. */
export const checkParties: StepRule = (step, fail) => {
  const { entry, before, after } = step;
  if (!before) return;
  const { performerAgentId, performerOrgId } = after;
  // The org of a performer on another hub comes with its first answer.
  const isLearnt = before.federation?.role === 'home' && before.performerOrgId === null;
  const isSame =
    performerAgentId === before.performerAgentId &&
    (performerOrgId === before.performerOrgId || isLearnt);
  if (entry.entryType === 'RECORD_PROPOSED') {
    if (performerAgentId === null || performerOrgId === null)
      fail('a draft is offered to a performer');
    else if (performerAgentId === before.principalAgentId)
      fail('a record is not proposed to its own principal');
  } else if (entry.entryType === 'RECORD_ACTIVATED' && before.performerAgentId === null) {
    if (performerAgentId !== before.principalAgentId || performerOrgId !== before.orgId)
      fail('a record that starts without a performer is performed by its principal');
  } else if (!isSame) fail(`an entry ${entry.entryType} does not change the performer`);
  if (after.proposalRounds > MAX_ROUNDS)
    fail(`a proposal goes back and forth at most ${MAX_ROUNDS} times`);
  // Who called a mirrored record off shows at home.
  if (isMirrored(step)) return;
  if (entry.entryType !== 'RECORD_CANCELLED' || entry.cancelledBy === cancellingSide(step, before))
    return;
  if (entry.cancelledBy !== 'principal' || !isWithItsParent(step))
    fail('the record was called off by the other side than sealed');
};

const cancellingSide = (step: SealedStep, before: SealedRecord): Side => {
  const sides = sidesOfActor(step.entry.actor, before);
  const proposer =
    before.status === 'PROPOSED' && before.awaiting === 'principal' ? 'performer' : 'principal';
  if (sides.size === 2) return proposer;
  return sides.has('principal') ? 'principal' : 'performer';
};
