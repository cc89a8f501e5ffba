import { setImmediate } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Connection, ResultSetHeader } from 'mysql2';
import type { Transaction } from '../base/database.ts';
import {
  ContentionError,
  DatabaseError,
  outcomeUnknown,
  translate,
} from '../base/database-error.ts';
import { MYSQL } from './mysql.ts';
import { isOfGalera, sendOneByOne } from './galera.ts';
import { InsertBuffer } from '../base/insert-buffer.ts';
import { mergedChanges } from './mysql-changes.ts';
import { query, sendScript, type ScriptError } from './mysql-query.ts';
import { insertTexts, MAX_TEXT, textOf } from './mysql-text.ts';
import type { Change, SqlValue, Table } from '../base/session.ts';

interface Statement {
  readonly text: string;
  /** The table that an insert fills: MariaDB does not name it in its errors. */
  readonly table?: string;
  /** What a check says where it fails. */
  readonly otherwise?: string;
}

/** A statement that waits to be sent, or to be answered. */
interface Step extends Statement {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A transaction in as few round trips as there are waits. Statements that are given before the last ones are answered go
 * together in one message, the first of them with the BEGIN. The first that fails ends the transaction.
 */
export class MysqlTransaction implements Transaction {
  readonly #waiting: Step[] = [];
  #sending: Promise<void> | null = null;
  #hasBegun = false;
  #failure: Error | null = null;

  constructor(
    private readonly pool: Knex,
    private readonly connection: Connection,
  ) {}

  async all<Row>(sql: string, values: readonly SqlValue[]): Promise<readonly Row[]> {
    return (await this.#add({ text: textOf(sql, values) })) as readonly Row[];
  }

  async run(sql: string, values: readonly SqlValue[]): Promise<number> {
    return ((await this.#add({ text: textOf(sql, values) })) as ResultSetHeader).affectedRows;
  }

  async insert(table: Table, rows: readonly (readonly SqlValue[])[]): Promise<void> {
    await this.#addAll(insertStatements(table, rows));
  }

  async change(change: Change): Promise<void> {
    await this.#addAll(changeStatements([change]));
  }

  /** Writes what the buffers hold, in one message. */
  async write(buffers: readonly InsertBuffer[]): Promise<void> {
    await this.#addAll(statementsOf(buffers));
  }

  /**
   * Writes and commits. What fails before the COMMIT is told as it is: nothing was written. Either way the transaction is
   * over.
   */
  async commitWith(buffers: readonly InsertBuffer[]): Promise<void> {
    let statements: readonly Statement[];
    try {
      statements = statementsOf(buffers);
    } catch (error) {
      await this.rollback();
      throw error;
    }
    const written = this.#addAll(statements);
    // It fails with the commit, which then ends the transaction first.
    written.catch(() => undefined);
    await this.commit();
    await written;
  }

  async commit(): Promise<void> {
    try {
      await this.#add({ text: COMMIT });
    } catch (error) {
      await this.rollback();
      throw error;
    }
    this.pool.client.releaseConnection(this.connection);
  }

  async rollback(): Promise<void> {
    await this.#sending;
    try {
      if (this.#hasBegun) await query(this.connection, 'ROLLBACK');
    } catch {
      // The pool drops a destroyed connection, and the server rolls back its open transaction.
      this.connection.destroy();
    }
    this.pool.client.releaseConnection(this.connection);
  }

  async savepoint(): Promise<void> {
    await this.#add({ text: 'SAVEPOINT unit' });
  }

  async release(): Promise<void> {
    await this.#add({ text: 'RELEASE SAVEPOINT unit' });
  }

  async rollbackToSavepoint(): Promise<void> {
    await this.#add({ text: 'ROLLBACK TO SAVEPOINT unit' });
  }

  #addAll(statements: readonly Statement[]): Promise<unknown> {
    return Promise.all(statements.map((statement) => this.#add(statement)));
  }

  #add(statement: Statement): Promise<unknown> {
    if (this.#failure) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...statement, resolve, reject });
      this.#sending ??= this.#send();
    });
  }

  /** Never rejects. */
  async #send(): Promise<void> {
    // Whatever the answers before this moment lead to has been given when it comes.
    await setImmediate();
    while (this.#waiting.length > 0) {
      const steps = this.#next();
      const begin = this.#hasBegun ? [] : [MYSQL.begin];
      this.#hasBegun = true;
      try {
        const texts = [...begin, ...steps.map(({ text }) => text)];
        const send = isOfGalera(this.connection) ? sendOneByOne : sendScript;
        const results = await send(this.connection, texts);
        steps.forEach((step, at) => step.resolve(results[begin.length + at]));
        await setImmediate();
      } catch (error) {
        const { at, cause } = error as ScriptError;
        this.#failure = meaningOf(cause, steps, at === null ? null : at - begin.length);
        for (const { reject } of [...steps, ...this.#waiting.splice(0)]) reject(this.#failure);
      }
    }
    this.#sending = null;
  }

  #next(): readonly Step[] {
    let length = 0;
    const end = this.#waiting.findIndex(({ text }, at) => {
      length += text.length;
      return at > 0 && length > MAX_TEXT;
    });
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
  }
}

const COMMIT = 'COMMIT';

/**
 * Refused by the server unless the statement before it found so many rows: the sum is beyond the largest number. The
 * statements after it, a COMMIT among them, are then not executed.
 */
const foundRows = (rows: number): string =>
  `SET @found = 18446744073709551615 + (ROW_COUNT() <> ${rows})`;
const OUT_OF_RANGE = 1690;

const statementsOf = (buffers: readonly InsertBuffer[]): readonly Statement[] => {
  const { inserts, changes } = InsertBuffer.merged(buffers);
  return [
    ...inserts.flatMap(([table, rows]) => insertStatements(table, rows)),
    ...changeStatements(changes),
  ];
};

const insertStatements = (
  table: Table,
  rows: readonly (readonly SqlValue[])[],
): readonly Statement[] => insertTexts(table, rows).map((text) => ({ text, table: table.name }));

const changeStatements = (changes: readonly Change[]): readonly Statement[] =>
  mergedChanges(changes).flatMap(({ text, rows, otherwise }) => [
    { text },
    { text: foundRows(rows), otherwise },
  ]);

/** @param at the statement that the server refused; null where it did not answer. */
const meaningOf = (cause: Error, steps: readonly Step[], at: number | null): Error => {
  const failure = MYSQL.classify(cause);
  const refused = at === null ? undefined : steps[at];
  const isAtCommit = (at === null ? steps.at(-1) : refused)?.text === COMMIT;
  // Galera certifies at the commit, and a conflict there is a clean refusal. After any other error the commit may have
  // taken effect.
  if (isAtCommit)
    return failure === 'contention'
      ? new ContentionError('the commit was refused', { cause })
      : outcomeUnknown(cause);
  if (refused?.otherwise !== undefined && 'errno' in cause && cause.errno === OUT_OF_RANGE)
    return new DatabaseError(refused.otherwise, { cause });
  return translate(cause, failure, () => MYSQL.constraintOf(cause, refused?.table ?? null));
};
