import type { Command } from 'commander';
import type { BodyOf } from '../../client/shapes.ts';
import { EXIT_HELP } from './shell-error.ts';
import { runShell, withShellOptions, type Shell, type ShellOptions } from './shell.ts';

/** `notary types`: what an org says that its records hold. */
export const addTypesCommand = (program: Command, shell: Shell): void => {
  const types = program.command('types').description('register record types, or list them');

  withShellOptions(
    types
      .command('register')
      .description('register a record type from its manifest; the same one again changes nothing')
      .argument('<file>', 'with the manifest, a JSON object; - for standard input'),
  )
    .addHelpText('after', EXIT_HELP)
    .action(async (file: string, options: ShellOptions) =>
      runShell(shell, options, async (session) => {
        const { readObject } = await import('./read-body.ts');
        const { sealedLines } = await import('./record-lines.ts');
        // The service holds it against its schema, and says what is wrong.
        const manifest = (await readObject(file)) as unknown as BodyOf<'post', '/v1/schemas'>;
        const made = await session.client.types.register(manifest);
        const isFinal = Object.keys(made.completionSchema).length === 0;
        return {
          json: made,
          lines: [
            `${made.status}  ${made.type}, version ${made.version}, published by ${made.publisher}`,
            `manifest  sha256:${made.manifestDigest}`,
            ...sealedLines(made.signedStatement),
          ],
          // As a word of a command it is what the manifest says.
          next:
            made.type !== manifest.type
              ? []
              : [
                  isFinal
                    ? {
                        command: `notary notarize -t ${made.type} CRITERIA.json`,
                        description: 'Seal a fact of this type',
                      }
                    : {
                        command: `notary open -t ${made.type} CRITERIA.json --performer AGENT`,
                        description: 'Open a record of this type',
                      },
                ],
        };
      }),
    );

  withShellOptions(types.command('list').description('list the record types that one may use'))
    .addHelpText('after', EXIT_HELP)
    .action(async (options: ShellOptions) =>
      runShell(shell, options, async (session) => {
        const { collectItems } = await import('./collect-items.ts');
        const { items: found } = await collectItems(session.client.types.list({ limit: 100 }));
        return {
          json: { data: found },
          lines:
            found.length === 0
              ? ['There is no record type yet. Register one with: notary types register FILE']
              : found.map(
                  ({ type, version, publisher, status, completionSchema }) =>
                    `${type}, version ${version}, of ${publisher}: ${status}, ${Object.keys(completionSchema).length === 0 ? 'notarizes' : 'is delivered and decided'}`,
                ),
        };
      }),
    );
};
