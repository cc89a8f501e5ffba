import type { Caller } from '../identity/caller.ts';
import type { Scope } from '../identity/scopes.ts';
import { findActionRow, type ActionRow } from './actions.ts';
import type { Action } from './actions.ts';
import type { Side } from './record-state.ts';

/** The scopes that an action takes on one of these sides; any one of them is enough. */
export const scopesFor = (action: string, sides: ReadonlySet<Side>): readonly Scope[] => {
  const row = findActionRow(action);
  if (!row || !isForCallers(row)) return UNKNOWN_ACTION;
  return sides.has('performer') ? [...row.scopes, ...(row.performerScopes ?? [])] : row.scopes;
};

/**
 * `/transition` takes any name and checks the scope first. A name that it cannot carry out needs the scope of most
 * actions.
 */
const UNKNOWN_ACTION: readonly Scope[] = ['records:write'];

const isForCallers = (row: ActionRow): boolean => !row.isRead && row.scopes.length > 0;

export const holdsScope = (caller: Caller, action: string, sides: ReadonlySet<Side>): boolean =>
  scopesFor(action, sides).some((scope) => caller.allowed.has(scope));

/** Whether some side may do it with the scopes of this caller. */
export const holdsScopeOfSomeSide = (caller: Caller, action: Action): boolean =>
  holdsScope(caller, action, PERFORMER);

const PERFORMER: ReadonlySet<Side> = new Set<Side>(['performer']);
