import type { SqlValue } from '../base/session.ts';
import { singleColumnsOf, type Member, type Members, type SingleColumn } from './column.ts';

type Value = Readonly<Record<string, unknown>>;

/** Adds the columns of a value's members to a row. */
export type Writer = (value: Value, row: SqlValue[]) => void;

/**
 * Decides once, before the first row, what does not depend on the row: the result runs for every
 * record that is written.
 */
export const writerOf = (members: Members): Writer => {
  const steps = Object.entries(members).flatMap(([name, member]) => stepOf(name, member) ?? []);
  return (value, row) => {
    for (let i = 0; i < steps.length; i++) {
      const { member, storing, special } = steps[i]!;
      if (special === null) row.push(stored(storing, value[member]));
      else special(value, row);
    }
  };
};

/** A member with a column of its own, as most are, or a special one. */
interface Step {
  readonly member: string;
  readonly storing: Storing;
  readonly special: Writer | null;
}

/** The writing half of a codec. */
interface Storing {
  readonly whenNull: unknown;
  readonly toSql: ((value: unknown) => SqlValue) | null;
}

const stored = ({ whenNull, toSql }: Storing, value: unknown): SqlValue => {
  if (value === whenNull) return null;
  return toSql === null ? (value as SqlValue) : toSql(value);
};

const stepOf = (member: string, definition: Member): Step | null => {
  switch (definition.kind) {
    case 'given':
      return null;
    case 'column':
    case 'optional':
    case 'written':
      return { member, storing: storingOf(definition), special: null };
    case 'derived':
    case 'computed': {
      const storing = storingOf(definition);
      return special(member, (value, row) => row.push(stored(storing, definition.keep(value))));
    }
    case 'group': {
      const write = writerOf(definition.members);
      return special(member, (value, row) => write(value[member] as Value, row));
    }
    case 'nullable-group': {
      const write = writerOf(definition.members);
      const nulls = singleColumnsOf(definition.members).map(() => null);
      return special(member, (value, row) => {
        const group = value[member] as Value | null;
        if (group === null) row.push(...nulls);
        else write(group, row);
      });
    }
  }
};

const special = (member: string, write: Writer): Step => ({
  member,
  storing: { whenNull: null, toSql: null },
  special: write,
});

const storingOf = ({ kind, codec }: SingleColumn): Storing => ({
  // A member that is left out is undefined. Where no value stands for NULL, a new symbol is
  // compared, which equals nothing.
  whenNull: kind === 'optional' ? undefined : codec.isNullable ? codec.whenNull : Symbol('none'),
  toSql: codec.translate?.toSql ?? null,
});
