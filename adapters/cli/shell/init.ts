import type { Command } from 'commander';
import { EXIT_HELP } from './shell-error.ts';
import type { Shell } from './shell.ts';

export interface InitOptions {
  readonly context?: string;
  readonly org?: string;
  readonly agent?: string;
  readonly directory?: string;
  readonly fingerprint?: string;
  readonly keyStdin?: true;
  readonly json?: true;
}

const HELP = `
Examples:
  notary init                              a service on this machine, and a profile to use it
  notary init --context builder            another agent of the same org, and a context for it
  NOTARY_API_KEY=… notary init https://notary.example
  notary init https://notary.example --key-stdin --fingerprint sha256:… < key

The key is of the platform (an org is made), of an administrator (an agent is made), or of an agent (it is
kept as it is). It never stands on the command line. Run it again at any time: what is there stays, a
service that was stopped is started, and a key that ended is replaced. Without --fingerprint the signing
key that the service shows is trusted from now on: compare it with what its operator says.
${EXIT_HELP}`;

/** `notary init`: from nothing to a first record. */
export const addInitCommand = (program: Command, shell: Shell): void => {
  program
    .command('init')
    .description(
      'make org, agent, key and a first record type at a service, and keep a profile of them',
    )
    .argument('[url]', 'of the service; without it one is started on this machine')
    .option(
      '--context <name>',
      'of the agent, in the profile; default: local, or the host of the service',
    )
    .option('--org <name>', 'of the org, where one is made')
    .option('--agent <name>', 'of the agent, where one is made')
    .option(
      '--directory <directory>',
      'of the service that is started; default: below the home directory',
    )
    .option('--fingerprint <sha256>', 'of the signing key that the service must have')
    .option('--key-stdin', 'read the key of the service from standard input')
    .option('--json', 'print it as JSON; no key is shown')
    .addHelpText('after', HELP)
    .action(async (url: string | undefined, options: InitOptions, command: Command) => {
      if (url !== undefined && options.directory !== undefined)
        command.error('error: --directory is of a service that is started here, without a URL');
      const { runAlone } = await import('./run-session.ts');
      const { runInit } = await import('./run-init.ts');
      await runAlone(shell, options, () => runInit(shell, url, options));
    });
};
