import type { JsonObject, JsonValue } from '../../kernel/canonical-json.ts';
import { TRANSITION_ACTIONS } from './co-signed-transitions.ts';

/** What a body asks for: the members as REST would take them, and the record, where it names one. */
export interface AskedByBody {
  readonly actions: readonly string[];
  readonly members: JsonObject;
  readonly recordId: string | null;
}

/**
 * @param actions of the operation, or that its input names one.
 * @returns null where the service would refuse it: a request that names no record would else be one for any.
 */
export const askedFor = (
  actions: readonly string[] | 'transition',
  members: JsonObject,
): AskedByBody | null => {
  const { recordId, action } = members;
  const asked = actions === 'transition' ? transitionOf(action) : actions;
  const named = typeof recordId === 'string' ? recordId.toLowerCase() : null;
  const isCreation = asked.includes('create');
  if (asked.length === 0 || (named === null && !isCreation)) return null;
  return { actions: asked, members, recordId: named };
};

const transitionOf = (action: JsonValue | undefined): readonly string[] =>
  typeof action === 'string' && TRANSITION_ACTIONS.has(action) ? [action] : [];
