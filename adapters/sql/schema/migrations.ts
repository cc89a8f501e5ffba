import { printable } from '../../../domain/kernel/printable.ts';
import type { Target } from './create-table.ts';
import { createSchema } from './schema.ts';

export interface Migration {
  /** Without an extension: it must be the same in development and in production. At most 64 characters. */
  readonly name: string;
  readonly up: (session: SchemaSession) => Promise<void>;
}

/** A connection that changes the schema, under the lock. On SQLite all migrations share one transaction. */
export interface SchemaSession {
  readonly target: Target;
  all(sql: string): Promise<readonly unknown[]>;
  /** Runs the statements in order, and none after one that fails. */
  run(statements: readonly string[]): Promise<void>;
}

/**
 * The name has the first eight hex digits of the SHA-256 over the statements, so that a database of another build before
 * 0.1.0 is recognized. It is a constant that test/unit/sql/schema.test.ts checks. If it were computed, a change of a
 * statement's spelling after 0.1.0 would refuse every database.
 */
export const SCHEMA_NAME = '0001-schema-2a07f7cb';

/**
 * In order. From release 0.1.0 on the schema is fixed and this list only grows: a change of the schema is a further
 * migration at the end, which can run again after an interruption, because the DDL of MySQL commits implicitly.
 */
export const MIGRATIONS: readonly Migration[] = [
  { name: SCHEMA_NAME, up: (session) => session.run(createSchema(session.target)) },
];

/** Why this program cannot use a database. */
export type SchemaRefusal =
  | {
      readonly kind: 'newer';
      /** The migrations that this program does not know. */ readonly names: string;
    }
  | {
      readonly kind: 'earlier';
      /** What identifies the build that made it. */ readonly trace: string;
    };

/** The end of the sentence that refuses a database of an earlier build. */
export const NOT_CARRIED_OVER =
  'Databases of builds before 0.1.0 are not carried over: start this program on an empty database, and keep the old program for the old one. Exports and dumps made by it still verify.';

/** @param ran the names of the migrations that the database has run. @returns null if the program knows all of them. */
export const refusalOf = (ran: readonly string[]): SchemaRefusal | null => {
  const unknown = ran.filter((name) => !MIGRATIONS.some((migration) => migration.name === name));
  if (unknown.length === 0) return null;
  if (unknown.includes(FIRST_OF_118))
    return {
      kind: 'earlier',
      trace: `its last migration is ${printable(unknown.toSorted().at(-1)!)}`,
    };
  const other = unknown.find((name) => OTHER_SCHEMA.test(name));
  if (other !== undefined)
    return {
      kind: 'earlier',
      trace: `its schema is ${other}, and this program makes ${SCHEMA_NAME}`,
    };
  return { kind: 'newer', names: printable(unknown.join(', ')) };
};

/** Until November 2026 a database was made by 118 migrations, of which this was the first. */
const FIRST_OF_118 = '0001-instance';

const OTHER_SCHEMA = /^0001-schema-[0-9a-f]{8}$/;
