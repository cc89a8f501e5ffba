import type { SqlValue } from '../base/session.ts';
import type { Codec } from './codec.ts';

/** A member of a value in a column of its own. */
export interface Column<
  Name extends string = string,
  Stored extends SqlValue = SqlValue,
  Value = unknown,
> {
  readonly kind: 'column';
  readonly name: Name;
  readonly codec: Codec<Stored, Value>;
}

export const column = <Name extends string, Stored extends SqlValue, Value>(
  name: Name,
  codec: Codec<Stored, Value>,
): Column<Name, Stored, Value> => ({ kind: 'column', name, codec });

/** A member that is left out, not null, where its column is NULL. */
export interface OptionalColumn<
  Name extends string = string,
  Stored extends SqlValue = SqlValue,
  Value = unknown,
> {
  readonly kind: 'optional';
  readonly name: Name;
  readonly codec: Codec<Stored, Value>;
}

export const optional = <Name extends string, Stored extends SqlValue, Value>(
  name: Name,
  codec: Codec<Stored, Value>,
): OptionalColumn<Name, Stored, Value> => ({ kind: 'optional', name, codec });

/** A member that is written and never read back: it is for an index or a check. */
export interface WrittenColumn<
  Name extends string = string,
  Stored extends SqlValue = SqlValue,
  Value = unknown,
> {
  readonly kind: 'written';
  readonly name: Name;
  readonly codec: Codec<Stored, Value>;
}

export const written = <Name extends string, Stored extends SqlValue, Value>(
  name: Name,
  codec: Codec<Stored, Value>,
): WrittenColumn<Name, Stored, Value> => ({ kind: 'written', name, codec });

/** A column that is computed from the other members of the value. It is no member itself. */
export interface DerivedColumn<
  Name extends string = string,
  Stored extends SqlValue = SqlValue,
  Kept = unknown,
  Whole = unknown,
> {
  readonly kind: 'derived';
  readonly name: Name;
  readonly codec: Codec<Stored, Kept>;
  keep(whole: Whole): Kept;
}

export const derived = <Name extends string, Stored extends SqlValue, Kept, Whole>(
  name: Name,
  codec: Codec<Stored, Kept>,
  keep: (whole: Whole) => Kept,
): DerivedColumn<Name, Stored, Kept, Whole> => ({ kind: 'derived', name, codec, keep });

/** A member that is read from its column and from the other members. */
export interface ComputedColumn<
  Name extends string = string,
  Stored extends SqlValue = SqlValue,
  Kept = unknown,
  Whole = unknown,
  Others = unknown,
  Value = unknown,
> {
  readonly kind: 'computed';
  readonly name: Name;
  readonly codec: Codec<Stored, Kept>;
  keep(whole: Whole): Kept;
  compute(kept: Kept, others: Others): Value;
}

/** @param compute gets the members that are read before: all but the computed ones. */
export const computed = <Name extends string, Stored extends SqlValue, Kept, Whole, Others, Value>(
  name: Name,
  codec: Codec<Stored, Kept>,
  keep: (whole: Whole) => Kept,
  compute: (kept: Kept, others: Others) => Value,
): ComputedColumn<Name, Stored, Kept, Whole, Others, Value> => ({
  kind: 'computed',
  name,
  codec,
  keep,
  compute,
});

/** A member that is an object, whose members have columns of their own. */
export interface Group<M extends Members = Members> {
  readonly kind: 'group';
  readonly members: M;
}

export const group = <M extends Members>(members: M): Group<M> => ({ kind: 'group', members });

/** A group that may be null as a whole. It is null where one of its required columns is NULL. */
export interface NullableGroup<M extends Members = Members> {
  readonly kind: 'nullable-group';
  readonly members: M;
}

export const nullableGroup = <M extends Members>(members: M): NullableGroup<M> => ({
  kind: 'nullable-group',
  members,
});

/** A member that is stored in another table; the reader of the row supplies it. */
export interface Given<Value = unknown> {
  readonly kind: 'given';
  /** Carries the type only; no map has a value here. */
  readonly value?: Value;
}

export const given = <Value>(): Given<Value> => ({ kind: 'given' });

/** A part with exactly one column. */
export type SingleColumn = Column | OptionalColumn | WrittenColumn | DerivedColumn | ComputedColumn;

export type Member = SingleColumn | Group | NullableGroup | Given;

export interface Members {
  readonly [member: string]: Member;
}

export interface NamedColumn {
  readonly name: string;
  readonly isNullable: boolean;
  /** The codec reads hexadecimal digits as well. */
  readonly readsDigits: boolean;
}

/** The columns of a map, in its order, groups resolved. */
export const singleColumnsOf = (members: Members, inNullable = false): readonly NamedColumn[] =>
  Object.values(members).flatMap((member) => {
    if (member.kind === 'given') return [];
    if (member.kind === 'group' || member.kind === 'nullable-group')
      return singleColumnsOf(member.members, inNullable || member.kind === 'nullable-group');
    return [
      {
        name: member.name,
        isNullable: inNullable || isNullable(member),
        readsDigits: member.codec.readsDigits ?? false,
      },
    ];
  });

const isNullable = ({ kind, codec }: SingleColumn): boolean =>
  kind === 'optional' || codec.isNullable;
