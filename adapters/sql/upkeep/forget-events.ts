import type { EventType } from '../../../domain/event/event-types.ts';
import type { SweepLimits } from './housekeeping.ts';
import type { RowSeals } from '../tables/row-seals.ts';
import {
  EVENT_COUNTER,
  FORGOTTEN,
  GREATEST,
  NAMES_NOBODY,
  NEWEST_NUMBER,
  numberHolds,
  OUTBOX,
  type OutboxRow,
} from '../events/outbox-row.ts';
import type { RowOf } from '../tables/column-map.ts';
import { firstOf, placeholders, type RawReader } from '../base/session.ts';
import { reseal } from '../tables/reseal.ts';
import type { UnitRunner } from '../tables/unit-context.ts';
import { uuidToSql } from '../base/values.ts';

/** Events that say from where somebody came, and are kept for so long, ms. */
export const FORGOTTEN_TYPES: readonly EventType[] = ['auth.refused', 'key.used'];
const KEPT_MS = 90 * 86_400_000;
/** Rows of one look. */
const WINDOW = 500;
const BUDGET_MS = 20_000;

/**
 * Takes the data out of old events of these types. The row stays, with its id, its number and when that was given, so the
 * numbers have no hole; it is sealed anew, so nobody else can make an event look like a forgotten one.
 */
export class ForgetEvents {
  constructor(
    private readonly unitOfWork: UnitRunner,
    private readonly reader: RawReader,
    private readonly seals: RowSeals,
    private readonly now: () => Date,
  ) {}

  async isNeeded(): Promise<boolean> {
    return (await this.#old(await this.#mark(), 1)).length > 0;
  }

  /** @returns how many were forgotten. */
  async run({ budgetMs = BUDGET_MS, stopping }: SweepLimits = {}): Promise<number> {
    const stopAt = performance.now() + budgetMs;
    let forgotten = 0;
    while (performance.now() < stopAt && !stopping?.aborted) {
      const old = await this.#old(await this.#mark(), WINDOW);
      const last = old.at(-1);
      if (!last) break;
      const due = old.filter(({ type }) => FORGOTTEN_TYPES.includes(type));
      forgotten += await this.#forget(due, Number(last.sequence));
    }
    return forgotten;
  }

  /** Events after a number whose time is over. Time runs with the numbers, so the first young one ends the look. */
  async #old(mark: number, limit: number): Promise<readonly Place[]> {
    const rows = await this.reader.all<Place>(PLACES, [mark, limit]);
    const end = this.now().getTime() - KEPT_MS;
    const young = rows.findIndex(
      // A time that somebody else wrote ends nothing.
      (row) => Number(row.numbered_at) > end && numberHolds(this.seals.macs, row),
    );
    return young === -1 ? rows : rows.slice(0, young);
  }

  #forget(due: readonly Place[], through: number): Promise<number> {
    return this.unitOfWork.run(async (unit) => {
      const ids = due.map(({ id }) => id);
      const rows =
        ids.length === 0
          ? []
          : await unit.all<OutboxRow>(
              `${OUTBOX.select} WHERE id IN (${placeholders(ids.length)})${unit.dialect.forUpdate}`,
              ids,
            );
      // Whoever reads them tells of those that somebody edited; they stay as they are.
      const own = rows.filter(
        (row) => unit.seals.macs.holds(OUTBOX, row) && numberHolds(unit.seals.macs, row),
      );
      if (own.length > 0)
        await reseal(
          unit,
          OUTBOX,
          [`id IN (${placeholders(own.length)})`, ...own.map(({ id }) => id)],
          { ...NAMES_NOBODY, type: FORGOTTEN, data: '{}' },
        );
      await unit.run('DELETE FROM event_counter WHERE id = ?', [MARK_ID]);
      unit.insert(
        EVENT_COUNTER,
        EVENT_COUNTER.toRow({ id: MARK, last: through, numberedAt: this.now().getTime() }),
      );
      return own.length;
    });
  }

  /** The number up to which it is done; 0 where nobody knows. */
  async #mark(): Promise<number> {
    const row = firstOf(
      await this.reader.all<RowOf<typeof EVENT_COUNTER>>(`${EVENT_COUNTER.select} WHERE id = ?`, [
        MARK_ID,
      ]),
    );
    if (!row || !this.seals.isSealed([EVENT_COUNTER, row])) return 0;
    const newest = firstOf(
      await this.reader.all<{ readonly newest: number | null }>(NEWEST_NUMBER, []),
    );
    // The events of a restored database are looked at anew.
    return Number(row.last) > Number(newest?.newest ?? 0) ? 0 : Number(row.last);
  }
}

type Place = Pick<
  OutboxRow,
  'id' | 'sequence' | 'type' | 'numbered_at' | 'number_key' | 'number_mac'
>;

const PLACES = `SELECT id, sequence, type, numbered_at, number_key, number_mac FROM outbox WHERE sequence > ? AND sequence <= ${GREATEST} ORDER BY sequence LIMIT ?`;
/** Beside the counter, which is 0. */
const MARK = '00000000-0000-0000-0000-000000000001';
const MARK_ID = uuidToSql(MARK);
