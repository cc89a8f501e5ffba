import type { Connection, QueryError } from 'mysql2';
import type { SqlValue } from './session.ts';

export const query = (
  connection: Connection,
  sql: string,
  values: readonly SqlValue[] = [],
): Promise<unknown> =>
  new Promise((resolve, reject) => {
    connection.query(sql, bindable(values), (error: QueryError | null, result) => {
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

/** The driver expects bytes as Buffers. */
export const bindable = (values: readonly SqlValue[]): (string | number | Buffer | null)[] =>
  values.map((value) =>
    value instanceof Uint8Array && !Buffer.isBuffer(value)
      ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
      : value,
  );
