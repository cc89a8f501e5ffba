import type { SqlValue } from '../base/session.ts';
import type { Member, Members, NullableGroup, SingleColumn } from './column.ts';

type Row = Readonly<Record<string, SqlValue>>;
type Value = Record<string, unknown>;

/** Makes a value from a row. The members that the caller supplies are present, and still null. */
export type ValueReader = (row: Row) => Value;

/**
 * Decides once, before the first row, what does not depend on the row: the result runs for every
 * record that is read.
 */
export const readerOf = (members: Members): ValueReader => {
  const template = templateOf(members);
  const entries = Object.entries(members);
  const isComputed = ([, { kind }]: readonly [string, Member]): boolean => kind === 'computed';
  const steps = [
    ...entries.filter((entry) => !isComputed(entry)),
    ...entries.filter(isComputed),
  ].flatMap(([name, member]) => stepOf(name, member) ?? []);
  return (row) => {
    const value: Value = { ...template };
    for (let i = 0; i < steps.length; i++) {
      const { member, loading, special } = steps[i]!;
      if (special === null) value[member] = loaded(loading, row);
      else special(row, value);
    }
    return value;
  };
};

/** A member with a column of its own, as most are, or a special one. */
interface Step {
  readonly member: string;
  readonly loading: Loading;
  readonly special: ((row: Row, value: Value) => void) | null;
}

/** The reading half of a codec, with its column. */
interface Loading {
  readonly column: string;
  readonly whenNull: unknown;
  readonly fromSql: ((stored: SqlValue) => unknown) | null;
}

const loaded = ({ column, whenNull, fromSql }: Loading, row: Row): unknown => {
  const stored = row[column]!;
  if (stored === null) return whenNull;
  return fromSql === null ? stored : fromSql(stored);
};

const stepOf = (member: string, definition: Member): Step | null => {
  switch (definition.kind) {
    case 'given':
    case 'written':
    case 'derived':
      return null;
    case 'column':
      return { member, loading: loadingOf(definition), special: null };
    case 'optional': {
      const loading = loadingOf(definition);
      return special(member, (row, value) => {
        if (row[loading.column] !== null) value[member] = loaded(loading, row);
      });
    }
    case 'computed': {
      const loading = loadingOf(definition);
      return special(member, (row, value) => {
        value[member] = definition.compute(loaded(loading, row), value);
      });
    }
    case 'group': {
      const read = readerOf(definition.members);
      return special(member, (row, value) => {
        value[member] = read(row);
      });
    }
    case 'nullable-group': {
      const read = readerOf(definition.members);
      const required = requiredColumnsOf(definition);
      return special(member, (row, value) => {
        value[member] = required.some((column) => row[column] === null) ? null : read(row);
      });
    }
  }
};

const special = (member: string, read: Step['special']): Step => ({
  member,
  loading: { column: '', whenNull: null, fromSql: null },
  special: read,
});

const loadingOf = ({ name, codec }: SingleColumn): Loading => ({
  column: name,
  whenNull: codec.whenNull,
  fromSql: codec.translate?.fromSql ?? null,
});

const requiredColumnsOf = ({ members }: NullableGroup): readonly string[] =>
  Object.values(members).flatMap((member) =>
    member.kind === 'column' && !member.codec.isNullable ? [member.name] : [],
  );

/**
 * An object with every member, to be copied and filled. An object that grows member by member
 * becomes a hash table in V8 and is twice as slow; the template is parsed from JSON, because the
 * parser creates no hash table.
 */
const templateOf = (members: Members): object => {
  const names = Object.keys(members).filter((name) => IS_READ[members[name]!.kind]);
  return JSON.parse(`{${names.map((name) => `${JSON.stringify(name)}:null`).join()}}`) as object;
};

/** Whether the member is always present in a value that was read. */
const IS_READ: Readonly<Record<Member['kind'], boolean>> = {
  column: true,
  computed: true,
  group: true,
  'nullable-group': true,
  given: true,
  optional: false,
  written: false,
  derived: false,
};
