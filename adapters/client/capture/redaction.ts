/**
 * What stands in the place of a value: the value itself where it stays. Asked of each value before anything of it is read.
 *
 * @param path such as `input.0.password`, `output.items.2` or `error.message`
 * @param steps of the path: a name may hold full stops of its own
 */
export type Redact = (value: unknown, path: string, steps: readonly string[]) => unknown;

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
  return (value, path, steps) =>
    patterns.some((one) => leads(one, steps) || leads(one, path.split('.'))) ? REDACTED : value;
};

/** @throws TypeError */
const patternOf = (path: string): readonly string[] => {
  const steps = path.split('.');
  if (!/^(input|output|error|\*\*?)$/.test(steps[0]!) || steps.includes(''))
    throw new TypeError(
      `${path} redacts nothing: a path begins with input, output, error, * or **, with a full stop between its steps`,
    );
  return steps;
};

/** Whether a pattern leads just here. A name with full stops is met as one step, and as the steps that it looks like. */
const leads = (pattern: readonly string[], steps: readonly string[], from = 0, at = 0): boolean => {
  for (; from < pattern.length; from++, at++) {
    const step = pattern[from]!;
    if (step === '**') {
      for (let next = at; next <= steps.length; next++)
        if (leads(pattern, steps, from + 1, next)) return true;
      return false;
    }
    if (at >= steps.length || (step !== '*' && step !== steps[at])) return false;
  }
  return at === steps.length;
};
