import { setTimeout as sleep } from 'node:timers/promises';
import { ANSWER_LIFETIME_MS } from '../idempotency/idempotency-row.ts';
import { DELIVERY_MS } from '../../../domain/delivery/delivery.ts';
import { placeholders } from '../base/session.ts';
import type { Reader } from '../tables/reader.ts';
import type { UnitRunner } from '../tables/unit-context.ts';

/** Rows that end by themselves: their key, and the time from which on nobody needs them. */
interface Expiring {
  readonly table: string;
  readonly key: string;
  readonly time: string;
  /** SQL of what is left out though its time is over. */
  readonly but?: string;
}

export interface SweepLimits {
  readonly budgetMs?: number;
  /** Ends a run after its current batch. */
  readonly stopping?: AbortSignal;
}

const ANSWERS: Expiring = { table: 'idempotency', key: 'scope', time: 'created_at' };
/** What still waits is kept however old it is. */
const DELIVERIES: Expiring = {
  table: 'webhook_deliveries',
  key: 'id',
  time: 'created_at',
  but: "status = 'PENDING' OR next_retry_at IS NOT NULL",
};
const BODIES: Expiring = { table: 'webhook_bodies', key: 'id', time: 'created_at' };
const DEAD_LETTERS: Expiring = { table: 'webhook_dlq', key: 'id', time: 'expires_at' };
const SUMS: Expiring = { table: 'event_sums', key: 'id', time: 'created_at' };
/** Of counts that wait to be told, ms. */
const SUMMED_MS = 60_000;
const TOKENS: Expiring = { table: 'spent_tokens', key: 'token', time: 'expires_at' };
const NONCES: Expiring = { table: 'peer_nonces', key: 'id', time: 'expires_at' };

/** Deletes expired rows. Jobs call it; no answer depends on it. */
export class Housekeeping {
  constructor(
    private readonly unitOfWork: UnitRunner,
    private readonly reader: Reader,
    private readonly now: () => Date,
  ) {}

  hasExpiredAnswers(): Promise<boolean> {
    return this.hasExpired(ANSWERS, this.answersEnd);
  }

  /**
   * Deletes the kept answers older than 24 hours, oldest first: all of them, or as many as the time
   * allows. Returns how many.
   */
  deleteExpiredAnswers(limits: SweepLimits = {}): Promise<number> {
    return this.sweep(ANSWERS, this.answersEnd, limits);
  }

  hasSpentTokens(): Promise<boolean> {
    return this.hasExpired(TOKENS, this.now().getTime());
  }

  /** The same for exchanged tokens that have expired and can no longer be replayed. */
  deleteSpentTokens(limits: SweepLimits = {}): Promise<number> {
    return this.sweep(TOKENS, this.now().getTime(), limits);
  }

  hasSpentNonces(): Promise<boolean> {
    return this.hasExpired(NONCES, this.now().getTime());
  }

  /** The same for nonces of peers whose requests nobody would take any more. */
  deleteSpentNonces(limits: SweepLimits = {}): Promise<number> {
    return this.sweep(NONCES, this.now().getTime(), limits);
  }

  /** Whether counts wait for a minute. */
  hasSums(): Promise<boolean> {
    return this.hasExpired(SUMS, this.now().getTime() - SUMMED_MS);
  }

  /** Whether there are deliveries, bodies or dead letters whose time is over. */
  async hasOldDeliveries(): Promise<boolean> {
    for (const [rows, end] of this.oldDeliveries) if (await this.hasExpired(rows, end)) return true;
    return false;
  }

  async deleteOldDeliveries(limits: SweepLimits = {}): Promise<number> {
    let deleted = 0;
    for (const [rows, end] of this.oldDeliveries) deleted += await this.sweep(rows, end, limits);
    return deleted;
  }

  private get oldDeliveries(): readonly (readonly [Expiring, number])[] {
    const now = this.now().getTime();
    return [
      [DELIVERIES, now - DELIVERY_MS],
      // A day longer than any delivery that shows them.
      [BODIES, now - DELIVERY_MS - 86_400_000],
      [DEAD_LETTERS, now],
    ];
  }

  /** Deletes the answer of one scope where it is no younger than `expired` (ms). */
  async forgetAnswer(scope: Uint8Array, expired: number): Promise<void> {
    await this.unitOfWork.run((unit) =>
      unit.run('DELETE FROM idempotency WHERE scope = ? AND created_at <= ?', [scope, expired]),
    );
  }

  private get answersEnd(): number {
    return this.now().getTime() - ANSWER_LIFETIME_MS;
  }

  private async hasExpired({ table, time, but }: Expiring, end: number): Promise<boolean> {
    const sql = `SELECT 1 FROM ${table} WHERE ${time} <= ?${without(but)} LIMIT 1`;
    return (await this.reader.all(sql, [end])).length > 0;
  }

  /**
   * In batches that take a moment each, with a pause as long after each, so that nobody waits for
   * long. Rows may be large, so the time of a batch decides how many rows the next one has.
   */
  private async sweep(
    rows: Expiring,
    end: number,
    { budgetMs = BUDGET_MS, stopping }: SweepLimits,
  ): Promise<number> {
    const stopAt = performance.now() + budgetMs;
    let deleted = 0;
    let size = FIRST_BATCH;
    while (performance.now() < stopAt && !stopping?.aborted) {
      const keys = await this.oldest(rows, end, size);
      if (keys.length === 0) break;
      const began = performance.now();
      deleted += await this.delete(rows, end, keys);
      const took = performance.now() - began;
      if (keys.length < size) break;
      size = Math.round(Math.min(MAX_BATCH, Math.max(MIN_BATCH, (size * BATCH_MS) / took)));
      await sleep(Math.min(took, MAX_PAUSE_MS));
    }
    return deleted;
  }

  private async oldest(
    { table, key, time, but }: Expiring,
    end: number,
    size: number,
  ): Promise<readonly Uint8Array[]> {
    const rows = await this.reader.all<{ readonly found: Uint8Array }>(
      `SELECT ${key} AS found FROM ${table} WHERE ${time} <= ?${without(but)} ORDER BY ${time} LIMIT ?`,
      [end, size],
    );
    return rows.map(({ found }) => found);
  }

  /** A row that was replaced by a younger one meanwhile stays. */
  private delete(
    { table, key, time }: Expiring,
    end: number,
    keys: readonly Uint8Array[],
  ): Promise<number> {
    const sql = `DELETE FROM ${table} WHERE ${key} IN (${placeholders(keys.length)}) AND ${time} <= ?`;
    return this.unitOfWork.run((unit) => unit.run(sql, [...keys, end]));
  }
}

const without = (but: string | undefined): string => (but === undefined ? '' : ` AND NOT (${but})`);

/** Shorter than the lease of the job. */
const BUDGET_MS = 45_000;
const BATCH_MS = 20;
const FIRST_BATCH = 100;
const MIN_BATCH = 10;
const MAX_BATCH = 500;
const MAX_PAUSE_MS = 100;
