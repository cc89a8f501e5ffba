import { cascadeResult, type CascadeChild } from '../../../record/cascade.ts';
import type { RecordStatus } from '../../../record/record-status.ts';
import type { CascadeRule } from '../../../record-type/manifest.ts';
import type { ChainMemory } from './chain-memory.ts';

/**
 * Whether the children, as the newest CASCADE_VERIFIED tells them, meet the rule; null where that depends on what only
 * their own chains say: whether one that expired or was called off had begun, and had delivered.
 */
export const cascadeExpectation = (
  rule: CascadeRule,
  { childIds, childStatuses }: ChainMemory,
): boolean | null => {
  if (rule.rule === 'none') return true;
  const statuses = childIds.length === 0 ? [] : childStatuses;
  if (!statuses) return null;
  const strictest = cascadeResult(rule, statuses.map(countedIfPossible)).satisfied;
  const mildest = cascadeResult(rule, statuses.map(countedIfCertain)).satisfied;
  return strictest === mildest ? strictest : null;
};

const countedIfPossible = (status: RecordStatus): CascadeChild => ({
  status,
  becameActive: status !== 'REJECTED',
  hasCompletion: true,
});

const countedIfCertain = (status: RecordStatus): CascadeChild => ({
  status,
  becameActive: status !== 'REJECTED' && status !== 'EXPIRED' && status !== 'CANCELLED',
  hasCompletion: true,
});
