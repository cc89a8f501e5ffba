import type { Body } from '../../../support/service/world.ts';
import { apply, isOpen, OFFERED, signalled, type Action, type Actor, type Life } from '../life.ts';
import { LIMITS } from './acts.ts';
import type { ChainedEntry } from './hurry.ts';
import type { SharedRecord } from './shared-record.ts';

/** What both sides must show alike. */
const ALIKE = [
  'status',
  'awaiting',
  'criteria',
  'criteriaHash',
  'revisionCount',
  'disputed',
  'disputeCount',
  'expiresAt',
  'counterProposal',
] as const;

/** Holds a record at rest against the model. @returns what parts, in words; nothing where all is well. */
export const faultsOf = async (record: SharedRecord): Promise<readonly string[]> => {
  const [home, mirror] = [await record.atHome(), await record.atMirror()];
  if (!mirror) return ['there is no mirror'];
  const homeChain = await record.home.lanes.chain(record.homeId);
  const mirrorChain = await record.far.lanes.chain(String(record.mirrorId));
  const told = [transitionsOf(homeChain), transitionsOf(mirrorChain)];
  return [
    ...ALIKE.filter(
      (member) => JSON.stringify(plain(home[member])) !== JSON.stringify(plain(mirror[member])),
    ).map(
      (member) =>
        `${member} is ${JSON.stringify(home[member])} at home and ${JSON.stringify(mirror[member])} on the mirror`,
    ),
    ...[home, mirror]
      .filter((one) => one['federation'].detached !== null)
      .map((one) => `the ${one['federation'].role} is detached: ${one['federation'].detached}`),
    ...(JSON.stringify(told[0]) === JSON.stringify(told[1])
      ? []
      : [`the chains tell ${JSON.stringify(told[0])} and ${JSON.stringify(told[1])}`]),
    // The model has no gates that decide; both sides have to agree on them all the same.
    ...(record.type === 'job' ? againstModel(home, homeChain) : []),
    ...stepFaults(homeChain, mirrorChain),
  ];
};

/** `proposedBy` names each party as its own hub knows it. */
const plain = (value: unknown): unknown => {
  if (value === null || typeof value !== 'object' || !('proposedAt' in value)) return value;
  const { criteria, message } = value as Body;
  return { criteria, message };
};

/** The transitions that a chain tells, in order, without what one side alone seals. */
const transitionsOf = (chain: readonly ChainedEntry[]): readonly string[] =>
  chain.flatMap(({ entryType, predicate }) => {
    const { transition } = predicate;
    return isBeside(String(entryType)) || !transition
      ? []
      : [`${transition.action}: ${transition.from} to ${transition.to}`];
  });

const isBeside = (entryType: string): boolean =>
  /^(STEP_|PEER_|RECORD_DETACHED|SIGNAL_)/.test(entryType);

/** Home's chain, move by move, against the lifecycle of the model, with the signals that each move makes. */
const againstModel = (home: Body, chain: readonly ChainedEntry[]): readonly string[] => {
  let life: Life = OFFERED;
  const expected: string[] = [];
  for (const { entryType, predicate } of chain.slice(1)) {
    const { transition, actor } = predicate;
    if (isBeside(String(entryType)) || !transition) continue;
    const action = actionOf(transition as Body, String(entryType));
    if (action === null) continue;
    const after = apply(life, action, actorOf(actor as Body), LIMITS);
    if (!after) return [`the model knows no ${action} of ${actor.kind} in ${JSON.stringify(life)}`];
    if (after.status !== transition.to)
      return [`${action} led to ${transition.to}, in the model to ${after.status}`];
    const signal = signalled(life, after, action, LIMITS)?.signal;
    if (signal) expected.push(signal);
    life = after;
  }
  const signals = chain
    .filter(({ entryType }) => entryType === 'SIGNAL_EMITTED')
    .map(({ predicate }) => String(predicate['recommendation']));
  return [
    ...(life.status === home['status']
      ? []
      : [`home is ${home['status']}, the model ${life.status}`]),
    ...(isOpen(life) && life.awaits !== null && life.awaits !== home['awaiting']
      ? [`home awaits ${home['awaiting']}, the model ${life.awaits}`]
      : []),
    ...(JSON.stringify(signals) === JSON.stringify(expected)
      ? []
      : [`home signalled ${signals.join(', ')}, the model ${expected.join(', ')}`]),
  ];
};

const actionOf = ({ action, from, to }: Body, entryType: string): Action | null => {
  switch (action) {
    case 'accept-counter':
      return 'accept';
    case 'render-verdict':
      if (from === 'FAILED') return 'override';
      return to === 'FULFILLED' ? 'accept-verdict' : 'reject-verdict';
    case 'resolve-dispute':
      return from === to ? 'uphold' : 'concede';
    case 'escalate-dispute':
      return 'escalate';
    case 'withdraw-dispute':
      return 'withdraw';
    case 'submit-dispute-evidence':
    case 'add-reference':
      return null;
    default:
      return entryType === 'RECORD_PROPOSED' ? null : (action as Action);
  }
};

/** Home knows the performer's side as its peer. */
const actorOf = ({ kind }: Body): Actor => {
  if (kind === 'peer') return 'performer';
  if (kind === 'agent' || kind === 'admin') return 'principal';
  return kind as Actor;
};

/** Every step that was offered was applied once, or refused once, in the order of the offers. */
const stepFaults = (
  home: readonly ChainedEntry[],
  mirror: readonly ChainedEntry[],
): readonly string[] => {
  const named = (chain: readonly ChainedEntry[], type: string): readonly string[] =>
    chain
      .filter(({ entryType }) => entryType === type)
      .map(({ predicate }) => String((predicate['transition'] as Body)['action']));
  const offered = named(mirror, 'STEP_OFFERED');
  const refused = named(mirror, 'STEP_REFUSED');
  const applied = home
    .filter(
      ({ entryType, predicate }) =>
        !isBeside(String(entryType)) && predicate['actor'].kind === 'peer',
    )
    .map(({ predicate }) => String((predicate['transition'] as Body)['action']));
  const ended = [...refused, ...applied].toSorted();
  return JSON.stringify(offered.toSorted()) === JSON.stringify(ended)
    ? []
    : [
        `steps offered ${offered.join(', ')}; applied ${applied.join(', ')}; refused ${refused.join(', ')}`,
      ];
};
