import { describe, expect, it } from 'vitest';
import { explore } from './explorer.ts';
import { RULES, type Rules, type Scene } from './rules.ts';
import { LARGE_SCENES, SCENES } from './scenes.ts';
import { play } from './world.ts';

/**
 * Two hubs, one federated record, and everything that can happen between them, one move at a time (protocols.md 5).
 *
 * The model is made from the specification alone and knows no line of the service. `rules.ts` names each sentence that
 * it rests on; `life.ts` is the lifecycle of records.md 3, 6 and 7, reduced; `home.ts` and `mirror.ts` are what a hub
 * does with a message, an answer and a wish of its party; `moves.ts` is what may happen next.
 *
 * How the ways of a network are covered. Delay and reordering: a request under way arrives at any later time, several
 * in any order. Doubling: a lane may send the same message again while a copy is under way, at any time, as it does
 * after a time-out. Loss of an answer, and a hub killed between the commit and its answer, are one move: received, and
 * its answer is lost. Loss of a request, and a hub killed between the commit and the sending, are the state in which it
 * was not sent yet, for a hub keeps nothing but what it committed. A hub killed within a commit keeps nothing of it.
 *
 * What holds in every state: no record ends twice, nothing takes effect twice or out of turn, a step is applied only to
 * what the performer saw, no record is detached without a revocation or a restored backup. What holds in every quiescent
 * state: both sides agree, the newest signal included, and no step hangs. And from every state a quiescent one is
 * reached by lanes, wires and operators alone, without a party's help.
 */
const LARGE = process.env['FEDERATION_MODEL'] === 'large';
const LIMIT = LARGE ? 2_000_000 : 200_000;

const told = (trace: readonly string[] | null): string => (trace ?? []).join('\n');

describe('the rules of federation', () => {
  let total = 0;
  it.each((LARGE ? LARGE_SCENES : SCENES).map((scene) => [scene.name, scene] as const))(
    'leave both hubs in agreement, whatever the network does: %s',
    (name, scene) => {
      const { states, moves, quiescent, fault } = explore(play(scene), LIMIT);
      total += states;
      console.log(`${name}: ${states} states, ${moves} moves, ${quiescent} quiescent`);
      expect(told(fault)).toBe('');
      expect(quiescent).toBeGreaterThan(10);
    },
    1_200_000,
  );

  it('were tried on a space that says something', () => {
    expect(total).toBeGreaterThan(100_000);
  });
});

const OFFER = 'an offer, its refusal, counter-proposals';
const CROSSING = 'an offer, with messages that pass each other';
const WORK = 'work, a revision, a verdict, its signal';
const DISPUTE = 'a dispute of the principal';
const FORGOTTEN = 'a dispute of the performer, first answers forgotten';
const SUSPENDED = 'a suspended hour on either side';
const REVOKED = 'a revocation midway';
const REOFFERED = 'a backup from before the offer';
const RESTORED = 'a backup restored and acknowledged';

/** Each rule broken, where that shows, and by what. */
const BROKEN: readonly (readonly [
  rules: readonly (keyof Rules)[],
  scene: string,
  fault: RegExp,
])[] = [
  [['onlyHomeDecides'], OFFER, /the mirror is EXPIRED/],
  // A lane in order never gives the receiver a later message; the receiver does not rely on it.
  [['laneSendsInOrder', 'onlyTheNextIsApplied'], WORK, /broke the lifecycle|left out/],
  [['knownIsNotAppliedAgain'], OFFER, /broke the lifecycle|twice/],
  [['receivedInOneCommit'], OFFER, /broke the lifecycle|twice/],
  [['changedInOneCommit'], OFFER, /home is CANCELLED, the mirror is PROPOSED/],
  [['deliveredByAttestation'], OFFER, /there is no mirror/],
  [['oneStepAtATime'], WORK, /made in another state/],
  [['stepEndsWithHomesMessage'], OFFER, /made in another state/],
  [['stepNumbersAreUsedOnce'], FORGOTTEN, /equivocated/],
  [['refusalFreesTheStep'], OFFER, /a step hangs/],
  [['ackCountsWhatWasApplied'], OFFER, /as if home had applied it|a step hangs/],
  [['stepEndsWithItsAck'], WORK, /as if home had applied it/],
  [['staleTellsTheOutcome'], FORGOTTEN, /a step hangs/],
  [['homeChecksTheStep'], OFFER, /ended twice/],
  [['refusedOfferEndsOnlyOpen'], OFFER, /rejected while CANCELLED/],
  [['refusedOfferStaysRefused'], CROSSING, /refused at home, and the mirror stands/],
  [['refusedOfferClosesTheLane'], OFFER, /never comes to rest/],
  [['detachedAnswers'], RESTORED, /never comes to rest/],
  [['detachedHomeFinishes'], RESTORED, /never comes to rest/],
  [['pendingStepAsksAgain'], RESTORED, /a step hangs/],
  [['attestedOfferIsNotRefused'], REOFFERED, /rejected while ACTIVE/],
  [['detachingEndsTheStep'], REVOKED, /a step of a detached record hangs/],
  [['rewindDetaches'], RESTORED, /home is|equivocated|broke/],
  [['suspendedWaits'], SUSPENDED, /home is CANCELLED/],
  [['escalationNamesItsTier'], DISPUTE, /made in another state/],
];

describe('the explorer finds', () => {
  it.each(
    BROKEN.map(([rules, scene, fault]) => [rules.join(' and '), rules, scene, fault] as const),
  )(
    'what a hub would do that broke %s',
    (_, rules, name, fault) => {
      const scene = [...SCENES, ...LARGE_SCENES].find((one) => one.name === name) as Scene;
      const found = explore(play(scene, rules), 400_000);
      expect(told(found.fault)).toMatch(fault);
    },
    300_000,
  );

  it('nothing where a lane alone is out of order, for the receiver takes only the next', () => {
    const scene = SCENES.find(({ name }) => name === WORK) as Scene;
    expect(
      told(
        explore(
          play({ ...scene, signals: false, limits: { ...scene.limits, revisions: 0 } }, [
            'laneSendsInOrder',
          ]),
          400_000,
        ).fault,
      ),
    ).toBe('');
  });

  it('so much for every rule it has', () => {
    const tried = new Set(BROKEN.flatMap(([rules]) => rules));
    expect(Object.keys(RULES).filter((rule) => !tried.has(rule as keyof Rules))).toEqual([]);
  });
});
