import { ACTIONS, isOpen, type Action, type Life } from './life.ts';
import { lives, messages, type Answer, type Detached, type Play, type State } from './world.ts';

/** The performer's side acts on the mirror: a step for home, the state unchanged. */
export const offerStep = (play: Play, state: State, action: Action): boolean => {
  const { mirror } = state;
  if (!mirror.exists || mirror.detached || mirror.frozen) return false;
  if (mirror.peer === 'REVOKED') return false;
  if (mirror.step !== null && play.rules.oneStepAtATime) return false;
  if (mirror.refusedSteps >= play.scene.maxRefused || mirror.out.length >= MAX_STEPS) return false;
  if (!play.after(mirror.life, action, 'performer')) return false;
  const message = messages.id({
    action,
    by: 'performer',
    life: mirror.life,
    ack: mirror.taken,
  });
  mirror.out = [...mirror.out, message];
  mirror.step = mirror.out.length;
  return true;
};

/** Only where rules are broken does a mirror get so far; the state space stays finite. */
const MAX_STEPS = 8;

/** What the performer's side may ask for; `expire`, `uphold` and the like are nobody's to ask. */
export const STEPS = ACTIONS.filter(
  (action) => !['expire', 'uphold', 'end-window', 'override', 'revision'].includes(action),
);

/** A message of home arrives. @returns the answer, null where there is none that counts. */
export const receiveMessage = (
  play: Play,
  state: State,
  sequence: number,
  message: number,
): Answer | null => {
  const { mirror } = state;
  if (mirror.peer !== 'ACTIVE' || mirror.frozen) return null;
  const answer = (outcome: Answer['outcome'], expected = 0): Answer => ({
    to: 'home',
    sequence,
    message,
    outcome,
    stale: false,
    expected,
    carried: [],
  });
  if (!mirror.exists) {
    if (sequence > 1) return answer('gap', 1);
    if (!state.willing || mirror.offerRefused) {
      mirror.offerRefused = play.rules.refusedOfferStaysRefused;
      return answer('refused');
    }
    mirror.exists = true;
    take(play, state, sequence, message);
    return answer('applied');
  }
  if (sequence <= mirror.taken && play.rules.knownIsNotAppliedAgain) {
    if (mirror.heard[sequence - 1] === message) return answer('applied');
    detach(play, state, 'equivocation');
    return answer('detached');
  }
  if (mirror.detached) return play.rules.detachedAnswers ? answer('detached') : null;
  if (sequence > mirror.taken + 1 && play.rules.onlyTheNextIsApplied)
    return answer('gap', mirror.taken + 1);
  if (!follows(play, state, message)) {
    detach(play, state, 'broken');
    return answer('detached');
  }
  take(play, state, sequence, message);
  return answer('applied');
};

/** "Every later message of home is applied, or it breaks the lifecycle": the mirror takes nobody's word for the table. */
const follows = (play: Play, { mirror }: State, message: number): boolean => {
  const { action, by, life } = messages.of(message);
  if (action === 'offer') return false;
  if (action === 'signal') {
    const { signal } = lives.of(life);
    return signal !== null && lives.id({ ...lives.of(mirror.life), signal }) === life;
  }
  if (action === 'reject' && by === 'peer') return false;
  return play.after(mirror.life, action, by)?.life === life;
};

const take = (play: Play, state: State, sequence: number, message: number): void => {
  const { mirror } = state;
  const { action, life, ack } = messages.of(message);
  mirror.effects = [...mirror.effects, sequence];
  if (isOpen(lives.of(mirror.life)) && !isOpen(lives.of(life))) mirror.ended++;
  mirror.life = life;
  mirror.taken = Math.max(mirror.taken, sequence);
  mirror.applied = mirror.taken;
  mirror.heard = [...mirror.heard.slice(0, sequence - 1), message];
  mirror.answers = [...mirror.answers.slice(0, sequence - 1), 'applied'];
  if (mirror.step === null || !play.rules.stepEndsWithHomesMessage) return;
  const asked = messages.of(mirror.out[mirror.step - 1] as number).action;
  const isItsOwn = play.rules.stepEndsWithItsAck ? ack >= mirror.step : action === asked;
  if (!isItsOwn) return;
  if (state.home.answers[mirror.step - 1] !== 'applied' && !state.isRestored)
    state.fault ??= 'a step ended as if home had applied it';
  mirror.step = null;
};

/** Home's answer to a step, and what it carries. */
export const takeAnswerAtMirror = (play: Play, state: State, answer: Answer): void => {
  const { mirror } = state;
  if (mirror.frozen || mirror.peer !== 'ACTIVE') return;
  if (mirror.detached || mirror.out[answer.sequence - 1] !== answer.message) return;
  if (answer.outcome === 'gap') mirror.delivered = answer.expected - 1;
  else if (answer.outcome === 'detached') detach(play, state, 'peer_detached');
  else {
    mirror.delivered = Math.max(mirror.delivered, answer.sequence);
    const outcome = answer.stale && !play.rules.staleTellsTheOutcome ? 'applied' : answer.outcome;
    if (mirror.step === answer.sequence) {
      if (outcome === 'refused') refuse(play, state);
      else if (!play.rules.stepEndsWithHomesMessage) mirror.step = null;
    }
  }
  for (const { sequence, message } of answer.carried)
    if (!mirror.detached && sequence === mirror.taken + 1)
      receiveMessage(play, state, sequence, message);
};

const refuse = (play: Play, { mirror }: State): void => {
  if (!play.rules.refusalFreesTheStep) return;
  mirror.refusedSteps++;
  mirror.step = null;
  if (!play.rules.stepNumbersAreUsedOnce) {
    mirror.out = mirror.out.slice(0, -1);
    mirror.delivered = mirror.out.length;
  }
};

export const detach = (play: Play, { mirror }: State, reason: Detached): void => {
  mirror.detached ??= reason;
  if (play.rules.detachingEndsTheStep) mirror.step = null;
};

/** "open mirrors end EXPIRED by `system`, reason peer_revoked, `detached`" */
export const revokeAtMirror = (play: Play, state: State): void => {
  const { mirror } = state;
  mirror.peer = 'REVOKED';
  if (!mirror.exists) return;
  const life: Life = lives.of(mirror.life);
  if (isOpen(life) && !mirror.detached) {
    mirror.life = lives.id({ ...life, status: 'EXPIRED', awaits: null, pending: false });
    mirror.ended++;
  }
  detach(play, state, 'peer_revoked');
};
