import type { Command } from 'commander';
import type { DumpFile } from '../../domain/verification/dump/rows/dump-rows.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { DumpDirectory } from './dump-directory.ts';
import type { Io } from './io.ts';
import { Progress } from './progress.ts';

export interface DumpResult {
  readonly entries: number;
  readonly chains: number;
  readonly checkpoints: number;
  readonly reads: number;
  readonly leftOut: number;
  readonly uncovered: readonly string[];
  /** Ids of orgs. */
  readonly unlogged: readonly string[];
  readonly log: { readonly size: number; readonly root: string } | null;
  readonly signingKeyFingerprint: string;
}

export interface DumpCommands {
  dump(
    io: Io,
    input: {
      readonly withRound: boolean;
      readonly write: (file: DumpFile, rows: AsyncIterable<JsonObject>) => Promise<void>;
    },
  ): Promise<DumpResult>;
}

const DESCRIPTION =
  'write the vault into a new directory, for notary verify, while the service runs or not';

/** `notary dump`: on the host, with its secrets. */
export const addDumpCommand = (program: Command, commands: DumpCommands, io: Io): void => {
  program
    .command('dump')
    .description(DESCRIPTION)
    .requiredOption('--out <directory>', 'that does not exist yet, or is empty')
    .option(
      '--no-seal',
      'take no round of checkpoints first: entries that no checkpoint covers stay in',
    )
    .option(
      '--json',
      'print {directory, entries, chains, checkpoints, reads, leftOut, uncovered, unlogged, log}',
    )
    .action(async ({ out, seal, json }: { out: string; seal: boolean; json?: true }) => {
      const { path, ...taken } = await dumpInto(out, seal, commands, io);
      io.stdout(
        json ? `${JSON.stringify({ directory: path, ...taken })}\n` : dumpText(path, taken),
      );
    });
};

const dumpInto = async (
  out: string,
  withRound: boolean,
  commands: DumpCommands,
  io: Io,
): Promise<DumpResult & { readonly path: string }> => {
  const directory = await DumpDirectory.make(out);
  const progress = new Progress(io);
  try {
    const taken = await commands.dump(io, {
      withRound,
      write: (file, rows) => {
        let count = 0;
        return directory.write(file, rows, () => {
          count++;
          progress.show(() => `${file}: ${count} rows`);
        });
      },
    });
    await directory.close();
    return { path: directory.path, ...taken };
  } catch (error) {
    await directory.discard();
    throw error;
  } finally {
    progress.clear();
  }
};

const dumpText = (path: string, taken: DumpResult): string => {
  const { entries, chains, checkpoints, reads, leftOut, uncovered, unlogged, log } = taken;
  const lines = [
    `${path} holds ${entries} entries of ${chains} chains, ${checkpoints} checkpoints and ${reads} reads of what orgs have here.`,
    ...(leftOut > 0
      ? [`${leftOut} newer entries and reads are left out: no checkpoint covers them yet.`]
      : []),
    ...(uncovered.length > 0
      ? [
          `No checkpoint could be made of: ${uncovered.join(', ')}. Their rows are not what was sealed.`,
        ]
      : []),
    ...(unlogged.length > 0
      ? [
          `The log of reads of these orgs was changed, so it holds no leaf of this dump; DUMP_TAKEN on the platform chain names them: ${unlogged.join(', ')}.`,
        ]
      : []),
    ...(log
      ? [
          `The log of checkpoints has ${log.size} leaves and the root ${log.root}: record it elsewhere.`,
        ]
      : []),
    `Verify it with: notary verify ${path} --keys sha256:${taken.signingKeyFingerprint}${log ? ` --expect-root ${log.root}` : ''}`,
  ];
  return `${lines.join('\n')}\n`;
};
