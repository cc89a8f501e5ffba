import type { TellEventFault } from '../../../application/event/event-fault.ts';
import type { EventNumbers } from './event-numbers.ts';
import type { RowSeals } from '../tables/row-seals.ts';
import { numberColumns, OUTBOX, type EventNumber, type OutboxRow } from './outbox-row.ts';
import { placeholders, type RawReader, type SqlValue } from '../base/session.ts';
import type { UnitContext, UnitRunner } from '../tables/unit-context.ts';
import { hexFromSql, uuidFromSql } from '../base/values.ts';

/** Events of one transaction. */
const BATCH = 256;
/** Commits so close to each other are numbered together, ms. */
const GATHER_MS = 10;
/** How often it looks for the events of a process that could not number them itself, ms. */
const EVERY_MS = 200;
/** A row that was refused is looked at again after so long: it may have been put right. */
const REFUSED_MS = 60_000;
/** So many refused rows are remembered; beyond them every look reads all of them again. */
const MAX_REFUSED = 1_000;

/**
 * Numbers committed events, where transactions run side by side and their commits end in any order. Every process has one.
 * The lock on the counter keeps them apart: one that was stopped for however long finds, when it goes on, either its lock
 * or the numbers that others gave meanwhile.
 */
export class EventSequencer {
  #timer: NodeJS.Timeout | null = null;
  #polling: NodeJS.Timeout | null = null;
  #running: Promise<void> | null = null;
  #again = false;
  #closed = false;
  /** Rows that somebody else wrote or changed, by id. They wait for ever, and hold up no other. */
  readonly #refused = new Set<string>();
  #refusedAt = 0;
  #failure: Error | null = null;

  constructor(
    private readonly unitOfWork: UnitRunner,
    private readonly reader: RawReader,
    private readonly seals: RowSeals,
    private readonly numbers: EventNumbers,
    private readonly onNumbered: () => void,
    private readonly tell: TellEventFault,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** From now on it also looks by itself. */
  start(): void {
    this.#polling ??= setInterval(() => void this.#look(), EVERY_MS).unref();
  }

  /** After a commit of this process. */
  wake(): void {
    if (this.#closed) return;
    if (this.#running) this.#again = true;
    else this.#timer ??= setTimeout(() => this.#begin(), GATHER_MS).unref();
  }

  /** Numbers what is committed now. @throws what made it fail. */
  async settle(): Promise<void> {
    await this.#running;
    this.#begin();
    await this.#running;
    if (this.#failure) throw this.#failure;
  }

  /** Numbers what this process committed, as far as it is awake for that, and ends. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#polling) clearInterval(this.#polling);
    if (this.#timer) this.#begin();
    await this.#running;
  }

  #begin(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#running ??= this.#run().finally(() => (this.#running = null));
  }

  /** Never rejects. */
  async #run(): Promise<void> {
    try {
      do {
        this.#again = false;
        const numbered = await this.unitOfWork.run((unit) => this.#number(unit));
        if (!numbered) continue;
        this.numbers.committed(numbered.newest);
        this.onNumbered();
        if (numbered.count === BATCH) this.#again = true;
      } while (this.#again);
      this.#failure = null;
    } catch (error) {
      this.#fail(error);
    }
  }

  async #look(): Promise<void> {
    if (this.#running ?? this.#timer) return;
    try {
      if (await this.#isNeeded()) this.#begin();
      else this.#failure = null;
    } catch (error) {
      this.#fail(error);
    }
  }

  /** It tries again five times a second: an outage is told of once. */
  #fail(error: unknown): void {
    if (this.#failure === null) this.onError(error);
    this.#failure = error instanceof Error ? error : new Error(String(error));
  }

  async #isNeeded(): Promise<boolean> {
    const known = Math.min(this.#refused.size, MAX_REFUSED);
    const sql = `SELECT id FROM outbox WHERE sequence IS NULL LIMIT ${known + 1}`;
    const rows = await this.reader.all<{ readonly id: Uint8Array }>(sql, []);
    if (rows.length === 0) {
      this.#refused.clear();
      return false;
    }
    return (
      rows.length > known ||
      performance.now() - this.#refusedAt > REFUSED_MS ||
      rows.some(({ id }) => !this.#refused.has(hexFromSql(id)))
    );
  }

  /** @returns how many were numbered, and the last of their numbers; null for none. */
  async #number(unit: UnitContext): Promise<{ count: number; newest: EventNumber } | null> {
    const giver = await this.numbers.begin(unit);
    const rows = await this.#genuine(unit);
    if (rows.length === 0) return null;
    const { macs } = this.seals;
    const numbered = rows.map((row) =>
      numberColumns(macs, row.id, giver.next(Number(row.created_at))),
    );
    await write(unit, rows, numbered);
    await giver.end();
    return { count: rows.length, newest: giver.last };
  }

  /**
   * The next events, in the order of their chains. They are read after the counter was locked, and without a lock of
   * their own: what this statement sees is committed, and so is whatever comes before it on its chain.
   */
  async #genuine(unit: UnitContext): Promise<readonly OutboxRow[]> {
    const refused = new Set<string>();
    let genuine: readonly OutboxRow[] = [];
    for (let passed = 0; genuine.length === 0;) {
      const rows = await unit.all<OutboxRow>(`${UNNUMBERED} OFFSET ${passed}`, []);
      passed += rows.length;
      genuine = rows.filter((row) => {
        const holds = this.seals.macs.holds(OUTBOX, row);
        // One that had a number gets no other: its readers would meet it twice.
        if (holds && row.number_mac === null) return true;
        refused.add(hexFromSql(row.id));
        const fault = holds ? 'number' : 'row';
        this.tell({ fault, id: uuidFromSql(row.id), sequence: null });
        return false;
      });
      if (rows.length < BATCH) break;
    }
    if (refused.size > 0) {
      for (const id of refused) this.#refused.add(id);
      this.#refusedAt = performance.now();
    }
    return genuine;
  }
}

const UNNUMBERED = `${OUTBOX.select} WHERE sequence IS NULL ORDER BY created_at, position, ordinal, id LIMIT ${BATCH}`;

/** One statement, of one of a few lengths: the server keeps each that it prepared. */
const write = async (
  unit: UnitContext,
  rows: readonly OutboxRow[],
  numbered: readonly ReturnType<typeof numberColumns>[],
): Promise<void> => {
  const length = SIZES.find((size) => size >= rows.length)!;
  const at = Array.from({ length }, (_, index) => Math.min(index, rows.length - 1));
  const ids = at.map((index) => rows[index]!.id);
  const byId = (name: 'sequence' | 'numbered_at' | 'number_mac'): readonly SqlValue[] =>
    at.flatMap((index) => [rows[index]!.id, numbered[index]![name]]);
  const cases = `CASE id ${'WHEN ? THEN ? '.repeat(length)}END`;
  await unit.run(
    `UPDATE outbox SET sequence = ${cases}, numbered_at = ${cases}, number_key = ?, number_mac = ${cases} WHERE id IN (${placeholders(length)})`,
    [
      ...byId('sequence'),
      ...byId('numbered_at'),
      numbered[0]!.number_key,
      ...byId('number_mac'),
      ...ids,
    ],
  );
};

const SIZES = [1, 4, 16, 64, BATCH];
