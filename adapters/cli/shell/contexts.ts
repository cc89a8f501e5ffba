import type { Command } from 'commander';
import type { Contexts } from './change-contexts.ts';
import { EXIT_HELP } from './shell-error.ts';
import type { Answer, Shell } from './shell.ts';

type JsonOption = { readonly json?: true };

/** `notary contexts`: who one can be. Nothing of the keys is shown. */
export const addContextsCommand = (program: Command, shell: Shell): void => {
  const contexts = program
    .command('contexts')
    .description('list the contexts of the profile, choose the current one, or forget one');

  contexts
    .command('list', { isDefault: true })
    .description('list them; the current one has a star')
    .option('--names', 'print their names alone, one a line')
    .option('--json', 'print them as JSON')
    .addHelpText('after', EXIT_HELP)
    .action(async ({ names, ...options }: JsonOption & { readonly names?: true }) =>
      alone(shell, options, (file) => (names ? file.names() : file.list())),
    );

  contexts
    .command('use')
    .description('make one the current')
    .argument('<name>', 'of the context')
    .option('--json', 'print it as JSON')
    .addHelpText('after', EXIT_HELP)
    .action(async (name: string, options: JsonOption) =>
      alone(shell, options, (file) => file.use(name)),
    );

  contexts
    .command('remove')
    .description('forget one with its credential, which stays good until it is revoked')
    .argument('<name>', 'of the context')
    .option('--json', 'print it as JSON')
    .addHelpText('after', EXIT_HELP)
    .action(async (name: string, options: JsonOption) =>
      alone(shell, options, (file) => file.remove(name)),
    );
};

const alone = async (
  shell: Shell,
  options: JsonOption,
  work: (contexts: Contexts) => Promise<Answer>,
): Promise<void> => {
  const { runAlone } = await import('./run-session.ts');
  const { Contexts: Opened } = await import('./change-contexts.ts');
  await runAlone(shell, options, () => work(new Opened(shell.environment().configDirectory)));
};
