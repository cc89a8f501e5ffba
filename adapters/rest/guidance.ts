import type { Guidance } from '../../domain/record/guidance.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { Action } from '../../domain/record/actions.ts';
import type { Link, View } from '../http/route.ts';
import { ACTION_ROUTES, actionLink, hasRoute } from './action-routes.ts';

export interface PresentedStep extends Link {
  readonly action: string;
  readonly description: string;
}

/** Guidance on a record, with the routes to follow it by. An action without a route is not named. */
export const presentGuidance = (guidance: Guidance, recordId: Uuid, view: View): object => ({
  nextActions: guidance.nextActions.filter(hasRoute),
  validTransitions: guidance.validTransitions,
  suggestion: guidance.suggestion,
  hint: guidance.hint,
  nextSteps: guidance.nextSteps.flatMap(({ action, description, ...step }) => {
    const link = actionLink(action, recordId, view);
    return link
      ? [{ action, ...link, description: `${description}${bodyHint(action)}`, ...step }]
      : [];
  }),
});

/** The path of these actions does not name them: the body does. */
const bodyHint = (action: Action): string =>
  (ACTION_ROUTES as { readonly [action in Action]?: string })[action] === 'transitionRecord'
    ? `; the body is {"action": "${action}"${action === 'propose' ? ', "performerAgentId": "..."' : ''}}`
    : '';

/** What to do next with anything but a record: `[action, operationId, description, params?]`, less what the caller may not call. */
export const stepsTo = (
  view: View,
  ...steps: readonly (readonly [
    action: string,
    operationId: string,
    description: string,
    params?: { readonly [name: string]: string },
  ])[]
): readonly PresentedStep[] =>
  steps.flatMap(([action, operationId, description, params]) => {
    const link = view.link(operationId, params);
    return link ? [{ action, ...link, description }] : [];
  });
