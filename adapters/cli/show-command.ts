import type { Command } from 'commander';
import type { Io } from './io.ts';
import { contextOption, type Shell } from './shell/shell.ts';
import { each } from './verify-command.ts';
import { SHOW_DESCRIPTION, SHOW_HELP, VERIFY_KEYS } from './verify-help.ts';

interface ShowOptions {
  readonly keys?: string[];
  readonly trustEmbedded?: boolean;
  readonly agentKeys?: string;
  readonly json?: boolean;
  readonly context?: string;
  readonly watch?: boolean;
}

/** `notary show`: of a file offline, of a record with the profile. */
export const addShowCommand = (
  program: Command,
  commands: { readonly apiKey: string | null },
  io: Io,
  shell: Shell,
): void => {
  program
    .command('show')
    .description(SHOW_DESCRIPTION)
    .argument(
      '<file|record>',
      'an export or a signed statement, its URL, - for standard input, or the id of a record',
    )
    .option('--keys <file|url|fingerprint>', VERIFY_KEYS, each)
    .option('--trust-embedded', "trust the export's own keys (shows consistency only)")
    .option('--agent-keys <file>', 'keys that co-signatures of agents have to verify under')
    .option('--watch', 'of a record: tell what is added to it, until it is final or Ctrl-C')
    .addOption(contextOption())
    .option('--json', 'print the story as JSON')
    .addHelpText('after', SHOW_HELP)
    .action(async (file: string, options: ShowOptions, command: Command) => {
      const { isRecordId } = await import('./shell/recorded-files.ts');
      const { context: _unused, watch, ...asked } = options;
      if (isRecordId(file)) {
        const { showRecord } = await import('./shell/show-record.ts');
        return shell.ended(await showRecord(shell, { file, ...options }, io));
      }
      if (watch) command.error('error: --watch goes with the id of a record');
      const { runShow } = await import('./show.ts');
      shell.ended(await runShow({ file, apiKey: commands.apiKey, ...asked }, io));
    });
};
