import { parentPort, workerData } from 'node:worker_threads';
import { SqliteConnection } from './sqlite-connection.ts';
import { errcodeOf } from './sqlite.ts';
import { onceUnlocked } from './sqlite-wait.ts';
import { READ_WAIT_MS } from './sqlite-reader.ts';
import type { SqlValue } from '../base/session.ts';

export interface ReaderThreadData {
  readonly filename: string;
  /** One number of shared memory, 1 once nobody waits for an answer any more. */
  readonly isOver: Int32Array;
}

/** Null: the thread ends itself. */
export type ReadMessage = ReadQuestion | null;

export interface ReadQuestion {
  readonly id: number;
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** The rows, or SQLite's own error: of one that goes to another thread, its message alone would arrive. */
export type ReadAnswer =
  | { readonly id: number; readonly rows: readonly unknown[] }
  | { readonly id: number; readonly message: string; readonly errcode: unknown };

const { filename, isOver } = workerData as ReaderThreadData;
let connection: SqliteConnection | null = null;

const answerTo = async ({ id, sql, values }: ReadQuestion): Promise<ReadAnswer> => {
  try {
    const rows = await onceUnlocked(() => {
      connection ??= new SqliteConnection({ filename, readOnly: true });
      return connection.all(sql, values);
    }, READ_WAIT_MS);
    return { id, rows };
  } catch (error) {
    return { id, message: (error as Error).message, errcode: errcodeOf(error) };
  }
};

/** Runs in the thread of sqlite-reader-thread.ts, until that one ends it. */
parentPort!.on('message', (question: ReadMessage) => {
  if (question && Atomics.load(isOver, 0) === 0)
    return void answerTo(question).then((answer) => parentPort!.postMessage(answer));
  if (question) return;
  connection?.close();
  parentPort!.close();
});
