import { ACTORS, AGENTS, TYPES, type ActorName, type AgentName, type TypeName } from './cast.ts';
import { ACTION_PATHS, type Command, type Label } from './command.ts';
import { predict, waits } from './model.ts';
import { isOpen, type ModelRecord, type ModelWorld } from './model-world.ts';

/** Of ten steps, how many are drawn until the model expects them to be carried out. */
const LIKELY = 7;
const MAX_RECORDS = 5;

/** Chooses the commands of one walk, one for each seed. What is chosen depends on the seeds and the model alone. */
export const plan = (seeds: readonly number[]): readonly Command[] => {
  const world: ModelWorld = new Map();
  const commands: Command[] = [];
  const push = (command: Command): void => {
    const predicted = predict(world, command);
    if (predicted.ok) predicted.apply();
    commands.push(command);
  };
  for (const seed of seeds) {
    push(choose(new Dice(seed), world, `r${commands.length + 1}`));
    // What is about to expire is waited for at once: until then nobody knows on which side of its deadline a command falls.
    for (const one of world.values())
      if (waits(one)) push({ do: 'wait', on: one.label, as: 'platform' });
  }
  return commands;
};

const choose = (dice: Dice, world: ModelWorld, label: Label): Command => {
  const likely = dice.below(10) < LIKELY;
  for (let tries = 0; ; tries++) {
    const command = draw(dice, world, label);
    if (
      !likely ||
      tries === 60 ||
      (command.do !== 'read' && command.do !== 'reference' && predict(world, command).ok)
    )
      return command;
  }
};

const draw = (dice: Dice, world: ModelWorld, label: Label): Command => {
  const records = [...world.values()];
  if (records.length === 0 || (records.length < MAX_RECORDS && dice.below(14) === 0))
    return drawCreate(dice, label);
  const open = records.filter(isOpen);
  const one = dice.of(open.length > 0 && dice.below(5) > 1 ? open : records);
  const as = drawActor(dice, one);
  const on = one.label;
  const malformed = dice.below(40) === 0 ? { malformed: true } : {};
  const kind = dice.below(100);
  if (kind < 44) return { do: 'take', as, on, ...drawAction(dice, one), ...malformed };
  if (kind < 60)
    return {
      do: 'submit',
      as,
      on,
      evidence: dice.of(['pass', 'pass', 'pass', 'fail', 'fail', 'bad'] as const),
      ...malformed,
    };
  if (kind < 72)
    return {
      do: 'verdict',
      as,
      on,
      verdict: dice.of(['accept', 'reject'] as const),
      completion: dice.below(12) === 0 ? 'other' : 'latest',
      ...malformed,
    };
  if (kind < 82 && records.length < MAX_RECORDS)
    return { ...drawCreate(dice, label), as, parent: on, ...malformed };
  if (kind < 95) {
    const step = dice.of([
      'open',
      'open',
      'evidence',
      'escalate',
      'resolve',
      'resolve',
      'withdraw',
    ] as const);
    return {
      do: 'dispute',
      as,
      on,
      step,
      ...(step === 'resolve' ? { outcome: dice.of(['UPHELD', 'OVERTURNED'] as const) } : {}),
      ...malformed,
    };
  }
  return kind < 98
    ? { do: 'reference', as, on, uri: `urn:walk:${dice.below(3)}`, ...malformed }
    : { do: 'read', as, on };
};

const drawActor = (dice: Dice, { principal, performer }: ModelRecord): ActorName => {
  const kind = dice.below(20);
  if (kind < 8) return principal;
  if (kind < 15) return performer ?? principal;
  if (kind < 17) return dice.of(['admin-a', 'admin-b'] as const);
  return kind < 18 ? 'platform' : dice.of(Object.keys(ACTORS) as ActorName[]);
};

const ACTIONS = [
  'propose',
  'activate',
  'activate',
  'accept',
  'accept',
  'accept',
  'accept-counter',
  'accept-counter',
  'reject',
  'counter-propose',
  'revision',
  'revision',
  'evaluate',
  'verify-cascade',
  'cancel',
] as const;
const NOT_OF_TRANSITION = [
  'create',
  'submit-completion',
  'render-verdict',
  'delegate',
  'open-dispute',
  'view',
  'expire',
  'fly',
] as const;

const drawAction = (
  dice: Dice,
  one: ModelRecord,
): Omit<Extract<Command, { do: 'take' }>, 'do' | 'as' | 'on'> => {
  if (dice.below(40) === 0) return { action: dice.of(NOT_OF_TRANSITION), via: 'transition' };
  const action = dice.of(ACTIONS);
  const via = ACTION_PATHS.has(action) && dice.below(2) === 0 ? 'path' : 'transition';
  switch (action) {
    case 'propose':
      return {
        action,
        via,
        ...(dice.below(10) === 0
          ? {}
          : {
              performer:
                dice.below(8) === 0
                  ? dice.of(['unknown', one.principal] as const)
                  : drawAgent(dice),
            }),
      };
    case 'counter-propose':
      return {
        action,
        via,
        ...(dice.below(12) === 0 ? {} : { criteria: dice.below(5) === 0 ? 'bad' : 'counter' }),
      };
    case 'accept':
    case 'accept-counter':
      return {
        action,
        via,
        ...(dice.below(3) === 0 ? { hash: dice.of(['base', 'counter'] as const) } : {}),
      };
    case 'cancel':
      return { action, via, ...(dice.below(2) === 0 ? { cascade: true } : {}) };
    default:
      return { action, via };
  }
};

const OFTEN: readonly TypeName[] = [
  'job',
  'job',
  'auto',
  'team',
  'team',
  'auto-team',
  'auto-team',
  'any',
  'auto-any',
  'quorum',
];

const drawCreate = (dice: Dice, label: Label): Extract<Command, { do: 'create' }> => {
  const rare = dice.below(40);
  const type =
    rare === 0
      ? 'brief'
      : rare < 5
        ? 'note'
        : rare < 8
          ? dice.of(Object.keys(TYPES) as TypeName[])
          : dice.of(OFTEN);
  const who = dice.below(12);
  const as =
    who < 9
      ? dice.of(['alice', 'alice', 'bob', 'carol', 'dave'] as const)
      : dice.of(Object.keys(ACTORS) as ActorName[]);
  return {
    do: 'create',
    label,
    as,
    type,
    criteria: dice.below(25) === 0 ? 'bad' : 'base',
    ...(who >= 9 || dice.below(6) === 0 ? { principal: drawAgent(dice) } : {}),
    ...(dice.below(4) === 0
      ? {}
      : { performer: dice.below(40) === 0 ? 'unknown' : drawAgent(dice) }),
    ...(dice.below(2) === 0 ? { auto: true } : {}),
    ...(dice.below(40) === 0 ? { fuse: true } : {}),
    ...(dice.below(50) === 0 ? { malformed: true } : {}),
  };
};

const drawAgent = (dice: Dice): AgentName =>
  dice.of(
    dice.below(15) === 0
      ? (Object.keys(AGENTS) as AgentName[])
      : (['alice', 'bob', 'bob', 'carol', 'dave'] as const),
  );

/** mulberry32: a small generator, the same on every machine. */
class Dice {
  constructor(private state: number) {}

  below(limit: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % limit;
  }

  of<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }
}
