import type { TellEventFault } from '../../../application/event/event-fault.ts';
import { ZERO_UUID } from '../../../domain/kernel/ids.ts';
import type { Dialect } from '../base/dialect.ts';
import type { RowSeals } from '../tables/row-seals.ts';
import type { RowOf } from '../tables/column-map.ts';
import {
  EVENT_COUNTER,
  GREATEST,
  NEWEST_NUMBER,
  numberHolds,
  OUTBOX,
  type EventNumber,
  type OutboxRow,
} from './outbox-row.ts';
import { firstOf, type Session } from '../base/session.ts';
import { uuidFromSql, uuidToSql } from '../base/values.ts';

type Statements = Pick<Session, 'all' | 'run'>;
type CounterRow = RowOf<typeof EVENT_COUNTER> & {
  readonly row_key: Uint8Array;
  readonly row_mac: Uint8Array;
  /** The time of the database. */
  readonly now: number;
};

const COUNTER_ID = uuidToSql(ZERO_UUID);
/** Rows that are looked over at once where the counter is not where they are. */
const BATCH = 200;

/**
 * Gives events their numbers, 1, 2, 3 … Whoever asks holds the row of the counter until the end of its transaction: that
 * is what keeps numbers apart, and in the order in which they are committed.
 */
export class EventNumbers {
  /** What this process wrote last: a counter that still says so needs no look at its MAC. */
  #own: CounterRow | null = null;
  /** The newest that this process gave and that was committed: whatever becomes of the database, none up to it is given again. */
  #given: EventNumber = { sequence: 0, numberedAt: 0 };
  readonly #counter: string;

  constructor(
    private readonly dialect: Dialect,
    private readonly seals: RowSeals,
    private readonly tell: TellEventFault,
  ) {
    this.#counter = `SELECT ${EVENT_COUNTER.columnList}, ${dialect.now} AS now FROM event_counter WHERE id = ?${dialect.forUpdate}`;
  }

  /**
   * Locks the counter.
   *
   * @returns a giver of numbers, whose `end` moves the counter to the last of them.
   */
  async begin(session: Statements): Promise<NumberGiver> {
    const row = await this.#lock(session);
    const newest = firstOf(
      await session.all<{ readonly newest: number | null }>(NEWEST_NUMBER, []),
    );
    const base =
      Number(row.last) === Number(newest?.newest ?? 0) && this.#isBelieved(row)
        ? numberOf(row)
        : await this.#settled(session, row, Number(newest?.newest ?? 0));
    return new NumberGiver(base, Number(row.now), (last) => this.#move(session, last));
  }

  /** @param newest of a transaction that is committed. */
  committed(newest: EventNumber): void {
    if (newest.sequence > this.#given.sequence) this.#given = newest;
  }

  async #lock(session: Statements): Promise<CounterRow> {
    for (;;) {
      const row = firstOf(await session.all<CounterRow>(this.#counter, [COUNTER_ID]));
      if (row) return row;
      const { columnList, columns } = EVENT_COUNTER;
      await session.run(
        `${this.dialect.insertIgnore} INTO event_counter (${columnList}) VALUES (${columns.map(() => '?').join(', ')})`,
        this.#sealed({ sequence: 0, numberedAt: 0 }),
      );
    }
  }

  /** Where the numbers go on: after the greatest that the service ever gave, as far as that can still be known. */
  async #settled(session: Statements, row: CounterRow, newest: number): Promise<EventNumber> {
    this.tell({ fault: 'counter', last: Number(row.last), newest });
    const known = this.#isBelieved(row) ? numberOf(row) : this.#given;
    for (;;) {
      const rows = await session.all<OutboxRow>(BEYOND, [known.sequence]);
      for (const beyond of rows) {
        if (this.#isEvent(beyond))
          return { sequence: Number(beyond.sequence), numberedAt: Number(beyond.numbered_at) };
        await this.#takeBack(session, beyond);
      }
      if (rows.length === 0) return known;
    }
  }

  /** A number that somebody else wrote would stand in the way of the one that is given next. */
  async #takeBack(session: Statements, row: OutboxRow): Promise<void> {
    this.tell({ fault: 'number', id: uuidFromSql(row.id), sequence: Number(row.sequence) });
    await session.run('UPDATE outbox SET sequence = NULL WHERE id = ?', [row.id]);
  }

  #isEvent(row: OutboxRow): boolean {
    return this.seals.macs.holds(OUTBOX, row) && numberHolds(this.seals.macs, row);
  }

  /** An earlier row of the counter has a MAC that holds. */
  #isBelieved(row: CounterRow): boolean {
    return Number(row.last) >= this.#given.sequence && this.#isGenuine(row);
  }

  #isGenuine(row: CounterRow): boolean {
    const own = this.#own;
    const isOwn =
      own !== null &&
      Number(own.last) === Number(row.last) &&
      Number(own.numbered_at) === Number(row.numbered_at) &&
      Buffer.compare(own.row_mac, row.row_mac) === 0 &&
      Buffer.compare(own.row_key, row.row_key) === 0;
    return isOwn || this.seals.macs.holds(EVENT_COUNTER, row);
  }

  async #move(session: Statements, last: EventNumber): Promise<void> {
    const [, sequence, numberedAt, key, mac] = this.#sealed(last);
    await session.run(MOVE, [sequence!, numberedAt!, key!, mac!, COUNTER_ID]);
    this.#own = {
      id: COUNTER_ID,
      last: last.sequence,
      numbered_at: last.numberedAt,
      row_key: key as Uint8Array,
      row_mac: mac as Uint8Array,
      now: 0,
    };
  }

  #sealed({ sequence, numberedAt }: EventNumber) {
    return this.seals.macs.seal(
      EVENT_COUNTER,
      EVENT_COUNTER.toRow({ id: ZERO_UUID, last: sequence, numberedAt }),
    );
  }
}

const numberOf = (row: CounterRow): EventNumber => ({
  sequence: Number(row.last),
  numberedAt: Number(row.numbered_at),
});

const BEYOND = `${OUTBOX.select} WHERE sequence > ? AND sequence <= ${GREATEST} ORDER BY sequence DESC LIMIT ${BATCH}`;
const MOVE =
  'UPDATE event_counter SET last = ?, numbered_at = ?, row_key = ?, row_mac = ? WHERE id = ?';

/** Numbers of one transaction. */
export class NumberGiver {
  constructor(
    public last: EventNumber,
    private readonly now: number,
    private readonly move: (last: EventNumber) => Promise<void>,
  ) {}

  /** @param createdAt of the event, milliseconds since 1970: no event is numbered before it was made. */
  next(createdAt: number): EventNumber {
    const { sequence, numberedAt } = this.last;
    this.last = {
      sequence: sequence + 1,
      numberedAt: Math.max(this.now, numberedAt, createdAt),
    };
    return this.last;
  }

  /** Before the transaction commits. */
  end(): Promise<void> {
    return this.move(this.last);
  }
}
