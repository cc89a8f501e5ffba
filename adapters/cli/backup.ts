import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Io } from './io.ts';

interface Summary {
  readonly chains: number;
  readonly entries: number;
  readonly newestEntryAt: string | null;
}

export interface BackupCommands {
  /** Copies the database into a new file, while services run on it or not. */
  backup(
    io: Io,
    file: string,
  ): Promise<Summary & { readonly bytes: number; readonly misplaced: readonly string[] }>;
  /** Puts a backup where no database is. */
  restore(
    io: Io,
    file: string,
  ): Promise<
    Summary & {
      readonly database: string;
      readonly lostRevocations: LostRevocations | null;
      readonly warnings: readonly string[];
    }
  >;
}

/** What was revoked after the backup and can be used again. */
interface LostRevocations {
  readonly data: readonly {
    readonly kind: string;
    readonly id: string;
    readonly entryType: string;
    readonly revokedAt: string;
    /** The call that revokes it again. */
    readonly revokeBy: string;
  }[];
  /** How far the list reaches, as sentences. */
  readonly reach: string;
}

const BACKUP_HELP =
  '\nThe copy is of one moment, checked, and holds no secret. Exit codes. 0: done. 1: it failed and there is no file,\nor the heads of chains are not their last entries: then the file is there, for whoever looks into it.\n2: the command line is wrong.';

const RESTORE_HELP =
  '\nWhere the settings want the database there must be none, and no service may run. Leave the anchors and the\nsecrets where they are. It lists what was revoked after the backup, as far as the anchors know it: that can be used again\nuntil you revoke it again. What an older copy sets off is in the guide "Backups and rewind".\nExit codes. 0: done. 1: refused, and nothing was written. 2: the command line is wrong.';

/** `notary backup` and `notary restore`, of the embedded database. @param ended is told the exit code. */
export const addBackupCommands = (
  program: Command,
  commands: BackupCommands,
  io: Io,
  ended: (exitCode: number) => void,
): void => {
  program
    .command('backup')
    .description('copy the embedded database into a new file, while the service runs or not')
    .argument('[file]', 'that does not exist yet')
    .option('--out <file>', 'the same, as an option')
    .option('--json', 'print {file, bytes, chains, entries, newestEntryAt, misplaced}')
    .addHelpText('after', BACKUP_HELP)
    .action(
      async (
        argument: string | undefined,
        { out, json }: { out?: string; json?: true },
        command: Command,
      ) => {
        const named = [argument, out].filter((name) => name !== undefined);
        if (named.length !== 1) command.error('error: name one file, such as: --out FILE');
        const file = resolve(named[0]!);
        const made = await commands.backup(io, file);
        io.stdout(
          json
            ? `${JSON.stringify({ file, ...made })}\n`
            : `${file} holds the database as of now, ${made.bytes} bytes, checked: ${contentOf(made)}. The secrets are not in it: keep them elsewhere.\n`,
        );
        if (made.misplaced.length === 0) return;
        io.stderr(
          `notary: the heads of ${made.misplaced.length} chains are not their last entries, ${made.misplaced[0]} among them: the database was changed behind the service. Run: notary scan\n`,
        );
        ended(1);
      },
    );

  program
    .command('restore')
    .description('put a backup of the embedded database where there is none')
    .argument('<file>', 'that notary backup wrote')
    .option(
      '--json',
      'print {file, database, chains, entries, newestEntryAt, lostRevocations, warnings}',
    )
    .addHelpText('after', RESTORE_HELP)
    .action(async (argument: string, { json }: { json?: true }) => {
      const file = resolve(argument);
      const { database, chains, entries, newestEntryAt, lostRevocations, warnings } =
        await commands.restore(io, file);
      const restored = { database, chains, entries, newestEntryAt };
      io.stdout(
        json
          ? `${JSON.stringify({ file, ...restored, lostRevocations, warnings })}\n`
          : `${database} holds what ${file} held, checked: ${contentOf(restored)}. What was sealed later is lost, and what an anchor saw of it is found at the start.\n${revocationsText(lostRevocations)}`,
      );
      if (!json) for (const warning of warnings) io.stderr(`notary: ${warning}\n`);
    });
};

const revocationsText = (lost: LostRevocations | null): string => {
  if (lost === null) return '';
  const lines = lost.data.map(
    ({ kind, id, entryType, revokedAt, revokeBy }) =>
      `  ${kind} ${id} (${entryType} at ${revokedAt}): ${revokeBy}\n`,
  );
  const head =
    lines.length === 0
      ? 'The anchors know of no revocation after this backup.'
      : `${lines.length} ${lines.length === 1 ? 'thing that was revoked' : 'things that were revoked'} after this backup can be used again. Revoke each again after the start:`;
  return `${head}\n${lines.join('')}${lost.reach}\n`;
};

const contentOf = ({ chains, entries, newestEntryAt }: Summary): string =>
  `${entries} entries of ${chains} chains${newestEntryAt === null ? '' : `, the newest of ${newestEntryAt}`}`;
