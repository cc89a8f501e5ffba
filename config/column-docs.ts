import { COLUMN_GUARDS, type EditOutcome } from './column-guards.ts';

const WORDS: Readonly<Record<EditOutcome, string>> = {
  refused: 'refused',
  start: 'no start',
  found: 'found',
  shown: 'shown',
  open: '**possible**',
};

/** What becomes of an edit of each column, as a table. */
export const columnTable = (): string =>
  [
    '| table | columns | an edit is | because |',
    '|---|---|---|---|',
    ...Object.entries(COLUMN_GUARDS).flatMap(([table, guards]) =>
      guards.map(
        ({ columns, outcome, why }) =>
          `| \`${table}\` | ${columns.map((name) => `\`${name}\``).join(', ')} | ${WORDS[outcome]} | ${why} |`,
      ),
    ),
  ].join('\n');
