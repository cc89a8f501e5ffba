import type { RateLimitExemption } from '../../../domain/identity/rate-limit-exemption.ts';
import type { RateLimitExemptionReads } from '../../../domain/identity/rate-limit-exemption-store.port.ts';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import { unlessDrifted } from '../../../domain/kernel/row-drift.ts';
import type { RowOf } from '../tables/column-map.ts';
import { findOne } from '../tables/find.ts';
import { RATE_LIMIT_EXEMPTIONS } from './rate-limit-exemption-row.ts';
import { tableRow } from '../tables/row-seals.ts';
import type { SqlValue } from '../base/session.ts';
import type { Reader } from '../tables/reader.ts';
import { EXEMPTION_OF_OWNER, OF_OWNER } from './rate-limit-exemption-store.ts';
import { uuidToSql } from '../base/values.ts';

type ExemptionRow = RowOf<typeof RATE_LIMIT_EXEMPTIONS>;

/** A row that is not believed is not verified again for so long, ms: all are read twice a second, and each alarm is a line. */
const TOLD_MS = 60_000;

export class SqlRateLimitExemptionReads implements RateLimitExemptionReads {
  /** Rows that are not believed, with the time until which they are passed over. */
  readonly #refused = new Map<string, number>();

  constructor(private readonly reader: Reader) {}

  find(ownerId: Uuid): Promise<RateLimitExemption | null> {
    return findOne(this.reader, RATE_LIMIT_EXEMPTIONS, EXEMPTION_OF_OWNER, [uuidToSql(ownerId)]);
  }

  async owners(): Promise<ReadonlySet<Uuid>> {
    const rows = (await unlessDrifted(this.#verified())) ?? (await this.#oneByOne());
    return new Set(rows.map((row) => RATE_LIMIT_EXEMPTIONS.fromRow(row).ownerId));
  }

  /** One edited row takes nothing from the others. */
  async #oneByOne(): Promise<readonly ExemptionRow[]> {
    const believed: ExemptionRow[] = [];
    for (const row of await this.#stored()) {
      const found = await unlessDrifted(this.#verified(OF_OWNER, [row.owner_id]));
      if (found) believed.push(...found);
      else this.#refused.set(textOf(row), performance.now() + TOLD_MS);
    }
    return believed;
  }

  #verified(where = '', values: readonly SqlValue[] = []): Promise<readonly ExemptionRow[]> {
    return this.reader.verifying(
      () => this.#stored(where, values),
      (rows) => rows.map((row) => tableRow(RATE_LIMIT_EXEMPTIONS, row)),
    );
  }

  /** But for those that are passed over. */
  async #stored(where = '', values: readonly SqlValue[] = []): Promise<readonly ExemptionRow[]> {
    const sql = RATE_LIMIT_EXEMPTIONS.select + where;
    const rows = await this.reader.all<ExemptionRow>(sql, values);
    if (this.#refused.size === 0) return rows;
    const now = performance.now();
    for (const [text, until] of this.#refused) if (until < now) this.#refused.delete(text);
    return rows.filter((row) => !this.#refused.has(textOf(row)));
  }
}

/** Rows with the same text are the same bytes. */
const textOf = (row: ExemptionRow): string =>
  Object.values<SqlValue>(row)
    .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value))
    .join();
