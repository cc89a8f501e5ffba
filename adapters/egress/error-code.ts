/** Never the message: it names addresses, and what a certificate of somebody else says. */
export const codeIn = (cause: unknown): string =>
  (cause as NodeJS.ErrnoException | null)?.code ?? '';

/** For the end of a sentence. */
export const codeOf = (cause: unknown): string => {
  const code = codeIn(cause);
  return code === '' ? '' : `: ${code}`;
};
