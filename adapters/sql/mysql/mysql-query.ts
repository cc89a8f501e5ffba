import type { Connection, QueryError } from 'mysql2';
import { textOf } from './mysql-text.ts';
import type { SqlValue } from '../base/session.ts';

export const query = (
  connection: Connection,
  sql: string,
  values: readonly SqlValue[] = [],
): Promise<unknown> =>
  new Promise((resolve, reject) => {
    connection.query(textOf(sql, values), (error: QueryError | null, result) => {
      if (error) reject(error);
      else resolve(result);
    });
  });

/**
 * Rejects where the answer takes longer. The connection is then of no use any more, and is destroyed.
 */
export const queryWithin = (
  connection: Connection,
  timeoutMs: number,
  sql: string,
): Promise<unknown> =>
  new Promise((resolve, reject) => {
    connection.query({ sql, timeout: timeoutMs }, (error: QueryError | null, result) => {
      if (error) {
        connection.destroy();
        reject(error);
      } else resolve(result);
    });
  });

/** A statement of a script was refused, or the connection broke. */
export class ScriptError extends Error {
  override readonly name = 'ScriptError';

  constructor(
    /** The server's error. */
    override readonly cause: Error,
    /**
     * The statement that the server refused: none after it was executed. A refused SELECT may be taken for the one that
     * follows it. Null where the server did not answer: what was executed is not known.
     */
    readonly at: number | null,
  ) {
    super('a script was not executed to its end', { cause });
  }
}

/**
 * Sends statements in one message. The server executes them one after the other, and none after one that it refuses.
 *
 * @returns the result of each.
 * @throws ScriptError
 */
export const sendScript = (
  connection: Connection,
  texts: readonly string[],
): Promise<readonly unknown[]> =>
  new Promise((resolve, reject) => {
    let answered = 0;
    const sent = connection.query(texts.join(';\n'), (error: QueryError | null, results) => {
      if (error) reject(new ScriptError(error, isOfServer(error) ? answered : null));
      else resolve(texts.length === 1 ? [results] : (results as unknown[]));
    });
    sent.on('fields', () => answered++);
  });

/** Errors of the socket and of the driver have no SQL state. */
export const isOfServer = (error: QueryError): boolean => typeof error.sqlState === 'string';
