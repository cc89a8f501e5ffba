import {
  LIFECYCLE,
  type Guard,
  type LifecycleActor,
  type Transition,
} from '../../../domain/record/lifecycle.ts';
import type { Action } from '../../../domain/record/actions.ts';
import type { RecordStatus } from '../../../domain/record/record-status.ts';
import { actorOf, MAX_DEPTH, MAX_REVISIONS, MAX_ROUNDS, rulesOf, type ActorName } from './cast.ts';
import type { Command } from './command.ts';
import { isOpen, record, sidesOf, type ModelRecord, type ModelWorld } from './model-world.ts';

/** What the table of the lifecycle says of an attempt of its actions by somebody who may read the record. */
export type TableSays =
  | { readonly to: readonly string[] }
  | { readonly status: number; readonly code: string; readonly reason?: string };

/** Reads the rows as they stand: actors, states and conditions, guards in their order. Null where the table is not asked. */
export const tableSays = (world: ModelWorld, command: Command): TableSays | null => {
  const asked = actionOf(command);
  if (!asked) return null;
  const { action, one, targets, byName } = { ...asked, one: record(world, asked.on) };
  const rows = (LIFECYCLE as readonly Transition[]).filter(
    (row) => row.action === action && row.from.length > 0,
  );
  const may = (row: Transition): boolean =>
    row.actors.some((actor) => stands(actor, command.as, one));
  if (!rows.some(may)) return { status: 403, code: 'FORBIDDEN' };
  if (one.dispute) return { status: 422, code: 'UNPROCESSABLE_STATE', reason: 'record_disputed' };
  const now = rows.filter(
    ({ from, to, when }) =>
      from.includes(one.status) &&
      (when?.pending ?? one.pending) === one.pending &&
      (when?.counter ?? one.countered) === one.countered &&
      (!targets || to.some((target) => (targets as readonly string[]).includes(target))),
  );
  if (now.length === 0)
    return { status: 422, code: byName ? 'INVALID_ACTION' : 'UNPROCESSABLE_STATE' };
  const row = now.find(may);
  if (!row) return { status: 403, code: 'FORBIDDEN' };
  const guard = row.guards.find((candidate) => refuses(candidate, world, one, command));
  // The completion that is named is no matter of the state.
  if (guard === 'rejected-completion') return { status: 422, code: 'VALIDATION_ERROR' };
  if (guard)
    return {
      status: 422,
      code: 'UNPROCESSABLE_STATE',
      ...(guard.includes('_') ? { reason: guard } : {}),
    };
  return {
    to: now
      .filter(may)
      .flatMap(({ to }) => to.map((target) => (target === 'unchanged' ? one.status : target))),
  };
};

const OF_TRANSITION: ReadonlySet<string> = new Set<Action>([
  'propose',
  'activate',
  'accept',
  'accept-counter',
  'counter-propose',
  'reject',
  'cancel',
  'revision',
  'evaluate',
  'verify-cascade',
]);

const actionOf = (
  command: Command,
): {
  readonly action: string;
  readonly on: string;
  readonly byName: boolean;
  readonly targets?: readonly RecordStatus[];
} | null => {
  switch (command.do) {
    case 'take':
      return OF_TRANSITION.has(command.action)
        ? { action: command.action, on: command.on, byName: command.via === 'transition' }
        : null;
    case 'submit':
      return { action: 'submit-completion', on: command.on, byName: false };
    case 'verdict':
      return {
        action: 'render-verdict',
        on: command.on,
        byName: false,
        targets: command.verdict === 'accept' ? ['FULFILLED', 'REMEDIATED'] : ['FAILED'],
      };
    case 'create':
      return command.parent === undefined
        ? null
        : { action: 'delegate', on: command.parent, byName: false };
    case 'reference':
    case 'dispute':
    case 'read':
    case 'wait':
      return null;
  }
};

const stands = (actor: LifecycleActor, as: ActorName, one: ModelRecord): boolean => {
  const sides = sidesOf(as, one);
  switch (actor) {
    case 'principal':
    case 'performer':
      return sides.has(actor);
    case 'admin':
      return actorOf(as).kind !== 'agent' && sides.size > 0;
    case 'awaited':
      return one.status === 'PROPOSED' ? sides.has(one.awaiting as 'principal') : sides.size > 0;
    case 'other':
      return one.status === 'PROPOSED'
        ? sides.has(one.awaiting === 'principal' ? 'performer' : 'principal')
        : sides.size > 0;
    case 'creator':
    case 'system':
    case 'loser':
    case 'initiator':
    case 'resolver':
      return false;
  }
};

const refuses = (guard: Guard, world: ModelWorld, one: ModelRecord, command: Command): boolean => {
  const { mode, rule } = rulesOf(one.type);
  const openChildren = one.children.some((label) => isOpen(record(world, label)));
  switch (guard) {
    case 'record_disputed':
      return one.dispute !== null;
    case 'mode_not_principal':
      return mode !== 'principal';
    case 'mode_not_auto':
      return mode !== 'auto';
    case 'children_not_terminal':
      return openChildren && (command.do === 'take' ? command.cascade !== true : rule !== 'none');
    case 'has_children_leaf_only':
      return one.children.length > 0;
    case 'leaf_record':
      return one.parent !== null && one.children.length === 0;
    case 'no_children':
      return one.children.length === 0;
    case 'not-to-oneself':
      return command.do === 'take' && command.performer === one.principal;
    case 'rounds':
      return one.rounds >= MAX_ROUNDS;
    case 'max-revisions':
      return one.revisions >= MAX_REVISIONS;
    case 'rejected-completion':
      return command.do === 'verdict' && command.completion === 'other';
    case 'depth':
      return one.depth >= MAX_DEPTH;
  }
};
