import type { Command } from 'commander';
import { EXIT_HELP } from './shell-error.ts';
import type { Shell } from './shell.ts';

export interface LoginOptions {
  readonly context?: string;
  readonly url?: string;
  readonly issuer?: string;
  readonly clientId?: string;
  readonly scope?: string;
  readonly resource?: string;
  readonly audience?: string;
  readonly tokenStdin?: true;
  readonly json?: true;
}

const HELP = `
Examples:
  notary login --issuer https://id.example --client-id notary-cli --resource https://notary.example
  notary login                              again, as before
  NOTARY_OIDC_TOKEN=… notary login --context ci

The token becomes a certificate of the agent that it names, bound to a key that is made here and kept in
the profile. Each call under it is co-signed, and the service seals the signature with what the call does.
A certificate is good for an hour at most. The administrator of the service registers the provider, and
says which audience it expects: --resource names it (RFC 8707), or --audience where the provider says so.
${EXIT_HELP}`;

/** `notary login`: a certificate, by the token of an identity provider. */
export const addLoginCommand = (program: Command, shell: Shell): void => {
  program
    .command('login')
    .description(
      'exchange a token of an identity provider for a certificate, and co-sign every call with it',
    )
    .option(
      '--context <name>',
      'to keep it in; default: login, or the current one where that has a certificate',
    )
    .option('--url <url>', 'of the service; default: that of the current context')
    .option('--issuer <url>', 'of the identity provider: the device flow is run there')
    .option('--client-id <id>', 'of this program at the provider, a public client')
    .option('--scope <scopes>', 'to ask for; default: openid')
    .option('--resource <uri>', 'what the token is for (RFC 8707)')
    .option('--audience <text>', 'the same, as some providers call it')
    .option('--token-stdin', 'take a token from standard input, without the device flow')
    .option('--json', 'print it as JSON; no key is shown')
    .addHelpText('after', HELP)
    .action(async (options: LoginOptions) => {
      const { runAlone } = await import('./run-session.ts');
      const { runLogin } = await import('./run-login.ts');
      await runAlone(shell, options, () => runLogin(shell, options));
    });
};
