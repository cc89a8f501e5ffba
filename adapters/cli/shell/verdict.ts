import { Argument, type Command } from 'commander';
import { EXIT, EXIT_HELP, ShellError } from './shell-error.ts';
import { recordId, runShell, withShellOptions, type Shell, type ShellOptions } from './shell.ts';

interface VerdictOptions extends ShellOptions {
  readonly completion?: string;
  readonly reason?: string;
}

/** `notary verdict`: the principal decides. */
export const addVerdictCommand = (program: Command, shell: Shell): void => {
  withShellOptions(
    program
      .command('verdict')
      .description('accept or reject what was delivered')
      .argument('<record>', 'its id', recordId)
      .addArgument(new Argument('<verdict>', 'what is decided').choices(['accept', 'reject']))
      .option('--completion <id>', 'which one is judged; default: the latest')
      .option('--reason <text>', 'is sealed with the verdict'),
  )
    .addHelpText('after', EXIT_HELP)
    .action(async (id: string, verdict: 'accept' | 'reject', options: VerdictOptions) =>
      runShell(shell, options, async (session) => {
        const { ofRecord, recordAnswer } = await import('./record-lines.ts');
        const { records } = session.client;
        const completionId =
          options.completion ?? ofRecord(id, await records.get(id)).latestCompletionId;
        if (!completionId)
          throw new ShellError(
            `Nothing was delivered yet for the record ${id}, so there is nothing to decide.`,
            EXIT.refused,
          );
        const { reason } = options;
        const record = await records.verdict(id, {
          verdict,
          completionId,
          ...(reason === undefined ? {} : { reason }),
        });
        return recordAnswer(ofRecord(id, record), session);
      }),
    );
};
