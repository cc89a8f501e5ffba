import type { Command } from 'commander';
import { EXIT_HELP } from './shell-error.ts';
import { runShell, withShellOptions, type Shell, type ShellOptions } from './shell.ts';

interface OpenOptions extends ShellOptions {
  readonly type: string;
  readonly performer?: string;
  readonly activate?: true;
  readonly message?: string;
  readonly parent?: string;
  readonly idempotencyKey?: string;
}

const HELP = `
Example:
  notary open -t build criteria.json --performer builder

A performer is the id of an agent, or a context of the profile whose agent is meant.
${EXIT_HELP}`;

/** `notary open`: a record that somebody delivers, and somebody decides. */
export const addOpenCommand = (program: Command, shell: Shell): void => {
  withShellOptions(
    program
      .command('open')
      .description('open a record that a performer delivers and its principal decides')
      .argument('<file>', 'with the criteria, a JSON object; - for standard input')
      .requiredOption('-t, --type <name>', 'of the record')
      .option('--performer <agent>', 'who is to do it: the id of an agent, or a context')
      .option('--activate', 'start at once, without a proposal that the performer accepts')
      .option('--message <text>', 'to the performer, with the proposal')
      .option('--parent <record>', 'delegate a part of this record')
      .option(
        '--idempotency-key <text>',
        'the same for a repetition, which then opens nothing twice',
      ),
  )
    .addHelpText('after', HELP)
    .action(async (file: string, options: OpenOptions) =>
      runShell(shell, options, async (session) => {
        const { readObject } = await import('./read-body.ts');
        const { createOnce } = await import('./create-once.ts');
        const { recordAnswer } = await import('./record-lines.ts');
        const { performer, parent, message } = options;
        const asked = {
          type: options.type,
          criteria: await readObject(file),
          ...(performer === undefined
            ? {}
            : { performerAgentId: agentOf(performer, session.profile.contexts) }),
          ...(options.activate ? { autoActivate: true } : {}),
          ...(message === undefined ? {} : { message }),
          ...(parent === undefined ? {} : { parentRecordId: parent }),
        };
        const record = await createOnce(options.idempotencyKey, (once) =>
          session.client.records.create(asked, once),
        );
        return recordAnswer(record, session);
      }),
    );
};

const agentOf = (
  performer: string,
  contexts: ReadonlyMap<string, { readonly agentId: string | null }>,
): string => contexts.get(performer)?.agentId ?? performer;
