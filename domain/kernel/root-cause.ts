/**
 * Why an error came about, in one line: the message of the innermost cause, with its code where the
 * message lacks it. It is for the operator; no caller sees it.
 */
export const rootCause = (error: unknown): string => {
  const root = innermost(error);
  if (!(root instanceof Error)) return String(root);
  const message = (root.message || root.name).replace(/\s+/g, ' ').trim();
  const code = codeOf(root);
  return code === null || message.includes(code) ? message : `${message} (${code})`;
};

/** The innermost cause. Of several attempts, such as at each address of a name, the first one. */
export const innermost = (error: unknown): unknown => {
  let root = error;
  for (let depth = 0; depth < MAX_DEPTH && root instanceof Error; depth++) {
    if (root instanceof AggregateError && root.errors.length > 0) root = root.errors[0];
    else if (root.cause === undefined) break;
    else root = root.cause;
  }
  return root;
};

/** The code of a system or driver error: `ECONNREFUSED`, `ER_ACCESS_DENIED_ERROR`. */
export const codeOf = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;

/** A chain of causes may be a circle. */
const MAX_DEPTH = 16;
