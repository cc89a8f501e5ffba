import type { Caller } from '../identity/caller.ts';
import type { Scope } from '../identity/scopes.ts';
import type { Side } from './record-state.ts';

/** By which a performer consents to a proposal: these it may do with completions:write alone. */
const CONSENT: ReadonlySet<string> = new Set([
  'accept',
  'reject',
  'counter-propose',
  'accept-counter',
]);

const DISPUTING: ReadonlySet<string> = new Set([
  'open-dispute',
  'submit-dispute-evidence',
  'escalate-dispute',
  'withdraw-dispute',
]);

/** The scopes that an action takes on one of these sides; any one of them is enough. */
export const scopesFor = (action: string, sides: ReadonlySet<Side>): readonly Scope[] => {
  if (action === 'submit-completion') return ['completions:write'];
  if (action === 'resolve-dispute') return ['disputes:manage', 'disputes:write'];
  if (DISPUTING.has(action)) return ['disputes:write'];
  return CONSENT.has(action) && sides.has('performer')
    ? ['records:write', 'completions:write']
    : ['records:write'];
};

export const holdsScope = (caller: Caller, action: string, sides: ReadonlySet<Side>): boolean =>
  scopesFor(action, sides).some((scope) => caller.allowed.has(scope));

/** For what either party may do. */
export const sidesFor = (action: string): ReadonlySet<Side> =>
  new Set<Side>(CONSENT.has(action) ? ['performer'] : []);
