import { ConnectionLostError, ContentionError } from '../base/database-error.ts';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import type { ChainKey } from '../../../domain/vault/chain-key.ts';
import type { ChainHead } from '../../../domain/vault/chain.ts';
import type { Dialect } from '../base/dialect.ts';
import { InsertBuffer } from '../base/insert-buffer.ts';
import type { RowSeals, TableRow } from '../tables/row-seals.ts';
import { headOf, type LockedRow } from '../records/locked-row.ts';
import { OUTGOING } from '../federation/federation-row.ts';
import { OUTBOX } from '../events/outbox-row.ts';
import { SealedTable } from '../tables/sealed-table.ts';
import type { Change, Session, SqlValue, Table } from '../base/session.ts';
import type { UnitContext } from '../tables/unit-context.ts';
import { SqlChainStore } from '../vault/chain-store.ts';
import { RunAlone, type UnitWriter } from './unit-writer.ts';
import { UnitVersions } from '../tables/unit-versions.ts';
import { uuidFromSql } from '../base/values.ts';

const PEER_OF_MESSAGE = OUTGOING.columns.indexOf('peer_hub_id');

/**
 * One run of one unit of work. As long as it only inserts, it holds no connection. Its first other
 * statement asks for a session, in which the inserts so far are written first.
 */
export class Unit implements UnitContext {
  readonly inserts = new InsertBuffer();
  /** Set when the unit can no longer be committed, even if its work catches the error. */
  failure: Error | null = null;
  /** It has sent a statement that may have changed something. */
  hasWritten = false;
  /** It leaves events behind where it is committed. */
  hasEvents = false;
  /** It leaves messages for these peers behind where it is committed. */
  readonly toldPeers = new Set<Uuid>();
  readonly #heads = new Map<ChainKey, ChainHead>();
  readonly #versions: UnitVersions;
  #session: Promise<Session> | null = null;
  #defersChanges: boolean;
  #tail: Promise<unknown> = Promise.resolve();
  #ended = false;

  constructor(
    readonly dialect: Dialect,
    readonly seals: RowSeals,
    private readonly writer: Pick<UnitWriter, 'turn' | 'join'>,
    /** Must not share a transaction with another unit. */
    readonly alone: boolean = false,
  ) {
    this.#defersChanges = dialect.defersChanges;
    this.#versions = new UnitVersions(new SqlChainStore(this), dialect.hasOneWriter);
  }

  get isInteractive(): boolean {
    return this.#session !== null;
  }

  insert(table: Table, row: readonly SqlValue[]): void {
    this.#refuseLate();
    if (table === OUTBOX) this.hasEvents = true;
    if (table === OUTGOING) this.toldPeers.add(uuidFromSql(row[PEER_OF_MESSAGE] as Uint8Array));
    this.inserts.add(table, table instanceof SealedTable ? this.seals.macs.seal(table, row) : row);
  }

  all<Row>(sql: string, values: readonly SqlValue[]): Promise<readonly Row[]> {
    return this.#statement((session) => session.all<Row>(sql, values));
  }

  verifying<T>(load: () => Promise<T>, rowsOf: (loaded: T) => readonly TableRow[]): Promise<T> {
    return this.seals.within(this.#versions, load, rowsOf);
  }

  run(sql: string, values: readonly SqlValue[]): Promise<number> {
    return this.#statement((session) => {
      this.hasWritten = true;
      return session.run(sql, values);
    });
  }

  change(change: Change): Promise<void> {
    if (!this.#defersChanges || this.#session === null)
      return this.#statement((session) => {
        this.hasWritten = true;
        return session.change(change);
      });
    this.#refuseLate();
    this.inserts.change(change);
    return Promise.resolve();
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

  /** Writes what was deferred. A failure fails the unit, even if its work would continue. */
  async flush(session: Session): Promise<void> {
    if (this.inserts.isEmpty) return;
    this.hasWritten = true;
    try {
      const taken = [this.inserts.take()];
      await (session.write?.(taken) ?? InsertBuffer.write(session, taken));
    } catch (error) {
      this.fail(error as Error);
      throw error;
    }
  }

  /** Only a unit that did nothing yet can join others. */
  lockRecord(id: Uint8Array): Promise<LockedRow | null> {
    if (!this.writer.join || this.alone) return Promise.resolve(null);
    return this.#inTurn(async () => {
      if (this.#session !== null || !this.inserts.isEmpty) return null;
      const joined = await this.writer.join!(this, id);
      if (!joined) return null;
      this.#session = Promise.resolve(joined.session);
      this.#defersChanges = true;
      const head = headOf(joined.row);
      this.#heads.set(head.chainKey, head);
      return joined.row;
    });
  }

  takeHead(chainKey: ChainKey): ChainHead | null {
    const head = this.#heads.get(chainKey) ?? null;
    this.#heads.delete(chainKey);
    return head;
  }

  movedHead(head: ChainHead): void {
    this.#heads.set(head.chainKey, head);
  }

  #statement<T>(run: (session: Session) => Promise<T>): Promise<T> {
    return this.#inTurn(async () => {
      this.#session ??= this.writer.turn(this);
      const session = await this.#session;
      if (this.failure) throw this.failure;
      await this.flush(session);
      return run(session);
    });
  }

  /** Runs statements one after the other, even where the work starts several at once. */
  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    this.#refuseLate();
    const result = this.#tail.then(async () => {
      try {
        return await run();
      } catch (error) {
        // After a deadlock the server has ended the transaction, and a further statement would
        // commit on its own.
        if (
          error instanceof ContentionError ||
          error instanceof ConnectionLostError ||
          error instanceof RunAlone
        )
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
