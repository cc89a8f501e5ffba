/**
 * What stands in the place of a value: the value itself where it stays. Asked of each value before anything of it is read.
 *
 * @param path such as `input.0.password`, `output.items.2` or `error.message`
 */
export type Redact = (value: unknown, path: string) => unknown;

/** What a redacted value is replaced with. */
export const REDACTED = '[redacted]';

/**
 * Of paths such as `input.0.password`. `*` stands for one step, `**` for any number of them, none included.
 *
 * @throws TypeError where a path begins with none of input, output, error and a star, for it would redact nothing
 */
export const redactionOf = (redact: Redact | readonly string[]): Redact => {
  if (typeof redact === 'function') return redact;
  const patterns = redact.map(patternOf);
  return (value, path) => (patterns.some((one) => one.test(path)) ? REDACTED : value);
};

const patternOf = (path: string): RegExp => {
  const steps = path.split('.');
  if (!/^(input|output|error|\*\*?)$/.test(steps[0]!) || steps.includes(''))
    throw new TypeError(
      `${path} redacts nothing: a path begins with input, output, error, * or **, with a full stop between its steps`,
    );
  const parts = steps.map((step) => {
    if (step === '**') return '(?:[^.]*\\.)*';
    if (step === '*') return '[^.]*\\.';
    return `${step.replace(/[^\w]/g, '\\$&')}\\.`;
  });
  // Each step ends with a full stop, and so does the path that is tried.
  const pattern = new RegExp(`^${parts.join('')}$`);
  return { test: (tried: string) => pattern.test(`${tried}.`) } as RegExp;
};
