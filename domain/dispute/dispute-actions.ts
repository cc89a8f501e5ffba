import type { Caller } from '../identity/caller.ts';
import type { DisputeHead } from './dispute.ts';
import { mayWithdraw, resolvingAs } from './actors.ts';
import type { DisputeActions } from '../record/guidance.ts';
import type { Action } from '../record/actions.ts';
import type { RecordState } from '../record/record-state.ts';
import { isDisputable, losingSide } from '../record/settlement.ts';
import { sidesOf } from '../record/sides.ts';

/**
 * What can be done about disputes on a record.
 *
 * @param dispute the open one, if it was loaded. Without it, the actions that depend on its phase or its initiator are
 * left out.
 * @param now ISO 8601. An outcome can be disputed for a limited time.
 */
export const disputeActions = (
  record: RecordState,
  dispute: DisputeHead | null,
  caller: Caller,
  now: string,
): DisputeActions => {
  const disputes = caller.allowed.has('disputes:write');
  if (!disputes) return { valid: [], own: [] };
  const sides = sidesOf(caller, record);
  if (!record.disputed) {
    if (!isDisputable(record, now)) return { valid: [], own: [] };
    const loser = losingSide(record);
    return {
      valid: ['open-dispute'],
      own: loser !== null && sides.has(loser) ? ['open-dispute'] : [],
    };
  }
  if (!dispute || dispute.resolvedAt !== null)
    return {
      valid: ['submit-dispute-evidence', 'resolve-dispute', 'withdraw-dispute'],
      own: ['submit-dispute-evidence'],
    };
  const common: readonly Action[] =
    dispute.phase === 'TIER_3_ARBITRATION'
      ? ['submit-dispute-evidence']
      : ['submit-dispute-evidence', 'escalate-dispute'];
  return {
    valid: [...common, 'resolve-dispute', 'withdraw-dispute'],
    own: [
      ...common,
      ...(mayResolve(caller, record, dispute) ? (['resolve-dispute'] as const) : []),
      ...(mayWithdraw(caller, record, dispute) ? (['withdraw-dispute'] as const) : []),
    ],
  };
};

const mayResolve = (caller: Caller, record: RecordState, dispute: DisputeHead): boolean => {
  const resolving = resolvingAs(caller, record, dispute, 'OVERTURNED');
  return (
    resolving === 'conceding' || (resolving === 'deciding' && caller.allowed.has('disputes:manage'))
  );
};
