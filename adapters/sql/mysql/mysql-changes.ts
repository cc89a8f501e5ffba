import { literal } from './mysql-text.ts';
import type { Change } from '../base/session.ts';

/** An UPDATE, and how many rows it has to find. */
export interface MergedChange {
  readonly text: string;
  readonly rows: number;
  /** What it means where it finds fewer. */
  readonly otherwise: string;
}

/**
 * Changes of different rows that set the same columns become one statement. Those of one row keep their order; where
 * others of the group stand in the way of that, the second finds no row, and the units run again alone.
 */
export const mergedChanges = (changes: readonly Change[]): readonly MergedChange[] => {
  const alike = new Map<string, Change[]>();
  const taken = new Map<Change[], Set<string>>();
  for (const change of changes) {
    const row = literal(change.where[0]);
    let shape = shapeOf(change);
    // The same row once more: in a later statement.
    while (alike.has(shape) && taken.get(alike.get(shape)!)!.has(row)) shape += ' again';
    const group = alike.get(shape) ?? [];
    alike.set(shape, group);
    group.push(change);
    taken.set(group, (taken.get(group) ?? new Set()).add(row));
  }
  return [...alike.values()].map((group) => ({
    text: textOfAll(group),
    rows: group.length,
    otherwise: group[0]!.otherwise,
  }));
};

const shapeOf = ({ of: { table, columns, where } }: Change): string =>
  `${table} ${columns.join()} ${where.join()}`;

const textOfAll = (group: readonly Change[]): string => {
  const [{ of }] = group as [Change];
  const assignments = of.columns.map((name, at) => {
    const values = group.map((change) => literal(change.values[at]!));
    if (values.every((value) => value === values[0])) return `${name} = ${values[0]}`;
    const cases = group.map(({ where }, n) => `WHEN ${literal(where[0])} THEN ${values[n]}`);
    return `${name} = CASE ${of.where[0]} ${cases.join(' ')} END`;
  });
  const places = group.map(
    ({ where }) =>
      `(${of.where.map((name, at) => `${name} = ${literal(where[at]!)}`).join(' AND ')})`,
  );
  return `UPDATE ${of.table} SET ${assignments.join(', ')} WHERE ${places.join(' OR ')}`;
};
