import type { Command } from 'commander';
import { EXIT_HELP } from './shell-error.ts';
import { recordId, runShell, withShellOptions, type Shell, type ShellOptions } from './shell.ts';

interface AcceptOptions extends ShellOptions {
  readonly counter?: true;
  readonly criteriaHash?: string;
}

/** `notary accept`: the work is agreed upon. */
export const addAcceptCommand = (program: Command, shell: Shell): void => {
  withShellOptions(
    program
      .command('accept')
      .description('accept a proposal, or with --counter what the other side answered to it')
      .argument('<record>', 'its id', recordId)
      .option('--counter', 'accept the counter-proposal')
      .option('--criteria-hash <sha256>', 'refuse where other criteria are on the table by now'),
  )
    .addHelpText('after', EXIT_HELP)
    .action(async (id: string, { counter, criteriaHash, ...options }: AcceptOptions) =>
      runShell(shell, options, async (session) => {
        const { ofRecord, recordAnswer } = await import('./record-lines.ts');
        const { records } = session.client;
        const body = criteriaHash === undefined ? {} : { criteriaHash };
        const record = counter
          ? await records.acceptCounter(id, body)
          : await records.accept(id, body);
        return recordAnswer(ofRecord(id, record), session);
      }),
    );
};
