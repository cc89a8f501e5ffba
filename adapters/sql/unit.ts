import { ConnectionLostError, ContentionError } from './database-error.ts';
import type { Dialect } from './dialect/dialect.ts';
import { InsertBuffer } from './insert-buffer.ts';
import type { RowSeals, TableRow } from './row-seals.ts';
import { SealedTable } from './rows/sealed-table.ts';
import type { Reader, Session, SqlValue, Table } from './session.ts';
import { SqlChainStore } from './stores/chain-store.ts';

/** What a store sees of its unit of work. */
export interface UnitContext extends Reader {
  readonly dialect: Dialect;
  readonly seals: RowSeals;
  /** The insert is deferred to the next statement of this unit, or to its end. A row of a sealed table gets its MAC here. */
  insert(table: Table, row: readonly SqlValue[]): void;
  /** From the first statement on, the unit holds a transaction; it first waits for its turn. */
  all<Row>(sql: string, values: readonly SqlValue[]): Promise<readonly Row[]>;
  run(sql: string, values: readonly SqlValue[]): Promise<number>;
}

/**
 * One run of one unit of work. As long as it only inserts, it holds no connection. Its first other
 * statement asks for a session, in which the inserts so far are written first.
 */
export class Unit implements UnitContext {
  readonly inserts = new InsertBuffer();
  /** Set when the unit can no longer be committed, even if its work catches the error. */
  failure: Error | null = null;
  #session: Promise<Session> | null = null;
  #tail: Promise<unknown> = Promise.resolve();
  #ended = false;

  constructor(
    readonly dialect: Dialect,
    readonly seals: RowSeals,
    private readonly takeTurn: (unit: Unit) => Promise<Session>,
    /** Must not share a transaction with another unit. */
    readonly alone: boolean = false,
  ) {}

  get isInteractive(): boolean {
    return this.#session !== null;
  }

  insert(table: Table, row: readonly SqlValue[]): void {
    this.#refuseLate();
    this.inserts.add(table, table instanceof SealedTable ? this.seals.macs.seal(table, row) : row);
  }

  all<Row>(sql: string, values: readonly SqlValue[]): Promise<readonly Row[]> {
    return this.#statement((session) => session.all<Row>(sql, values));
  }

  verifying<T>(load: () => Promise<T>, rowsOf: (loaded: T) => readonly TableRow[]): Promise<T> {
    return this.seals.within(new SqlChainStore(this), load, rowsOf);
  }

  run(sql: string, values: readonly SqlValue[]): Promise<number> {
    return this.#statement((session) => session.run(sql, values));
  }

  /** Accepts no further statements; resolves when the last one is done. */
  async end(): Promise<void> {
    this.#ended = true;
    await this.#tail;
  }

  /** Resolves when no statement of this unit is running. */
  get idle(): Promise<unknown> {
    return this.#tail;
  }

  /** Fails the unit, and with it every later statement. */
  fail(error: Error): void {
    this.failure ??= error;
  }

  /** Writes the deferred inserts. A failure fails the unit, even if its work would continue. */
  async flush(session: Session): Promise<void> {
    if (this.inserts.isEmpty) return;
    try {
      await InsertBuffer.write(session, [this.inserts.take()]);
    } catch (error) {
      this.fail(error as Error);
      throw error;
    }
  }

  /** Runs statements one after the other, even where the work starts several at once. */
  #statement<T>(run: (session: Session) => Promise<T>): Promise<T> {
    this.#refuseLate();
    const result = this.#tail.then(async () => {
      try {
        this.#session ??= this.takeTurn(this);
        const session = await this.#session;
        if (this.failure) throw this.failure;
        await this.flush(session);
        return await run(session);
      } catch (error) {
        // After a deadlock the server has ended the transaction, and a further statement would
        // commit on its own.
        if (error instanceof ContentionError || error instanceof ConnectionLostError)
          this.fail(error);
        throw error;
      }
    });
    this.#tail = result.catch(() => undefined);
    return result;
  }

  #refuseLate(): void {
    if (this.#ended) throw new Error('a store was used after the end of its unit of work');
  }
}
