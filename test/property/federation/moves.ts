import { ACTIONS, isOpen, type Actor } from './life.ts';
import { change, receiveStep, takeAnswerAtHome } from './home.ts';
import {
  detach,
  offerStep,
  receiveMessage,
  revokeAtMirror,
  STEPS,
  takeAnswerAtMirror,
} from './mirror.ts';
import {
  copy,
  lives,
  messages,
  sameRequest,
  type Answer,
  type Play,
  type Request,
  type State,
} from './world.ts';

/**
 * `party`: somebody wants something. `network`: what lanes and wires do by themselves. `care`: what an operator does
 * sooner or later (resume, acknowledge, revoke on the other side too). A record must come to rest by the last two alone.
 */
export interface Move {
  readonly kind: 'party' | 'network' | 'care';
  readonly label: string;
  readonly to: State;
}

const HUBS = ['home', 'mirror'] as const;
type Hub = (typeof HUBS)[number];
const otherHub = (hub: Hub): Hub => (hub === 'home' ? 'mirror' : 'home');

export const movesFrom = (play: Play, state: State): Move[] => {
  if (state.fault) return [];
  const moves: Move[] = [];
  const add = (kind: Move['kind'], label: string, act: (next: State) => boolean | void): void => {
    const next = copy(state);
    if (act(next) !== false) moves.push({ kind, label, to: next });
  };
  ofHome(play, state, add);
  ofMirror(play, state, add);
  for (const hub of HUBS) ofLane(play, state, hub, add);
  for (const request of state.requests) ofRequest(play, state, request, add);
  for (const answer of state.answers) ofAnswer(play, answer, add);
  for (const hub of HUBS) ofOperator(play, state, hub, add);
  return moves;
};

type Add = (kind: Move['kind'], label: string, act: (next: State) => boolean | void) => void;

const ACTORS: readonly Actor[] = ['principal', 'system', 'platform'];

const ofHome = (play: Play, state: State, add: Add): void => {
  if (state.home.frozen) return;
  for (const by of ACTORS)
    for (const action of ACTIONS) {
      if (!play.after(state.home.life, action, by)) continue;
      add('party', `home: ${by} ${action}`, (next) => {
        const told = next.home.out;
        if (!change(play, next, action, by)) return false;
        if (!play.rules.suspendedWaits && next.home.peer === 'SUSPENDED') next.home.out = told;
        return true;
      });
      if (!play.rules.changedInOneCommit)
        add('party', `home: ${by} ${action}, killed before the message is made`, (next) => {
          const told = next.home.out;
          if (!change(play, next, action, by)) return false;
          next.home.out = told;
          return true;
        });
    }
};

const ofMirror = (play: Play, state: State, add: Add): void => {
  for (const action of STEPS)
    if (play.after(state.mirror.life, action, 'performer'))
      add('party', `mirror: performer offers ${action}`, (next) => offerStep(play, next, action));
  if (!play.rules.onlyHomeDecides && state.mirror.exists)
    add('party', 'mirror: expires by its own clock', ({ mirror }) => {
      const life = lives.of(mirror.life);
      if (!isOpen(life) || mirror.detached) return false;
      mirror.life = lives.id({ ...life, status: 'EXPIRED', awaits: null, pending: false });
      mirror.ended++;
      return true;
    });
  if (play.scene.changesOfMind > 0 && !state.mirror.exists && state.changesOfMind > 0)
    add('party', `peer: takes ${state.willing ? 'no offer' : 'offers'} from now on`, (next) => {
      next.willing = !next.willing;
      next.changesOfMind--;
    });
};

/** A lane that sends nothing more. */
export const isClosed = (play: Play, state: State, hub: Hub): boolean => {
  const side = state[hub];
  if (side.peer === 'REVOKED') return true;
  if (side.offerRefused && play.rules.refusedOfferClosesTheLane) return true;
  if (side.detached === null) return false;
  return hub === 'mirror' || side.detached === 'peer_detached' || !play.rules.detachedHomeFinishes;
};

const ofLane = (play: Play, state: State, hub: Hub, add: Add): void => {
  const side = state[hub];
  if (!side.exists || isClosed(play, state, hub) || side.frozen || side.peer !== 'ACTIVE') return;
  const to = otherHub(hub);
  const under = state.requests.filter((one) => one.to === to);
  if (under.length >= play.scene.inFlight) return;
  for (const sequence of toSend(play, state, hub)) {
    const request: Request = { to, sequence, message: side.out[sequence - 1] as number };
    if (under.some((one) => sameRequest(one, request))) continue;
    add('network', `${hub}: sends ${sequence} (${named(request)})`, (next) => {
      next.requests = [...next.requests, request];
    });
  }
};

/** The sequences that a lane may send now. */
export const toSend = (play: Play, state: State, hub: Hub): readonly number[] => {
  const { out, delivered, step } = state[hub];
  const left = out.slice(delivered).map((_, index) => delivered + index + 1);
  if (left.length > 0) return play.rules.laneSendsInOrder ? left.slice(0, 1) : left;
  // Without restored backups home's message comes for certain, and to ask again would change nothing.
  return step !== null && play.scene.restores > 0 && play.rules.pendingStepAsksAgain ? [step] : [];
};

const named = ({ message }: Request): string => {
  const { action, by } = messages.of(message);
  return `${action} of ${by}`;
};

const ofRequest = (play: Play, state: State, request: Request, add: Add): void => {
  const what = `${request.sequence} (${named(request)})`;
  const without = state.requests.filter((one) => one !== request);
  const receive = request.to === 'home' ? receiveStep : receiveMessage;
  const sender = otherHub(request.to);
  const room = state.answers.length < play.scene.answersInFlight;
  const take = (
    label: string,
    answered: (next: State, answer: Answer) => void,
    left: readonly Request[] = without,
  ) =>
    add('network', `${request.to}: receives ${what}${label}`, (next) => {
      next.requests = left;
      const answer = receive(play, next, request.sequence, request.message);
      if (answer) answered(next, answer);
    });
  take(', its answer is lost', () => undefined);
  if (request.to === 'home') {
    if (room) take('', (next, answer) => (next.answers = [...next.answers, answer]));
  } else {
    // All that an attestation does at home is to advance the lane; it commutes with everything but a copy under way.
    take(', home its answer', (next, answer) => takeAnswerAtHome(play, next, answer));
    take(
      ', home its answer, a copy is under way',
      (next, answer) => takeAnswerAtHome(play, next, answer),
      state.requests,
    );
  }
  if (!play.rules.receivedInOneCommit)
    add('network', `${request.to}: receives ${what}, killed half-way`, (next) => {
      const { taken, heard, answers } = next[request.to];
      receive(play, next, request.sequence, request.message);
      Object.assign(next[request.to], { taken, heard, answers });
    });
  if (!play.rules.deliveredByAttestation)
    add('network', `lost: ${what} to ${request.to}`, (next) => {
      next.requests = without;
      if (next[sender].out[request.sequence - 1] === request.message)
        next[sender].delivered = Math.max(next[sender].delivered, request.sequence);
    });
};

const ofAnswer = (play: Play, answer: Answer, add: Add): void => {
  const what = `the answer ${answer.outcome}${answer.stale ? ', stale' : ''} to ${answer.sequence} (${named(answer)})`;
  add('network', `mirror: takes ${what}`, (next) => {
    next.answers = next.answers.filter((one) => one !== answer);
    takeAnswerAtMirror(play, next, answer);
  });
};

const ofOperator = (play: Play, state: State, hub: Hub, add: Add): void => {
  const side = state[hub];
  const other = state[otherHub(hub)];
  if (side.peer === 'ACTIVE' && state.suspensions > 0)
    add('party', `${hub}: the operator suspends the peer`, (next) => {
      next[hub].peer = 'SUSPENDED';
      next.suspensions--;
    });
  if (side.peer === 'SUSPENDED')
    add('care', `${hub}: the operator resumes the peer`, (next) => {
      next[hub].peer = 'ACTIVE';
    });
  if (side.peer !== 'REVOKED' && state.revocations > 0)
    add('party', `${hub}: the operator revokes the peer`, (next) => {
      next.revocations--;
      revoke(play, next, hub);
    });
  if (side.peer !== 'REVOKED' && other.peer === 'REVOKED')
    add('care', `${hub}: the operator learns of the revocation and revokes too`, (next) =>
      revoke(play, next, hub),
    );
  ofBackup(play, state, hub, add);
};

const revoke = (play: Play, state: State, hub: Hub): void => {
  if (hub === 'mirror') return revokeAtMirror(play, state);
  state.home.peer = 'REVOKED';
  state.home.detached ??= 'peer_revoked';
};

const ofBackup = (play: Play, state: State, hub: Hub, add: Add): void => {
  const { backup } = state;
  if (state.restores > 0 && !backup && !state[hub].frozen)
    add('party', `${hub}: a backup is taken`, (next) => {
      next.backup = { of: hub, side: { ...next[hub] } };
    });
  if (backup?.of === hub && state.restores > 0)
    add('party', `${hub}: the backup is restored`, (next) => {
      const isBehind = JSON.stringify(backup.side) !== JSON.stringify(next[hub]);
      next.restores--;
      next.isRestored = true;
      next.backup = null;
      next[hub] = { ...backup.side, peer: next[hub].peer, frozen: isBehind };
    });
  if (state[hub].frozen)
    add('care', `${hub}: the operator acknowledges the rewind`, (next) => {
      next[hub].frozen = false;
      if (!next[hub].exists || !play.rules.rewindDetaches) return;
      if (hub === 'mirror') detach(play, next, 'rewound');
      else next.home.detached ??= 'rewound';
    });
};
