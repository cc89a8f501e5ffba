import { KIND_STATUS, wireCodeOf } from '../adapters/http/problem.ts';
import { ERROR_CATALOGUE, type CatalogueEntry, type ErrorCode } from '../domain/kernel/errors.ts';

/** Every problem of the catalogue with its cure, by status. */
export const errorTable = (): string =>
  [
    '| status | code | what it says | again? | what to do |',
    '|---|---|---|---|---|',
    ...(Object.entries(ERROR_CATALOGUE) as [ErrorCode, CatalogueEntry][])
      .map(([code, entry]) => ({ ...entry, code, status: KIND_STATUS[entry.kind] }))
      .toSorted((one, other) => one.status - other.status)
      .map(
        ({ status, code, slug, title, retryable, suggestion }) =>
          `| ${status} | [\`${wireCodeOf(code)}\`](/problems/${slug}) | ${title} | ${retryable ? 'yes' : 'no'} | ${cell(suggestion)} |`,
      ),
  ].join('\n');

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
