import type { ErrorCode, NotaryError, ProblemMembers } from '../../domain/kernel/errors.ts';

/** Refusals that have a problem type of their own on some paths. */
export type PathProblems = { readonly [code in ErrorCode]?: ErrorCode };

/**
 * The problem type of a refusal on one path, and the member that it adds there: the name of the
 * action where the body named it, or the attempted transition where the path did.
 */
export const problemOnPath = (
  error: NotaryError,
  problems: PathProblems = {},
): { readonly code: ErrorCode; readonly members: ProblemMembers } => {
  const code = problems[error.code] ?? error.code;
  if (error.code !== 'INVALID_ACTION') return { code, members: error.members };
  const hidden = code === 'INVALID_ACTION' ? OF_A_PATH : OF_A_BODY;
  const members = Object.entries(error.members).filter(([name]) => !hidden.has(name));
  return { code, members: Object.fromEntries(members) };
};

const OF_A_PATH: ReadonlySet<string> = new Set([
  'attemptedTransition',
  'attemptedState',
  'validTransitions',
]);
const OF_A_BODY: ReadonlySet<string> = new Set(['attemptedAction']);
