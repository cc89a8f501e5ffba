import { InvalidArgumentError, type Command } from 'commander';
import { EXIT_HELP } from './shell-error.ts';
import { runShell, withShellOptions, type Shell, type ShellOptions } from './shell.ts';

interface ListOptions extends ShellOptions {
  readonly type?: string;
  readonly status?: string;
  readonly limit: number;
}

/** `notary list`: records, newest first. */
export const addListCommand = (program: Command, shell: Shell): void => {
  withShellOptions(
    program
      .command('list')
      .description('list records that one is a party of, newest first')
      .option('-t, --type <name>', 'of this type alone')
      .option('--status <status>', 'in this state alone, such as ACTIVE')
      .option('--limit <n>', 'how many at most', wholeNumber, 20),
  )
    .addHelpText('after', EXIT_HELP)
    .action(async ({ type, status, limit, ...options }: ListOptions) =>
      runShell(shell, options, async (session) => {
        const { collectItems } = await import('./collect-items.ts');
        const { isRecordId } = await import('./recorded-files.ts');
        const query = {
          limit: Math.min(limit, PAGE),
          ...(type === undefined ? {} : { type }),
          ...(status === undefined ? {} : { status: status.toUpperCase() as 'ACTIVE' }),
        };
        const { items: shown, total } = await collectItems(
          session.client.records.list(query),
          limit,
        );
        const [first] = shown;
        return {
          json: { data: shown, total },
          lines: [
            ...shown.map(
              ({ id, status: is, type: of, createdAt }) =>
                `${is.padEnd(18)}  ${id}  ${createdAt}  ${of}`,
            ),
            ...(shown.length < total ? [`${shown.length} of ${total}; --limit shows more`] : []),
            ...(total === 0 ? ['There is no such record.'] : []),
          ],
          next:
            first && isRecordId(first.id)
              ? [{ command: `notary show ${first.id}${session.flag}`, description: 'Its story' }]
              : [],
        };
      }),
    );
};

const PAGE = 100;

const wholeNumber = (text: string): number => {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It is a whole number.');
  return Number(text);
};
