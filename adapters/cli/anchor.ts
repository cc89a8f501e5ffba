import { InvalidArgumentError, type Command } from 'commander';
import { isUuid } from '../../domain/kernel/ids.ts';
import type { Io } from './io.ts';

interface AnchorMatch {
  readonly chainKey: string;
  readonly position: number;
  readonly match: boolean;
  readonly detail: string | null;
}

export interface AnchorCommands {
  verifyAnchors(
    io: Io,
    input: { readonly chainKey?: string; readonly most: number },
  ): Promise<readonly AnchorMatch[]>;
}

const MOST = 200;
const PLATFORM = '00000000-0000-0000-0000-000000000000';

const HELP = `
What was recorded as anchored has to be in the store, be the checkpoint that the log holds, and be signed by a key
of this hub. ${PLATFORM} names the platform chain.
Exit codes. 0: all match. 1: one does not, or it failed. 2: the command line is wrong, or nothing was anchored yet.`;

/** `notary anchor verify`: on the host, with its secrets. @param ended is told the exit code. */
export const addAnchorCommands = (
  program: Command,
  commands: AnchorCommands,
  io: Io,
  ended: (exitCode: number) => void,
): void => {
  program
    .command('anchor')
    .description('copies of checkpoints outside of the database')
    .command('verify')
    .description('compare anchors with the checkpoints in the database')
    .option('--record <id>', 'those of one record; without it, some of all by chance', recordId)
    .option('--most <count>', 'how many', count, MOST)
    .option('--json', 'print [{chainKey, position, match, detail}]')
    .addHelpText('after', HELP)
    .action(async ({ record, most, json }: { record?: string; most: number; json?: true }) => {
      const matches = await commands.verifyAnchors(io, {
        most,
        ...(record === undefined ? {} : { chainKey: record }),
      });
      io.stdout(json ? `${JSON.stringify(matches)}\n` : textOf(matches));
      ended(matches.length === 0 ? 2 : matches.every(({ match }) => match) ? 0 : 1);
    });
};

const textOf = (matches: readonly AnchorMatch[]): string => {
  if (matches.length === 0) return 'Nothing was anchored yet.\n';
  const wrong = matches.filter(({ match }) => !match);
  const lines = wrong.map(
    ({ chainKey, position, detail }) => `${chainKey} at ${position}: ${detail}`,
  );
  return `${[...lines, `${matches.length} anchors: ${matches.length - wrong.length} match, ${wrong.length} do not.`].join('\n')}\n`;
};

const recordId = (text: string): string => {
  const id = text.toLowerCase();
  if (isUuid(id)) return id;
  throw new InvalidArgumentError('It is the id of a record, a UUID.');
};

const count = (text: string): number => {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It is a whole number from 1 on.');
};
