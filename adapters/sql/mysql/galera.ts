import type { Connection, QueryError } from 'mysql2';
import { isOfServer, query, ScriptError } from './mysql-query.ts';

/** Connections to a node of a Galera cluster. */
const members = new WeakSet<Connection>();

/** One row on a node of Galera, none elsewhere. */
const OF_GALERA = "SHOW VARIABLES WHERE Variable_name = 'wsrep_on' AND Value = 'ON'";

/**
 * A node answers a read, and begins a transaction, once it has what was committed on the others before: what one process
 * was told of is there for the next one, and a process that goes to another node meets no older rows.
 */
const UP_TO_DATE = 'SET SESSION wsrep_sync_wait = 1';

/** Readies a new connection, and remembers what it leads to. */
export const readyForGalera = async (connection: Connection): Promise<void> => {
  const found = (await query(connection, OF_GALERA)) as readonly unknown[];
  if (found.length === 0) return;
  await query(connection, UP_TO_DATE);
  members.add(connection);
};

export const isOfGalera = (connection: Connection): boolean => members.has(connection);

/**
 * Sends statements one by one. A node of Galera rolls a transaction back in the middle of whatever it executes, when another
 * node has committed what stands against it. Of several statements in one message it may then execute the rest all the
 * same, each committed by itself; between two messages it cannot.
 *
 * @throws ScriptError
 */
export const sendOneByOne = async (
  connection: Connection,
  texts: readonly string[],
): Promise<readonly unknown[]> => {
  const results: unknown[] = [];
  for (const [at, text] of texts.entries())
    try {
      results.push(await query(connection, text));
    } catch (error) {
      const refused = error as QueryError;
      throw new ScriptError(refused, isOfServer(refused) ? at : null);
    }
  return results;
};
