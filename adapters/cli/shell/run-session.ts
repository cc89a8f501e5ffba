import type { Session } from './session.ts';
import type { Answer, Shell, ShellOptions } from './shell.ts';
import { printAnswer, printFailure } from './print-answer.ts';
import { openSession } from './session.ts';

export const runSession = async (
  shell: Shell,
  options: ShellOptions,
  work: (session: Session) => Promise<Answer>,
): Promise<void> => {
  let session: Session | null = null;
  try {
    session = await openSession(shell.environment(), options.context);
    const answer = await work(session);
    printAnswer(shell.io, answer, options.json === true);
    shell.ended(answer.exitCode ?? 0);
  } catch (error) {
    shell.ended(printFailure(shell.io, error, session, options.json === true));
  }
};

/** The same for commands that print by themselves. */
export const withSession = async (
  shell: Shell,
  options: Pick<ShellOptions, 'context'>,
  work: (session: Session) => Promise<void>,
): Promise<void> => {
  let session: Session | null = null;
  try {
    session = await openSession(shell.environment(), options.context);
    await work(session);
  } catch (error) {
    shell.ended(printFailure(shell.io, error, session, false));
  }
};

/** The same for commands that make the session themselves, or need none. */
export const runAlone = async (
  shell: Shell,
  options: Pick<ShellOptions, 'json'>,
  work: () => Promise<Answer>,
): Promise<void> => {
  try {
    const answer = await work();
    printAnswer(shell.io, answer, options.json === true);
    shell.ended(answer.exitCode ?? 0);
  } catch (error) {
    shell.ended(printFailure(shell.io, error, null, options.json === true));
  }
};
