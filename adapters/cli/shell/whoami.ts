import type { Command } from 'commander';
import { EXIT_HELP } from './shell-error.ts';
import { runShell, withShellOptions, type Shell, type ShellOptions } from './shell.ts';

/** `notary whoami`: who one is, and to which service. */
export const addWhoamiCommand = (program: Command, shell: Shell): void => {
  withShellOptions(
    program.command('whoami').description('tell who one is to which service, and what one may do'),
  )
    .addHelpText('after', EXIT_HELP)
    .action(async (options: ShellOptions) =>
      runShell(shell, options, async (session) => {
        const { name, context, url, fingerprint, client } = session;
        const caller = await client.whoami();
        const expiresAt = context?.credential.expiresAt ?? caller.cert?.expiresAt ?? null;
        return {
          json: { context: name, url, fingerprint, expiresAt, ...caller },
          lines: [
            `${caller.name}, ${caller.role}`,
            `service   ${url}`,
            `context   ${name ?? 'none: the key is that of NOTARY_API_KEY'}`,
            `agent     ${caller.ownerId ?? 'none'}`,
            `org       ${caller.orgId ?? 'none'}`,
            `by        ${caller.authType === 'api_key' ? `the key ${caller.apiKeyId}` : caller.authType === 'ephemeral_cert' ? 'a certificate; each call is co-signed' : 'a token'}${expiresAt === null ? '' : `, until ${expiresAt}`}`,
            `trusts    ${fingerprint === null ? 'no signing key' : `sha256:${fingerprint}`}`,
            `may       ${caller.scopes.join(' ')}`,
          ],
        };
      }),
    );
};
