import { rulesOf } from './cast.ts';
import {
  disputable,
  isOpen,
  isTerminal,
  record,
  type ModelRecord,
  type ModelWorld,
  type Side,
  type Signal,
} from './model-world.ts';

/** It came to an end, or from one end to another. */
export const end = (
  world: ModelWorld,
  one: ModelRecord,
  status: ModelRecord['status'],
  entry: string,
  tells = true,
): void => {
  const begun = one.activated;
  Object.assign(one, { status, pending: false, awaiting: null });
  one.entries.push(entry);
  if (status !== 'REJECTED' && begun)
    signal(
      one,
      status === 'FULFILLED' || status === 'REMEDIATED'
        ? 'SETTLE'
        : disputable(one)
          ? 'HOLD'
          : 'RELEASE',
    );
  if (tells) tellParent(world, one);
};

export const signal = (one: ModelRecord, recommendation: Signal): void => {
  one.signal = recommendation;
  one.entries.push('SIGNAL_EMITTED');
};

/** With its last open child, a parent that is still open learns how all of them stand. */
export const tellParent = (world: ModelWorld, { parent: label }: ModelRecord): void => {
  const parent = label === null ? null : record(world, label);
  if (!parent || isTerminal(parent) || openChildren(world, parent)) return;
  verify(world, parent);
  if (parent.awaiting === 'children') parent.awaiting = 'performer';
};

/** The children are sealed as they stand. */
export const verify = (world: ModelWorld, parent: ModelRecord): void => {
  parent.verified = childrenNow(world, parent);
  parent.entries.push('CASCADE_VERIFIED');
};

/** Every entry moves the head of a child. */
export const childrenNow = (world: ModelWorld, { children }: ModelRecord): string =>
  children.map((label) => `${label} ${record(world, label).entries.length}`).join();

/** The gates decide, the cascade rule among them. */
export const judge = (world: ModelWorld, one: ModelRecord): void =>
  end(world, one, one.passes && ruleMet(world, one) ? 'FULFILLED' : 'FAILED', 'GATE_EVALUATED');

const ruleMet = (world: ModelWorld, { type, children }: ModelRecord): boolean => {
  const { rule, quorum } = rulesOf(type);
  const counted = children
    .map((label) => record(world, label))
    .filter(
      ({ status, activated, completions }) =>
        status === 'RECORDED' || (activated && !(status === 'CANCELLED' && completions === 0)),
    );
  const satisfied = counted.filter(
    ({ status }) => status === 'FULFILLED' || status === 'REMEDIATED' || status === 'RECORDED',
  ).length;
  switch (rule) {
    case 'none':
      return true;
    case 'all-fulfilled':
      return satisfied === counted.length;
    case 'any-fulfilled':
      return satisfied >= 1;
    case 'quorum':
      return satisfied >= (quorum as number);
  }
};

export const openBelow = (world: ModelWorld, { children }: ModelRecord): readonly ModelRecord[] =>
  children
    .map((label) => record(world, label))
    .flatMap((child) => [...openBelow(world, child), ...(isOpen(child) ? [child] : [])]);

export const cancelled = (world: ModelWorld, one: ModelRecord, by: Side, tells: boolean): void => {
  one.cancelledBy = by;
  end(world, one, 'CANCELLED', 'RECORD_CANCELLED', tells);
};

export const openChildren = (world: ModelWorld, { children }: ModelRecord): boolean =>
  children.some((label) => isOpen(record(world, label)));
export const waitsForChildren = (world: ModelWorld, one: ModelRecord): boolean =>
  rulesOf(one.type).rule !== 'none' && openChildren(world, one);
