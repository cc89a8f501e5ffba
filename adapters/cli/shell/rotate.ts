import { InvalidArgumentError, type Command } from 'commander';
import { earlyEnd } from '../early-end.ts';
import { EXIT_HELP, ShellError } from './shell-error.ts';
import { runShell, withShellOptions, type Shell, type ShellOptions } from './shell.ts';

interface RotateOptions extends ShellOptions {
  readonly grace: number;
}

/** So that a profile that cannot be written, or an answer that is lost, locks nobody out. */
const DEFAULT_GRACE_SECONDS = 300;

/** `notary keys rotate`: another key in the place of that of a context. It is never printed. */
export const addRotateCommand = (keys: Command, shell: Shell): void => {
  withShellOptions(
    keys
      .command('rotate')
      .description('put another key in the place of that of the context, by the API')
      .option(
        '--grace <seconds>',
        'how long the old key lives on; 0: it ends at once',
        seconds,
        DEFAULT_GRACE_SECONDS,
      ),
  )
    .addHelpText('after', EXIT_HELP)
    .action(async ({ grace, ...options }: RotateOptions) =>
      runShell(shell, options, async (session) => {
        const { name, context, client, file } = session;
        if (name === null || context?.credential.kind !== 'api-key')
          throw new ShellError(
            name === null
              ? 'The key in NOTARY_API_KEY is in no profile, where the new one could be kept. Name a context: --context NAME'
              : `The context ${name} has a certificate, not a key: it is replaced with notary login.`,
          );
        // The place for the new key is held before the old one ends.
        return file.exclusively(async ({ profile, save }) => {
          const now = profile.contexts.get(name);
          if (JSON.stringify(now) !== JSON.stringify(context))
            throw new ShellError(
              `Another command changed the context ${name} at the same time: look at it with notary contexts, and run this again if it is still needed.`,
              1,
            );
          await save(profile);
          return uninterrupted(async () => {
            const made = await client.keys.rotate({ gracePeriodSeconds: grace });
            if (!made.apiKey)
              throw new ShellError(
                `The answer with the new key ${made.keyId} was lost on its way. The old key lives until ${made.previousKeyDeactivatesAt}: run this again before.`,
                1,
              );
            const { apiKey, keyId, expiresAt } = made;
            const contexts = new Map(profile.contexts).set(name, {
              ...context,
              credential: { kind: 'api-key', apiKey, keyId, expiresAt: expiresAt ?? null },
            });
            await save({ ...profile, contexts });
            const { apiKey: _secret, ...shown } = made;
            return {
              json: { context: name, ...shown },
              lines: [
                `The context ${name} has the key ${keyId} now${expiresAt ? `, until ${expiresAt}` : ''}.`,
                `The key before, ${made.previousKeyId}, ends at ${made.previousKeyDeactivatesAt}.`,
              ],
            };
          });
        });
      }),
    );
};

/** Ctrl-C between the new key and its place in the profile would lose it: the command ends by itself in a moment. */
const uninterrupted = async <T>(work: () => Promise<T>): Promise<T> => {
  const early = earlyEnd();
  try {
    return await work();
  } finally {
    early.release();
  }
};

const seconds = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It is a whole number of seconds.');
  return Number(text);
};
