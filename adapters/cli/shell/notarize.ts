import type { Command } from 'commander';
import { EXIT_HELP } from './shell-error.ts';
import { runShell, withShellOptions, type Shell, type ShellOptions } from './shell.ts';

interface NotarizeOptions extends ShellOptions {
  readonly type?: string;
  readonly digest?: true;
  readonly name?: string;
  readonly idempotencyKey?: string;
}

/** The record type that `notary init` registers, for what `--digest` seals. */
export const FILE_TYPE = 'file';

const HELP = `
Examples:
  notary notarize --digest report.pdf             seals its name, length and SHA-256, not its content
  notary notarize -t deployment criteria.json     seals the JSON object in the file
  echo '{"service": "billing"}' | notary notarize -t deployment -

What was sealed is exported and verified at once, under the signing key that the profile trusts.
${EXIT_HELP}`;

/** `notary notarize`: one call, and the record is final. */
export const addNotarizeCommand = (program: Command, shell: Shell): void => {
  withShellOptions(
    program
      .command('notarize')
      .description('seal a fact: a JSON object, or with --digest any file by its SHA-256')
      .argument('<file>', 'with the criteria of the type, a JSON object; - for standard input')
      .option(
        '-t, --type <name>',
        `a record type that only notarizes; with --digest default: ${FILE_TYPE}`,
      )
      .option(
        '--digest',
        'seal the name, the length and the SHA-256 of the file, whatever is in it',
      )
      .option('--name <name>', 'with --digest: what the file is called; default: its own name')
      .option(
        '--idempotency-key <text>',
        'the same for a repetition, which then seals nothing twice',
      ),
  )
    .addHelpText('after', HELP)
    .action(async (file: string, options: NotarizeOptions, command: Command) => {
      const type = options.type ?? (options.digest ? FILE_TYPE : undefined);
      if (type === undefined)
        command.error('error: name the record type with -t, or give --digest to seal any file');
      if (options.name !== undefined && !options.digest)
        command.error('error: --name goes with --digest');
      await runShell(shell, options, async (session) => {
        const { digestOf, readObject } = await import('./read-body.ts');
        const { createOnce } = await import('./create-once.ts');
        const { verifiedLines } = await import('./verified-lines.ts');
        const { recordAnswer } = await import('./record-lines.ts');
        const criteria = options.digest
          ? await digestOf(file, options.name)
          : await readObject(file, ' To seal any file by its SHA-256, give --digest.');
        const sent = { type, criteria: { ...criteria } };
        const record = await createOnce(options.idempotencyKey, (once) =>
          session.client.notarize(sent, once),
        );
        const { lines, exitCode } = await verifiedLines(record, sent, session);
        return { ...recordAnswer(record, session, lines), exitCode };
      });
    });
};
