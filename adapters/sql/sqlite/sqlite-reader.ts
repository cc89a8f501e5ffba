import type { PoolState } from '../base/database.ts';
import { notOpened, readFailure, unavailable } from '../base/database-error.ts';
import { SqliteConnection } from './sqlite-connection.ts';
import { SQLITE } from './sqlite.ts';
import { onceUnlocked } from './sqlite-wait.ts';
import { LoopShare } from '../base/loop-share.ts';
import type { RawReader, SqlValue } from '../base/session.ts';

/** How long a read waits for another process, ms. */
export const READ_WAIT_MS = 5_000;

/**
 * Committed rows of a file, on a connection of its own. SQLite answers on the calling thread, so nobody ever waits for the
 * connection but while it opens or while another process holds a lock, and a read needs no pool. A loop of reads would keep
 * everything else from the thread, so what goes on for long waits for the next turn of the event loop.
 */
export class SqliteReader implements RawReader {
  #connection: SqliteConnection | null = null;
  #opening: Promise<SqliteConnection> | null = null;
  #waiting = 0;
  #isClosed = false;
  readonly #share = new LoopShare();

  constructor(private readonly filename: string) {}

  all<Row>(sql: string, values: readonly SqlValue[]): Promise<readonly Row[]> {
    return this.#share.run(() => this.#read<Row>(sql, values));
  }

  state(): PoolState {
    return { used: 0, free: this.#connection ? 1 : 0, waiting: this.#waiting };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#opening?.catch(() => undefined);
    this.#connection?.close();
    this.#connection = null;
  }

  #read<Row>(sql: string, values: readonly SqlValue[]): Promise<readonly Row[]> {
    if (!this.#connection) return this.#patiently(sql, values);
    try {
      return Promise.resolve(this.#connection.all(sql, values) as readonly Row[]);
    } catch (error) {
      const failure = SQLITE.classify(error);
      return failure === 'contention'
        ? this.#patiently(sql, values)
        : Promise.reject(readFailure(error, failure));
    }
  }

  /** The connection is free for others while this read waits. */
  async #patiently<Row>(sql: string, values: readonly SqlValue[]): Promise<readonly Row[]> {
    this.#waiting++;
    try {
      const attempt = async (): Promise<readonly Row[]> =>
        (await this.#opened()).all(sql, values) as readonly Row[];
      return await onceUnlocked(attempt, READ_WAIT_MS);
    } catch (error) {
      throw readFailure(error, SQLITE.classify(error));
    } finally {
      this.#waiting--;
    }
  }

  /** @throws NotaryError SERVICE_UNAVAILABLE. */
  async #opened(): Promise<SqliteConnection> {
    if (this.#isClosed) throw unavailable(new Error('the reader was closed'));
    if (this.#connection) return this.#connection;
    const open = (): SqliteConnection =>
      new SqliteConnection({ filename: this.filename, readOnly: true });
    this.#opening ??= onceUnlocked(open, READ_WAIT_MS);
    try {
      return (this.#connection = await this.#opening);
    } catch (error) {
      throw notOpened(error, SQLITE.classify(error));
    } finally {
      this.#opening = null;
    }
  }
}
