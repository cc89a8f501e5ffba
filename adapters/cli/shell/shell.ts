import { InvalidArgumentError, Option, type Command } from 'commander';
import { isUuid } from '../../../domain/kernel/ids.ts';
import type { Io } from '../io.ts';
import type { ShellEnvironment } from './environment.ts';
import type { Session } from './session.ts';

/** What a command of the shell client has at hand. */
export interface Shell {
  readonly io: Io;
  /** Read when a command runs, not when the commands are listed. */
  environment(): ShellEnvironment;
  /** Tells the exit code. */
  ended(exitCode: number): void;
}

/** What every command of the shell client takes. */
export interface ShellOptions {
  readonly context?: string;
  readonly json?: true;
}

/** What a command found, for a person or for a program. */
export interface Answer {
  /** What `--json` prints. */
  readonly json: object;
  /** May hold what others wrote: it is made fit for a terminal where it is printed. */
  readonly lines: readonly string[];
  /** What can be done next. */
  readonly next?: readonly NextCommand[];
  /** Where it is not 0. */
  readonly exitCode?: number;
}

export interface NextCommand {
  readonly command: string;
  readonly description: string;
}

export const contextOption = (): Option =>
  new Option('--context <name>', 'of the profile, in the place of the current one');

/** The id of a record on the command line, in the one form that answers have. */
export const recordId = (text: string): string => {
  const id = text.toLowerCase();
  if (!isUuid(id))
    throw new InvalidArgumentError('The id of a record is a UUID: notary list shows them.');
  return id;
};

export const withShellOptions = (command: Command): Command =>
  command.addOption(contextOption()).option('--json', 'print the answer as JSON');

/** Opens the session, does the work, prints its answer. What goes wrong ends in a sentence and an exit code. */
export const runShell = async (
  shell: Shell,
  options: ShellOptions,
  work: (session: Session) => Promise<Answer>,
): Promise<void> => {
  const { runSession } = await import('./run-session.ts');
  await runSession(shell, options, work);
};
