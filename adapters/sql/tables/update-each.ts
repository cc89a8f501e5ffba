import { placeholders, type SqlValue } from '../base/session.ts';
import type { UnitContext } from './unit-context.ts';

/**
 * Writes columns of many rows of a table, each with values of its own, in one statement of one of a few lengths: the server
 * keeps each that it prepared.
 */
export const updateEach = async (
  unit: UnitContext,
  table: string,
  columns: readonly string[],
  rows: readonly { readonly id: Uint8Array; readonly values: readonly SqlValue[] }[],
): Promise<void> => {
  for (let from = 0; from < rows.length; from += LONGEST) {
    const some = rows.slice(from, from + LONGEST);
    const length = LENGTHS.find((size) => size >= some.length)!;
    const at = Array.from({ length }, (_, index) => some[Math.min(index, some.length - 1)]!);
    const cases = `CASE id ${'WHEN ? THEN ? '.repeat(length)}END`;
    await unit.run(
      `UPDATE ${table} SET ${columns.map((column) => `${column} = ${cases}`).join(', ')} WHERE id IN (${placeholders(length)})`,
      [
        ...columns.flatMap((_, place) => at.flatMap(({ id, values }) => [id, values[place]!])),
        ...at.map(({ id }) => id),
      ],
    );
  }
};

const LENGTHS = [1, 4, 16, 64] as const;
const LONGEST = 64;
