import { isOpen, type Action, type Actor, type Life } from './life.ts';
import { lives, messages, type Answer, type Message, type Play, type State } from './world.ts';

/** Home moves its record: the one place where its life goes on. */
export const change = (play: Play, state: State, action: Action, by: Actor, step = 0): boolean => {
  const { home } = state;
  const after = play.after(home.life, action, by);
  if (!after) return false;
  if (step > 0) home.applied = step;
  if (isOpen(lives.of(home.life)) && !isOpen(lives.of(after.life))) home.ended++;
  home.life = after.life;
  tell(play, state, { action, by });
  if (play.scene.signals && after.signalled !== null) {
    home.life = after.signalled;
    tell(play, state, { action: 'signal', by: 'system' });
  }
  return true;
};

const tell = (play: Play, state: State, { action, by }: Pick<Message, 'action' | 'by'>): void => {
  const { home } = state;
  if (home.detached || (home.offerRefused && play.rules.refusedOfferClosesTheLane)) return;
  const ack = play.rules.ackCountsWhatWasApplied ? home.applied : home.taken;
  home.out = [...home.out, messages.id({ action, by, life: home.life, ack })];
};

/** A step arrives at home. @returns the answer, null where there is none that counts (401, 409 of a rewind). */
export const receiveStep = (
  play: Play,
  state: State,
  sequence: number,
  message: number,
): Answer | null => {
  const { home } = state;
  if (home.peer !== 'ACTIVE' || home.frozen) return null;
  const answer = (outcome: Answer['outcome'], expected = 0, stale = false): Answer => ({
    to: 'mirror',
    sequence,
    message,
    outcome,
    stale,
    expected,
    carried: outcome === 'gap' || outcome === 'detached' ? [] : carriedBy(play, state),
  });
  const step = messages.of(message);
  if (sequence <= home.taken && play.rules.knownIsNotAppliedAgain) {
    if (home.heard[sequence - 1] !== message) {
      home.detached ??= 'equivocation';
      return answer('detached');
    }
    return answer(home.answers[sequence - 1] as Answer['outcome'], 0, play.scene.answersFade);
  }
  if (home.detached) return play.rules.detachedAnswers ? answer('detached') : null;
  if (sequence > home.taken + 1 && play.rules.onlyTheNextIsApplied)
    return answer('gap', home.taken + 1);
  const base = lives.of(step.life);
  const isMeantNow =
    (step.action !== 'escalate' ||
      !play.rules.escalationNamesItsTier ||
      base.tier === lives.of(home.life).tier) &&
    change(play, state, step.action as Action, 'performer', sequence);
  if (isMeantNow && !wasSeen(base, step, state.home.life))
    state.fault ??= `home applied a ${step.action} that the performer had made in another state`;
  if (!isMeantNow && !play.rules.homeChecksTheStep) force(play, state, step, sequence);
  if (isMeantNow) home.effects = [...home.effects, sequence];
  const outcome = isMeantNow || !play.rules.homeChecksTheStep ? 'applied' : 'refused';
  home.taken = Math.max(home.taken, sequence);
  home.heard = [...home.heard.slice(0, sequence - 1), message];
  home.answers = [...home.answers.slice(0, sequence - 1), outcome];
  return answer(outcome);
};

/** The broken rule: the step stands, whatever became of the record meanwhile. */
const force = (play: Play, state: State, step: Message, sequence: number): void => {
  const forced = play.after(step.life, step.action as Action, 'performer');
  if (!forced) return;
  state.home.applied = sequence;
  state.home.life = forced.life;
  if (!isOpen(lives.of(forced.life))) state.home.ended++;
  tell(play, state, { action: step.action, by: 'performer' });
};

/** What the performer consented to must be what home applied it to: terms, round, completion, dispute. */
const wasSeen = (base: Life, step: Message, after: number): boolean => {
  const result = lives.of(after);
  if (step.action === 'accept' || step.action === 'reject') return base.terms === result.terms;
  if (step.action === 'counter-propose') return base.terms + 1 === result.terms;
  if (step.action === 'submit-completion') return base.completions + 1 === result.completions;
  if (step.action === 'cancel')
    return base.terms === result.terms && base.completions === result.completions;
  if (step.action === 'escalate') return base.tier + 1 === result.tier;
  return base.disputes + Number(step.action === 'open-dispute') === result.disputes;
};

/** "`messages[]` may carry home's next ones": all that the peer has not attested. */
const carriedBy = ({ scene }: Play, { home }: State): Answer['carried'] =>
  scene.carries && home.detached !== 'peer_detached'
    ? home.out
        .map((message, index) => ({ sequence: index + 1, message }))
        .filter(({ sequence }) => sequence > home.delivered)
    : [];

/** The peer's answer to a message of home. */
export const takeAnswerAtHome = (play: Play, state: State, answer: Answer): void => {
  const { home } = state;
  if (home.frozen || home.out[answer.sequence - 1] !== answer.message) return;
  if (answer.outcome === 'gap') home.delivered = answer.expected - 1;
  else if (answer.outcome === 'detached') home.detached = 'peer_detached';
  else if (answer.outcome === 'refused') refuseOffer(play, state);
  else {
    home.delivered = Math.max(home.delivered, answer.sequence);
    home.offerTaken = true;
  }
};

/** "Home seals it and ends REJECTED (actor peer, the reason)." */
const refuseOffer = (play: Play, state: State): void => {
  const { home } = state;
  if (home.offerRefused) return;
  if (home.offerTaken && play.rules.attestedOfferIsNotRefused) {
    home.detached = 'peer_detached';
    return;
  }
  home.offerRefused = true;
  home.delivered = 1;
  const life = lives.of(home.life);
  if (!isOpen(life) && play.rules.refusedOfferEndsOnlyOpen) return;
  if (life.status !== 'PROPOSED') state.fault ??= `home: rejected while ${life.status}`;
  home.ended++;
  home.life = lives.id({ ...life, status: 'REJECTED', awaits: null });
  tell(play, state, { action: 'reject', by: 'peer' });
};
