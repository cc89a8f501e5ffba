import { isClosed, toSend } from './moves.ts';
import { isOpen } from './life.ts';
import { lives, type Play, type Side, type State } from './world.ts';

/** Nothing is under way, and neither lane has anything that it could still send. */
export const isQuiescent = (play: Play, state: State): boolean =>
  state.requests.length === 0 &&
  state.answers.length === 0 &&
  isIdle(play, state, 'home') &&
  isIdle(play, state, 'mirror');

const isIdle = (play: Play, state: State, hub: 'home' | 'mirror'): boolean =>
  !state[hub].frozen && (isClosed(play, state, hub) || toSend(play, state, hub).length === 0);

/** What no state may show. */
export const wrongAnywhere = (state: State): string | null => {
  const { home, mirror, fault } = state;
  if (fault) return fault;
  for (const [name, side] of Object.entries({ home, mirror })) {
    if (side.ended > 1) return `${name}: the record ended twice`;
    if (side.effects.some((sequence, index) => sequence <= (side.effects[index - 1] ?? 0)))
      return `${name}: a message took effect twice, or late`;
    if (side.detached === 'broken') return `${name}: an honest hub broke the lifecycle`;
    if (side.detached === 'equivocation' && !state.isRestored)
      return `${name}: an honest hub equivocated`;
  }
  const isExcused = state.isRestored || isParted(home, mirror);
  if (!isExcused && (home.detached ?? mirror.detached)) return 'detached without a cause';
  if (mirror.effects.some((sequence, index) => sequence !== index + 1))
    return 'mirror: a message of home was left out';
  return null;
};

/** What no quiescent state may show. */
export const wrongAtRest = ({ home, mirror, isRestored }: State): string | null => {
  if (mirror.step !== null && !isParted(home, mirror)) return 'mirror: a step hangs';
  if (home.detached || mirror.detached)
    return mirror.detached && mirror.step !== null
      ? 'mirror: a step of a detached record hangs'
      : null;
  if (home.offerRefused) {
    if (mirror.exists) return 'the offer counts as refused at home, and the mirror stands';
    return isOpen(lives.of(home.life)) ? 'home: open after a refused offer' : null;
  }
  // A hub that lost the record whole says so at home's next message.
  if (!mirror.exists && isRestored) return null;
  if (!mirror.exists) return 'home: no offer is left to send, and there is no mirror';
  return home.life === mirror.life ? null : `home is ${told(home)}, the mirror is ${told(mirror)}`;
};

/** One side was revoked and the other has not been told yet, by its operator or by an answer. */
const isParted = (home: Side, mirror: Side): boolean =>
  home.peer === 'REVOKED' || mirror.peer === 'REVOKED';

const told = ({ life }: Side): string => {
  const { status, awaits, signal, disputeBy } = lives.of(life);
  return [status, awaits && `awaiting ${awaits}`, disputeBy && 'disputed', signal]
    .filter(Boolean)
    .join(' ');
};
