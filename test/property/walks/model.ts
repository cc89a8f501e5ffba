import {
  actorOf,
  MAX_DEPTH,
  MAX_REVISIONS,
  MAX_ROUNDS,
  AGENTS,
  rulesOf,
  type ActorName,
  type AgentName,
} from './cast.ts';
import type {
  AddReference,
  Command,
  Create,
  Label,
  Read,
  Submit,
  Take,
  Verdict,
  Wait,
} from './command.ts';
import { dispute } from './model-disputes.ts';
import {
  cancelled,
  childrenNow,
  end,
  judge,
  openBelow,
  openChildren,
  tellParent,
  verify,
  waitsForChildren,
} from './model-ends.ts';
import {
  isOpen,
  readable,
  record,
  refuse,
  Refusal,
  sidesOf,
  type Effect,
  type ModelRecord,
  type ModelWorld,
  type Predicted,
  type Side,
} from './model-world.ts';

/**
 * What the contract says of records, written down once more and apart from the product: for each command the
 * refusal, or the success with what it changes. Deliberately plain; where the two disagree, one of them is wrong.
 */
export const predict = (world: ModelWorld, command: Command): Predicted => {
  try {
    return { ok: true, apply: decide(world, command) };
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    return { ok: false, status: refusal.status, code: refusal.code, reason: refusal.reason };
  }
};

const decide = (world: ModelWorld, command: Command): Effect => {
  switch (command.do) {
    case 'create':
      return create(world, command);
    case 'take':
      return take(world, command);
    case 'submit':
      return submit(world, command);
    case 'verdict':
      return verdict(world, command);
    case 'reference':
      return reference(world, command);
    case 'dispute':
      allowed(command.as, command.malformed);
      return dispute(world, command);
    case 'read':
      return read(world, command);
    case 'wait':
      return wait(world, command);
  }
};

/** 401, then the scope's 403, then the body's 400. */
const allowed = (as: ActorName, malformed?: boolean): void => {
  const actor = actorOf(as);
  if (actor.kind === 'nobody') refuse(401, 'UNAUTHORIZED');
  if (actor.readsOnly) refuse(403, 'INSUFFICIENT_SCOPE');
  if (malformed) refuse(400, 'VALIDATION_ERROR');
};

const create = (
  world: ModelWorld,
  {
    as,
    label,
    type,
    criteria,
    principal,
    performer,
    auto,
    parent: parentLabel,
    fuse,
    malformed,
  }: Create,
): Effect => {
  allowed(as, malformed);
  const actor = actorOf(as);
  const rules = rulesOf(type);
  const parent = parentLabel === undefined ? null : delegable(world, as, parentLabel);
  const owner: AgentName | undefined = parent
    ? (parent.performer as AgentName)
    : (principal ?? actor.agent);
  if (!owner) refuse(422, 'VALIDATION_ERROR');
  if (parent && principal !== undefined && principal !== parent.performer)
    refuse(422, 'VALIDATION_ERROR');
  if (performer === 'unknown') refuse(422, 'VALIDATION_ERROR');
  // No type of the walks is registered in the third org.
  if (AGENTS[owner] === 'c') refuse(422, 'VALIDATION_ERROR');
  const owns = (agent: AgentName): boolean =>
    actor.kind === 'platform' ||
    (actor.kind === 'admin' ? AGENTS[agent] === actor.org : actor.agent === agent);
  const other = performer !== undefined && performer !== owner;
  const byPerformer = !owns(owner);
  if (byPerformer && (rules.notarizes || performer === undefined || !owns(performer)))
    refuse(422, 'VALIDATION_ERROR');
  if (!rules.notarizes && auto && other && (byPerformer || AGENTS[performer] !== AGENTS[owner]))
    refuse(422, 'VALIDATION_ERROR');
  if (criteria === 'bad') refuse(422, 'SCHEMA_VALIDATION_ERROR');
  if (rules.notarizes && fuse) refuse(422, 'VALIDATION_ERROR');
  const status = rules.notarizes ? 'RECORDED' : auto ? 'ACTIVE' : other ? 'PROPOSED' : 'CREATED';
  return () => {
    const made: ModelRecord = {
      label,
      type,
      status,
      principal: owner,
      performer: performer ?? (status === 'ACTIVE' ? owner : null),
      parent: parent?.label ?? null,
      depth: parent ? parent.depth + 1 : 0,
      children: [],
      awaiting:
        status === 'CREATED'
          ? 'principal'
          : status === 'PROPOSED'
            ? byPerformer
              ? 'principal'
              : 'performer'
            : status === 'ACTIVE'
              ? 'performer'
              : null,
      onTable: 'base',
      countered: false,
      rounds: 0,
      revisions: 0,
      completions: 0,
      pending: false,
      activated: status === 'ACTIVE',
      cancelledBy: null,
      fuse: fuse === true,
      late: !fuse && parent !== null && (parent.late || parent.completions > 0),
      disputes: 0,
      dispute: null,
      signal: null,
      references: [],
      verified: null,
      entries: [
        status === 'RECORDED'
          ? 'RECORD_RECORDED'
          : status === 'PROPOSED'
            ? 'RECORD_PROPOSED'
            : 'RECORD_CREATED',
      ],
    };
    world.set(label, made);
    if (!parent) return;
    parent.children.push(label);
    parent.entries.push('CHILD_DELEGATED');
    if (isOpen(made))
      parent.awaiting = rulesOf(parent.type).rule === 'none' ? parent.awaiting : 'children';
    else tellParent(world, made);
  };
};

/** A record under which this caller may delegate now. One that it may not read does not exist: 422, because a body names it. */
const delegable = (world: ModelWorld, as: ActorName, label: Label): ModelRecord => {
  const parent = record(world, label);
  const sides = sidesOf(as, parent);
  if (sides.size === 0) refuse(422, 'VALIDATION_ERROR');
  if (!sides.has('performer')) refuse(403, 'FORBIDDEN');
  undisputed(parent);
  if (!mayWork(parent)) refuse(422, 'UNPROCESSABLE_STATE');
  if (parent.depth >= MAX_DEPTH) refuse(422, 'UNPROCESSABLE_STATE');
  return parent;
};

const undisputed = (one: ModelRecord): void => {
  if (one.dispute) refuse(422, 'UNPROCESSABLE_STATE', 'record_disputed');
};

const mayWork = ({ status, pending }: ModelRecord): boolean =>
  (status === 'ACTIVE' && !pending) || status === 'REVISION_REQUESTED';
const judged = ({ status, pending }: ModelRecord): boolean => status === 'ACTIVE' && pending;
/** Who an action is for whatever the state; where the state decides between the sides, both. */
const FOR: { readonly [action: string]: readonly (Side | 'admin')[] } = {
  propose: ['principal'],
  activate: ['principal'],
  revision: ['principal'],
  evaluate: ['principal', 'admin'],
  accept: ['principal', 'performer'],
  'accept-counter': ['principal', 'performer'],
  reject: ['principal', 'performer'],
  'counter-propose': ['principal', 'performer'],
  'verify-cascade': ['principal', 'performer'],
  cancel: ['principal', 'performer'],
};
const CONSENT: ReadonlySet<string> = new Set([
  'accept',
  'accept-counter',
  'reject',
  'counter-propose',
]);

const IN_STATE: { readonly [action: string]: (one: ModelRecord) => boolean } = {
  propose: ({ status }) => status === 'CREATED',
  activate: ({ status }) => status === 'CREATED',
  accept: ({ status, countered }) => status === 'PROPOSED' && !countered,
  'accept-counter': ({ status, countered }) => status === 'PROPOSED' && countered,
  reject: ({ status }) => status === 'PROPOSED',
  'counter-propose': ({ status }) => status === 'PROPOSED',
  revision: judged,
  evaluate: judged,
  'verify-cascade': ({ status }) => status === 'ACTIVE',
  cancel: isOpen,
};

const take = (world: ModelWorld, command: Take): Effect => {
  const { as, on, action, via } = command;
  allowed(
    as,
    command.malformed ||
      (action === 'propose' && command.performer === undefined) ||
      (action === 'counter-propose' && command.criteria === undefined),
  );
  const one = readable(world, as, on);
  const sides = sidesOf(as, one);
  const whose = FOR[action];
  const taker = takers[action];
  if (!whose || !taker) return refuse(422, 'INVALID_ACTION');
  if (!whose.some((who) => (who === 'admin' ? actorOf(as).kind !== 'agent' : sides.has(who))))
    refuse(403, 'FORBIDDEN');
  if (CONSENT.has(action) && one.status === 'PROPOSED' && !sides.has(one.awaiting as Side))
    refuse(403, 'FORBIDDEN');
  undisputed(one);
  if (!IN_STATE[action]?.(one))
    refuse(422, via === 'transition' ? 'INVALID_ACTION' : 'UNPROCESSABLE_STATE');
  return taker(world, one, command, sides);
};

const activate = (one: ModelRecord, entry: string): void => {
  Object.assign(one, {
    status: 'ACTIVE',
    activated: true,
    awaiting: 'performer',
    performer: one.performer ?? one.principal,
  });
  one.entries.push(entry);
};

type Taker = (
  world: ModelWorld,
  one: ModelRecord,
  command: Take,
  sides: ReadonlySet<Side>,
) => Effect;

const accept: Taker = (_world, one, { action, hash }) => {
  if (hash !== undefined && hash !== (one.countered ? 'counter' : one.onTable))
    refuse(422, 'VALIDATION_ERROR');
  return () => {
    if (one.countered) one.onTable = 'counter';
    one.countered = false;
    activate(one, action === 'accept' ? 'PROPOSAL_ACCEPTED' : 'COUNTER_ACCEPTED');
  };
};

const takers: { readonly [action: string]: Taker } = {
  accept,
  'accept-counter': accept,
  activate: (_world, one) => () => activate(one, 'RECORD_ACTIVATED'),
  propose: (_world, one, { performer }) => {
    if (performer === 'unknown') refuse(422, 'VALIDATION_ERROR');
    if (performer === one.principal) refuse(422, 'UNPROCESSABLE_STATE');
    return () => {
      Object.assign(one, { status: 'PROPOSED', awaiting: 'performer', performer });
      one.entries.push('RECORD_PROPOSED');
    };
  },
  reject: (world, one) => () => end(world, one, 'REJECTED', 'PROPOSAL_REJECTED'),
  'counter-propose': (_world, one, { criteria }) => {
    if (one.rounds >= MAX_ROUNDS) refuse(422, 'UNPROCESSABLE_STATE');
    if (criteria === 'bad') refuse(422, 'SCHEMA_VALIDATION_ERROR');
    return () => {
      one.rounds += 1;
      one.countered = true;
      one.awaiting = one.awaiting === 'principal' ? 'performer' : 'principal';
      one.entries.push('COUNTER_PROPOSED');
    };
  },
  revision: (_world, one) => {
    if (rulesOf(one.type).mode !== 'principal')
      refuse(422, 'UNPROCESSABLE_STATE', 'mode_not_principal');
    if (one.revisions >= MAX_REVISIONS) refuse(422, 'UNPROCESSABLE_STATE');
    return () => {
      Object.assign(one, {
        status: 'REVISION_REQUESTED',
        awaiting: 'performer',
        pending: false,
        revisions: one.revisions + 1,
      });
      one.entries.push('REVISION_REQUESTED');
    };
  },
  evaluate: (world, one) => {
    if (rulesOf(one.type).mode !== 'auto') refuse(422, 'UNPROCESSABLE_STATE', 'mode_not_auto');
    if (one.children.length > 0) refuse(422, 'UNPROCESSABLE_STATE', 'has_children_leaf_only');
    return () => judge(world, one);
  },
  'verify-cascade': (world, one) => {
    if (one.children.length === 0)
      refuse(422, 'UNPROCESSABLE_STATE', one.parent === null ? 'no_children' : 'leaf_record');
    if (openChildren(world, one)) refuse(422, 'UNPROCESSABLE_STATE', 'children_not_terminal');
    return () => {
      const decides = rulesOf(one.type).mode === 'auto' && one.pending;
      if (decides || one.verified !== childrenNow(world, one)) verify(world, one);
      if (decides) judge(world, one);
    };
  },
  cancel: (world, one, { cascade }, sides) => {
    const proposer: Side =
      one.status === 'PROPOSED' && one.awaiting === 'principal' ? 'performer' : 'principal';
    const may: readonly Side[] =
      one.status === 'CREATED'
        ? ['principal']
        : one.status === 'PROPOSED'
          ? [proposer]
          : judged(one)
            ? ['principal']
            : ['principal', 'performer'];
    const by = may.find((side) => sides.has(side));
    if (!by) return refuse(403, 'FORBIDDEN');
    if (!cascade && openChildren(world, one))
      refuse(422, 'UNPROCESSABLE_STATE', 'children_not_terminal');
    return () => {
      if (cascade)
        for (const below of openBelow(world, one)) cancelled(world, below, 'principal', false);
      cancelled(world, one, by, true);
    };
  },
};

const submit = (world: ModelWorld, { as, on, evidence, dies, malformed }: Submit): Effect => {
  allowed(as, malformed);
  const one = readable(world, as, on);
  if (!sidesOf(as, one).has('performer')) refuse(403, 'FORBIDDEN');
  undisputed(one);
  if (!mayWork(one)) refuse(422, 'UNPROCESSABLE_STATE');
  if (waitsForChildren(world, one)) refuse(422, 'UNPROCESSABLE_STATE', 'children_not_terminal');
  if (evidence === 'bad') refuse(422, 'SCHEMA_VALIDATION_ERROR');
  return () => {
    one.completions += 1;
    one.passes = evidence === 'pass';
    one.entries.push('COMPLETION_SUBMITTED');
    const { mode } = rulesOf(one.type);
    Object.assign(one, {
      status: 'ACTIVE',
      pending: true,
      awaiting: mode === 'auto' ? 'gate' : 'principal',
    });
    if (mode === 'auto' && !dies) judge(world, one);
  };
};

const verdict = (
  world: ModelWorld,
  { as, on, verdict: says, completion, malformed }: Verdict,
): Effect => {
  allowed(as, malformed);
  const one = readable(world, as, on);
  if (!sidesOf(as, one).has('principal')) refuse(403, 'FORBIDDEN');
  undisputed(one);
  const overrides = one.status === 'FAILED' && says === 'accept';
  if (!judged(one) && !overrides) refuse(422, 'UNPROCESSABLE_STATE');
  if (rulesOf(one.type).mode !== 'principal')
    refuse(422, 'UNPROCESSABLE_STATE', 'mode_not_principal');
  if (!overrides && says === 'accept' && waitsForChildren(world, one))
    refuse(422, 'UNPROCESSABLE_STATE', 'children_not_terminal');
  if (completion === 'other') refuse(422, 'VALIDATION_ERROR');
  return () =>
    end(
      world,
      one,
      overrides ? 'REMEDIATED' : says === 'accept' ? 'FULFILLED' : 'FAILED',
      'VERDICT_RENDERED',
    );
};

const reference = (world: ModelWorld, { as, on, uri, malformed }: AddReference): Effect => {
  allowed(as, malformed);
  const one = readable(world, as, on);
  return () => {
    if (one.references.includes(uri)) return;
    one.references.push(uri);
    one.entries.push('REFERENCE_ADDED');
  };
};

const read = (world: ModelWorld, { as, on }: Read): Effect => {
  if (actorOf(as).kind === 'nobody') refuse(401, 'UNAUTHORIZED');
  readable(world, as, on);
  return () => undefined;
};

const wait = (world: ModelWorld, { on }: Wait): Effect => {
  const one = record(world, on);
  return () => {
    if (isOpen(one) && waits(one)) end(world, one, 'EXPIRED', 'RECORD_EXPIRED');
  };
};

/** Whether its deadline is a moment away. A pending completion moves it by the type's window, a revision by a day. */
export const waits = (one: ModelRecord): boolean =>
  isOpen(one) &&
  ((rulesOf(one.type).brief === true && judged(one) && !one.late) ||
    (one.fuse && one.completions === 0));
