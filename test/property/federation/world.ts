import { apply, OFFERED, signalled, type Action, type Actor, type Life } from './life.ts';
import { RULES, type Rules, type Scene } from './rules.ts';

/** What a message of home tells, or what a step asks for. */
export interface Message {
  readonly action: Action | 'offer' | 'signal';
  readonly by: Actor;
  /** Of home: the state after it. Of a step: the state that the performer saw when he made it. */
  readonly life: number;
  readonly ack: number;
}

/** The receiver's sealed word; `detached` is the refusal of a record that goes no further. */
export type Outcome = 'applied' | 'refused' | 'detached';

export type Detached = 'peer_revoked' | 'rewound' | 'equivocation' | 'broken' | 'peer_detached';

/** One hub's side of the record, with both of its lanes. */
export interface Side {
  exists: boolean;
  life: number;
  /** Messages made, by sequence from 1; kept verbatim. */
  out: readonly number[];
  /** Highest sequence of its own that the peer attested. */
  delivered: number;
  /** Highest sequence of the peer's that was applied or refused here. */
  taken: number;
  /** Highest one applied: the `ack` of the next message. */
  applied: number;
  /** The first answers, by the peer's sequence, and what was answered. */
  answers: readonly Outcome[];
  heard: readonly number[];
  /** The mirror's pending step. */
  step: number | null;
  refusedSteps: number;
  detached: Detached | null;
  peer: 'ACTIVE' | 'SUSPENDED' | 'REVOKED';
  /** A rewind that was found and not yet acknowledged refuses every write. */
  frozen: boolean;
  /** Home: the offer was refused. Peer: it refused it and still says so. */
  offerRefused: boolean;
  /** How often an open record ended here. */
  ended: number;
  /** Which of the peer's sequences took effect, in that order: the explorer's own notes, unknown to the hubs. */
  effects: readonly number[];
  /** Home holds an attestation that the offer was applied. */
  offerTaken: boolean;
}

export interface Request {
  readonly to: 'home' | 'mirror';
  readonly sequence: number;
  readonly message: number;
}

export interface Answer extends Request {
  readonly outcome: Outcome | 'gap';
  /** The first answer is gone, and the attestation alone came back. */
  readonly stale: boolean;
  readonly expected: number;
  readonly carried: readonly { readonly sequence: number; readonly message: number }[];
}

export interface State {
  home: Side;
  mirror: Side;
  requests: readonly Request[];
  answers: readonly Answer[];
  willing: boolean;
  suspensions: number;
  revocations: number;
  restores: number;
  changesOfMind: number;
  backup: { readonly of: 'home' | 'mirror'; readonly side: Side } | null;
  isRestored: boolean;
  /** Set where a rule of the model itself was broken; no hub knows of it. */
  fault: string | null;
}

const interned = <T extends object>(): { id: (value: T) => number; of: (id: number) => T } => {
  const ids = new Map<string, number>();
  const values: T[] = [];
  return {
    id: (value) => {
      const key = JSON.stringify(Object.values(value));
      const known = ids.get(key);
      if (known !== undefined) return known;
      ids.set(key, values.length);
      values.push(value);
      return values.length - 1;
    },
    of: (id) => values[id] as T,
  };
};

export const lives = interned<Life>();
export const messages = interned<Message>();

/** What happens in one scene under one set of rules. */
export interface Play {
  readonly scene: Scene;
  readonly rules: Rules;
  /** The state after an action, and after the signal that follows it; null where the table does not allow it. */
  readonly after: (
    life: number,
    action: Action,
    by: Actor,
  ) => { readonly life: number; readonly signalled: number | null } | null;
}

const table = ({ limits }: Scene): Play['after'] => {
  const known = new Map<string, ReturnType<Play['after']>>();
  return (life, action, by) => {
    const key = `${life} ${action} ${by}`;
    const kept = known.get(key);
    if (kept !== undefined) return kept;
    const before = lives.of(life);
    const after = apply(before, action, by, limits);
    const signal = after && signalled(before, after, action, limits);
    const row = after && { life: lives.id(after), signalled: signal && lives.id(signal) };
    known.set(key, row);
    return row;
  };
};

export const play = (scene: Scene, broken: readonly (keyof Rules)[] = []): Play => ({
  scene,
  after: table(scene),
  rules: { ...RULES, ...Object.fromEntries(broken.map((rule) => [rule, false])) },
});

const side = (life: number): Side => ({
  exists: true,
  life,
  out: [],
  delivered: 0,
  taken: 0,
  applied: 0,
  answers: [],
  heard: [],
  step: null,
  refusedSteps: 0,
  detached: null,
  peer: 'ACTIVE',
  frozen: false,
  offerRefused: false,
  ended: 0,
  effects: [],
  offerTaken: false,
});

const STARTS: Record<Scene['start'], Life> = {
  offer: OFFERED,
  active: { ...OFFERED, status: 'ACTIVE', awaits: null },
  delivered: { ...OFFERED, status: 'ACTIVE', awaits: null, pending: true, completions: 1 },
  fulfilled: { ...OFFERED, status: 'FULFILLED', awaits: null, completions: 1 },
  failed: { ...OFFERED, status: 'FAILED', awaits: null, completions: 1 },
};

/** The offer lies ready, or was applied long ago. */
export const begin = ({ scene }: Play): State => {
  const life = lives.id(STARTS[scene.start]);
  const offer = messages.id({ action: 'offer', by: 'principal', life, ack: 0 });
  const isNew = scene.start === 'offer';
  const home = { ...side(life), out: [offer], delivered: isNew ? 0 : 1, offerTaken: !isNew };
  const mirror = isNew
    ? { ...side(life), exists: false }
    : {
        ...side(life),
        taken: 1,
        applied: 1,
        answers: ['applied' as const],
        heard: [offer],
        effects: [1],
      };
  return {
    home,
    mirror,
    requests: [],
    answers: [],
    willing: true,
    suspensions: scene.suspensions,
    revocations: scene.revocations,
    restores: scene.restores,
    changesOfMind: scene.changesOfMind,
    backup: null,
    isRestored: false,
    fault: null,
  };
};

const keyOfSide = (one: Side): string =>
  `${+one.exists},${one.life},${one.out.join('.')},${one.delivered},${one.taken},${one.applied},${one.answers.join('.')},${one.heard.join('.')},${one.step},${one.refusedSteps},${one.detached},${one.peer},${+one.frozen},${+one.offerRefused},${one.ended},${one.effects.join('.')},${+one.offerTaken}`;

/** Without what no later move can ask for: the text of messages and answers that the other side is done with. */
const bare = (own: Side, other: Side, underWay: ReadonlySet<number>): Side => ({
  ...own,
  out: own.out.map((message, index) => (index < own.delivered ? -1 : message)),
  answers: own.answers.map((outcome, index) =>
    index >= other.delivered || underWay.has(index + 1) ? outcome : 'applied',
  ),
  heard: [],
  effects: own.effects.slice(-1),
});

const keyOfRequest = (one: Request): string => `${one.to[0]}${one.sequence}:${one.message}`;

/** Of what an answer carries, only what the mirror has not applied yet can still do anything. */
const keyOfAnswer = (one: Answer, taken: number): string =>
  `${keyOfRequest(one)}${one.outcome[0]}${+one.stale}${one.expected}[${one.carried
    .filter(({ sequence }) => sequence > taken)
    .map(({ sequence, message }) => `${sequence}:${message}`)
    .join(' ')}]`;

/** Equal for states that no move tells apart: the network has no order, and an honest hub repeats a message verbatim. */
export const keyOf = (state: State): string => {
  const { home, mirror, requests, answers, backup } = state;
  const isWhole = state.restores > 0 || backup !== null || state.isRestored;
  const to = (hub: 'home' | 'mirror'): ReadonlySet<number> =>
    new Set(requests.filter((one) => one.to === hub).map(({ sequence }) => sequence));
  const sides = isWhole
    ? [home, mirror]
    : [bare(home, mirror, to('home')), bare(mirror, home, to('mirror'))];
  return [
    ...sides.map((one) => keyOfSide(one)),
    requests.map(keyOfRequest).sort().join(' '),
    answers
      .map((one) => keyOfAnswer(one, isWhole ? 0 : mirror.taken))
      .sort()
      .join(' '),
    `${+state.willing}${state.suspensions}${state.revocations}${state.restores}${state.changesOfMind}`,
    backup ? backup.of + keyOfSide(backup.side) : '',
    +state.isRestored,
    state.fault,
  ].join('|');
};

/** A copy to write to: lists are replaced, never changed. */
export const copy = (state: State): State => ({
  ...state,
  home: { ...state.home },
  mirror: { ...state.mirror },
});

export const sameRequest = (one: Request, two: Request): boolean =>
  one.to === two.to && one.sequence === two.sequence && one.message === two.message;
