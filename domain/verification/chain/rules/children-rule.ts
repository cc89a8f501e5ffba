import { MAX_CHILDREN } from '../../../record/limits.ts';
import { TERMINAL } from '../../../record/record-status.ts';
import { mayBecome, OPENING_STATUSES } from '../../../record/lifecycle-queries.ts';
import type { ChildClaim } from '../../../record/record-statement.ts';
import type { StepRule } from './sealed-step.ts';

const MAX_DEPTH = 10;

/** The children of a record are those that were delegated on its chain, in that order. */
export const checkChildren: StepRule = ({ entry, before, after, manifest, memory }, fail) => {
  const { children = [] } = entry;
  if (entry.entryType === 'CHILD_DELEGATED') {
    const [child] = children;
    if (!child || children.length > 1) return fail('a delegation is of one child');
    if (child.id === after.parentRecordId || child.id === after.rootRecordId)
      fail('the child stands above its parent');
    if (child.id === after.id || memory.childIds.includes(child.id))
      fail('the child was delegated before');
    if (!OPENING_STATUSES.has(child.status)) fail(`no record begins ${child.status}`);
    if (child.disputed) fail('nothing of a new child is disputed');
    if (after.childCount > MAX_CHILDREN) fail(`a record has at most ${MAX_CHILDREN} children`);
    if (before && before.depth >= Math.min(MAX_DEPTH, manifest?.maxDelegationDepth ?? MAX_DEPTH))
      fail('the tree grows deeper than the type allows');
  }
  if (entry.entryType !== 'CASCADE_VERIFIED') return;
  if (memory.childIds.length === 0) fail('there is no cascade to verify without children');
  if (
    children.length !== memory.childIds.length ||
    children.some(({ id }, index) => id !== memory.childIds[index])
  )
    fail('the children verified are not those that were delegated on this chain, in their order');
  if (children.some(({ status }) => !TERMINAL.has(status)))
    fail('a cascade is verified when every child has ended');
  for (const child of children) {
    const fault = faultOfChild(memory.children.get(child.id), child);
    if (fault) fail(fault);
  }
};

/** What a child is told to be follows, by the lifecycle, from what it was told to be before. */
const faultOfChild = (was: ChildClaim | undefined, is: ChildClaim): string | null => {
  if (!was) return null;
  if (!mayBecome(was.status, is.status))
    return `a child that was ${was.status} does not become ${is.status}`;
  const isSame = was.status === is.status && was.disputed === is.disputed;
  return was.headHash === is.headHash && !isSame
    ? 'a child becomes another by an entry of its own chain'
    : null;
};
