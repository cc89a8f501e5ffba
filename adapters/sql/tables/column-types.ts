import type {
  Column,
  ComputedColumn,
  DerivedColumn,
  Given,
  Group,
  Member,
  Members,
  NullableGroup,
  OptionalColumn,
  WrittenColumn,
} from './column.ts';
import type { Codec } from './codec.ts';
import type { SqlValue } from '../base/session.ts';

/** The columns of a row, by name, as the driver gives them. */
export type StoredRow<M extends Members> = Intersection<
  { [K in keyof M]: M[K] extends Given ? never : ColumnsOf<M[K]> }[keyof M]
>;

type ColumnsOf<F extends Member> =
  F extends Group<infer G>
    ? StoredRow<G>
    : F extends NullableGroup<infer G>
      ? { readonly [Name in keyof StoredRow<G>]: StoredRow<G>[Name] | null }
      : F extends OptionalColumn<infer Name, infer Stored>
        ? Readonly<Record<Name, Stored | null>>
        : F extends {
              readonly name: infer Name extends string;
              readonly codec: Codec<infer Stored, infer _Value>;
            }
          ? Readonly<Record<Name, Stored>>
          : never;

/** The value that a row is read as. */
export type ReadValue<M extends Members> = {
  readonly [
    K in keyof M as M[K] extends WrittenColumn | DerivedColumn | OptionalColumn ? never : K
  ]: ReadMember<M[K]>;
} & OptionalMembers<M>;

type ReadMember<F extends Member> =
  F extends Given<infer Value>
    ? Value
    : F extends Group<infer G>
      ? ReadValue<G>
      : F extends NullableGroup<infer G>
        ? ReadValue<G> | null
        : F extends ComputedColumn<
              string,
              SqlValue,
              infer _Kept,
              infer _Whole,
              infer _Others,
              infer Value
            >
          ? Value
          : F extends Column<string, SqlValue, infer Value>
            ? Value
            : never;

/** The value that a row is made from. */
export type WrittenValue<M extends Members> = {
  readonly [
    K in keyof M as M[K] extends Given | ComputedColumn | DerivedColumn | OptionalColumn ? never : K
  ]: WrittenMember<M[K]>;
} & OptionalMembers<M> &
  Intersection<{ [K in keyof M]: WholeOf<M[K]> }[keyof M]>;

type WrittenMember<F extends Member> =
  F extends Group<infer G>
    ? WrittenValue<G>
    : F extends NullableGroup<infer G>
      ? WrittenValue<G> | null
      : F extends Column<string, SqlValue, infer Value>
        ? Value
        : F extends WrittenColumn<string, SqlValue, infer Value>
          ? Value
          : never;

type OptionalMembers<M extends Members> = {
  readonly [K in keyof M as M[K] extends OptionalColumn ? K : never]?: M[K] extends OptionalColumn<
    string,
    SqlValue,
    infer Value
  >
    ? Value
    : never;
};

type WholeOf<F extends Member> =
  F extends ComputedColumn<string, SqlValue, infer _Kept, infer Whole>
    ? Whole
    : F extends DerivedColumn<string, SqlValue, infer _Kept, infer Whole>
      ? Whole
      : never;

/** The members that the reader of a row adds to it. */
export type GivenValue<M extends Members> = {
  readonly [K in keyof M as M[K] extends Given ? K : never]: ReadMember<M[K]>;
};

/** The intersection of all types of a union. */
type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;
