import type { Uuid } from '../../domain/kernel/ids.ts';
import type { Action } from '../../domain/record/actions.ts';
import type { Link, View } from '../http/route.ts';

/** Which operation carries out an action on a record. What a later release brings has no row yet. */
export const ACTION_ROUTES = {
  view: 'getRecord',
  activate: 'transitionRecord',
  propose: 'transitionRecord',
  accept: 'acceptProposal',
  'accept-counter': 'acceptCounterProposal',
  'counter-propose': 'counterPropose',
  reject: 'rejectProposal',
  'submit-completion': 'submitCompletion',
  'render-verdict': 'renderVerdict',
  revision: 'requestRevision',
  evaluate: 'transitionRecord',
  'verify-cascade': 'transitionRecord',
  delegate: 'createRecord',
  'open-dispute': 'openDispute',
  'submit-dispute-evidence': 'submitDisputeEvidence',
  'escalate-dispute': 'escalateDispute',
  'resolve-dispute': 'resolveDispute',
  'withdraw-dispute': 'withdrawDispute',
  cancel: 'cancelRecord',
  'add-reference': 'addReference',
  'export-audit': 'exportAudit',
} as const satisfies { readonly [action in Action]?: string };

const operations: ReadonlyMap<Action, string> = new Map(
  Object.entries(ACTION_ROUTES) as [Action, string][],
);

export const hasRoute = (action: Action): boolean => operations.has(action);

/** Null where the action has no route, or this credential may not call it. */
export const actionLink = (action: Action, recordId: Uuid, view: View): Link | null => {
  const operationId = operations.get(action);
  return operationId === undefined ? null : view.link(operationId, { id: recordId, recordId });
};
