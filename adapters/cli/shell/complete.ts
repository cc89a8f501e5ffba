import type { Command } from 'commander';
import { EXIT_HELP } from './shell-error.ts';
import { recordId, runShell, withShellOptions, type Shell, type ShellOptions } from './shell.ts';

/** `notary complete`: the work is delivered, with its evidence. */
export const addCompleteCommand = (program: Command, shell: Shell): void => {
  withShellOptions(
    program
      .command('complete')
      .description('deliver the work of a record, with its evidence')
      .argument('<record>', 'its id', recordId)
      .argument('<file>', 'with the evidence, a JSON object; - for standard input'),
  )
    .addHelpText('after', EXIT_HELP)
    .action(async (id: string, file: string, options: ShellOptions) =>
      runShell(shell, options, async (session) => {
        const { readObject } = await import('./read-body.ts');
        const { nextCommands, otherSide } = await import('./next-commands.ts');
        const { ofRecord, sealedLines } = await import('./record-lines.ts');
        const evidence = await readObject(file);
        const done = await session.client.records.complete(id, { evidence });
        ofRecord(id, { id: done.recordId });
        const record = await session.client.records.get(id).catch(() => null);
        return {
          json: done,
          lines: [
            `${done.recordStatus}  ${id}`,
            `completion ${done.id}, evidence sha256:${done.evidenceHash}`,
            ...sealedLines(done.signedStatement),
            ...(done.suggestion ? ['', done.suggestion] : []),
          ],
          next: [
            ...nextCommands(id, done.nextSteps, session),
            ...(record ? otherSide(ofRecord(id, record), session) : []),
          ],
        };
      }),
    );
};
