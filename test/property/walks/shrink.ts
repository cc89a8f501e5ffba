import { named, type Command, type Label } from './command.ts';
import type { Mismatch } from './run-walk.ts';

export interface Shrunk {
  readonly commands: readonly Command[];
  readonly mismatch: Mismatch;
}

/**
 * The shortest part of a walk that still goes wrong in the same way: no command can be left out of it. Each part is
 * tried for real, on records of its own.
 */
export const shrink = async (
  walk: readonly Command[],
  found: Mismatch,
  run: (commands: readonly Command[]) => Promise<Mismatch | null>,
): Promise<Shrunk> => {
  let best: Shrunk = { commands: walk.slice(0, found.at + 1), mismatch: found };
  // What could not be left out before may be superfluous afterwards: until a whole pass leaves nothing out.
  for (let length = Infinity; best.commands.length < length;) {
    length = best.commands.length;
    for (let at = length - 1; at >= 0; at--) {
      const commands = without(best.commands, at);
      const mismatch =
        commands.length > 0 &&
        commands.length < best.commands.length &&
        (best.mismatch.at === best.commands.length || commands.at(-1) === best.commands.at(-1))
          ? await run(commands)
          : null;
      if (mismatch && isSame(best, commands, mismatch)) best = { commands, mismatch };
    }
  }
  return best;
};

/** The last command still gets the same answer where the same was expected, or the records still differ after the last one. */
const isSame = (
  { commands: before, mismatch: was }: Shrunk,
  commands: readonly Command[],
  mismatch: Mismatch,
): boolean => {
  if (was.at === before.length) return mismatch.at === commands.length;
  return (
    mismatch.at === commands.length - 1 &&
    commands.at(-1) === before.at(-1) &&
    mismatch.expected === was.expected &&
    mismatch.observed === was.observed
  );
};

/** Leaves one command out, and with it all that is about a record that it made. */
export const without = (commands: readonly Command[], at: number): readonly Command[] => {
  const gone = new Set<Label>();
  return commands.filter((command, index) => {
    const goes = index === at || named(command).some((label) => gone.has(label));
    if (goes && command.do === 'create') gone.add(command.label);
    return !goes;
  });
};
