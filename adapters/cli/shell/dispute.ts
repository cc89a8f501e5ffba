import type { Command } from 'commander';
import { EXIT_HELP } from './shell-error.ts';
import { recordId, runShell, withShellOptions, type Shell, type ShellOptions } from './shell.ts';

interface DisputeOptions extends ShellOptions {
  readonly statement?: string;
  readonly grounds?: string;
  readonly evidence?: string;
}

/** `notary dispute`: the outcome is disputed. */
export const addDisputeCommand = (program: Command, shell: Shell): void => {
  withShellOptions(
    program
      .command('dispute')
      .description('dispute the outcome of a record')
      .argument('<record>', 'its id', recordId)
      .option('--statement <text>', 'what is wrong with the outcome')
      .option('--grounds <word>', 'in a word of your own')
      .option('--evidence <file>', 'a JSON object; - for standard input'),
  )
    .addHelpText('after', EXIT_HELP)
    .action(async (id: string, { statement, grounds, evidence, ...options }: DisputeOptions) =>
      runShell(shell, options, async (session) => {
        const { readObject } = await import('./read-body.ts');
        const { nextCommands } = await import('./next-commands.ts');
        const { ofRecord, sealedLines } = await import('./record-lines.ts');
        const dispute = await session.client.records.dispute(id, {
          ...(statement === undefined ? {} : { statement }),
          ...(grounds === undefined ? {} : { grounds }),
          ...(evidence === undefined ? {} : { evidence: await readObject(evidence) }),
        });
        ofRecord(id, { id: dispute.recordId });
        return {
          json: dispute,
          lines: [
            `${dispute.phase}  the dispute ${dispute.id} of ${id}`,
            `evidence may be added until ${dispute.evidenceDeadline}`,
            ...sealedLines(dispute.signedStatement),
            ...(dispute.suggestion ? ['', dispute.suggestion] : []),
          ],
          next: nextCommands(id, dispute.nextSteps, session),
        };
      }),
    );
};
