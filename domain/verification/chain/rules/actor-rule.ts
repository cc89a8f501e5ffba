import { mayAct } from '../../../record/sides.ts';
import { actingOf, actorFault, sidesOfActor } from './acting.ts';
import { isMirrored, type SealedStep, type StepRule } from './sealed-step.ts';

/** The actor is a side that the lifecycle table allows for this step, by the parties that the chain seals. */
export const checkActorOfStep: StepRule = (step, fail) => {
  const { entry, before, after, transitions } = step;
  const { actor } = entry;
  const parties = before ?? after;
  const fault = actorFault(actor, parties);
  if (fault) return fail(fault);
  if (!before) return checkCreator(step, fail);
  // Who resolves, escalates or withdraws depends on the dispute.
  if (entry.entryType.startsWith('DISPUTE_') && entry.entryType !== 'DISPUTE_OPENED') return;
  if (isWithItsParent(step)) return;
  // Home looked at who acted; what a mirror does itself is looked at with the rest of the mirror.
  if (isMirrored(step) && actor.kind === 'peer') return;
  const acting = actingOf(actor, parties);
  if (!acting || !transitions.some((transition) => mayAct(transition, acting, before)))
    fail(`${entry.transition.action} is not for ${nameOf(step)} to do here`);
};

/** A record cancelled with the whole tree above it: whoever cancelled that need not be a party of this one. */
export const isWithItsParent = ({ entry }: Pick<SealedStep, 'entry'>): boolean =>
  entry.entryType === 'RECORD_CANCELLED' &&
  entry.reason === 'parent_cancelled' &&
  entry.parentRecordId !== undefined &&
  entry.actor.kind !== 'system';

/** Who creates a record speaks for its principal, or for the performer where the principal is asked to accept. */
const checkCreator: StepRule = ({ entry, after }, fail) => {
  const sides = sidesOfActor(entry.actor, after);
  if (sides.has('principal')) return;
  if (after.status !== 'PROPOSED' || !sides.has('performer'))
    fail(
      `a record that begins ${after.status} is not for ${entry.actor.kind} of no side to create`,
    );
};

const nameOf = ({ entry, before, after }: SealedStep): string => {
  const { kind } = entry.actor;
  if (kind === 'system') return 'the service itself';
  const sides = [...sidesOfActor(entry.actor, before ?? after)];
  return sides.length === 0
    ? `${kind === 'agent' ? 'an agent' : 'an admin'} who is of no side`
    : `the ${sides.join(' and ')}`;
};
