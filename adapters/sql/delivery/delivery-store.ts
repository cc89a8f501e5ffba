import { setImmediate } from 'node:timers/promises';
import type {
  DeadLetter,
  Delivery,
  Ended,
  Queued,
  Signed,
} from '../../../domain/delivery/delivery.ts';
import type { DeliveryStore, Reader } from '../../../domain/delivery/webhook-store.port.ts';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import { findAll, findOne } from '../tables/find.ts';
import type { RowOf } from '../tables/column-map.ts';
import { DEAD_LETTERS, DELIVERIES, READERS } from './webhook-row.ts';
import { placeholders, type SqlValue } from '../base/session.ts';
import type { UnitContext } from '../tables/unit-context.ts';
import { hexToSql, orNull, timeToSql, uuidToSql } from '../base/values.ts';
import { READER_BY_ID } from './webhook-store.ts';
import { updateEach } from '../tables/update-each.ts';

export class SqlDeliveryStore implements DeliveryStore {
  constructor(private readonly unit: UnitContext) {}

  /** A lease that ends after twice its term was written by another hand, and is taken over. */
  claim(id: Uuid, token: Uuid, forMs: number): Promise<Reader | null> {
    const { now } = this.unit.dialect;
    return this.#leased(
      `UPDATE webhook_readers SET lease_token = ?, lease_until = ${now} + ?, due_at = 1 WHERE subscription_id = ? AND (lease_token IS NULL OR lease_token = ? OR lease_until <= ${now} OR lease_until > ${now} + ?)`,
      [uuidToSql(token), forMs, uuidToSql(id), uuidToSql(token), 2 * forMs],
      id,
    );
  }

  hold(id: Uuid, token: Uuid, forMs: number): Promise<Reader | null> {
    const { now } = this.unit.dialect;
    return this.#leased(
      `UPDATE webhook_readers SET lease_until = ${now} + ? WHERE subscription_id = ? AND lease_token = ?`,
      [forMs, uuidToSql(id), uuidToSql(token)],
      id,
    );
  }

  async #leased(sql: string, values: readonly SqlValue[], id: Uuid): Promise<Reader | null> {
    if ((await this.unit.run(sql, values)) !== 1) return null;
    return findOne(this.unit, READERS, READER_BY_ID, [uuidToSql(id)]);
  }

  async save(reader: Reader): Promise<void> {
    await this.unit.run(
      `UPDATE webhook_readers SET ${WRITTEN.assignments} WHERE subscription_id = ?`,
      [...WRITTEN.toRow(reader), uuidToSql(reader.subscriptionId)],
    );
  }

  async release(id: Uuid, token: Uuid): Promise<void> {
    await this.unit.run(
      'UPDATE webhook_readers SET lease_token = NULL, lease_until = 0 WHERE subscription_id = ? AND lease_token = ?',
      [uuidToSql(id), uuidToSql(token)],
    );
  }

  async enqueue(deliveries: readonly Queued[]): Promise<void> {
    for (const queued of deliveries)
      this.unit.insert(DELIVERIES, DELIVERIES.toRow({ ...queued, ...UNSENT }));
  }

  async insert(delivery: Delivery, body: Uint8Array): Promise<void> {
    this.unit.insert(DELIVERIES, DELIVERIES.toRow(delivery));
    if (delivery.bodyHash !== null)
      await this.#keep([{ bodyHash: delivery.bodyHash, body }], delivery.createdAt);
  }

  async sign(signed: readonly Signed[], at: string): Promise<void> {
    await this.#keep(signed, at);
    await updateEach(
      this.unit,
      'webhook_deliveries',
      ['signature', 'body_hash'],
      signed.map(({ id, signature, bodyHash }) => ({
        id: uuidToSql(id),
        values: [signature, hexToSql(bodyHash)],
      })),
    );
  }

  /** Once for an event, a subscription and its url and format: all of these are in the body. */
  async #keep(bodies: readonly Pick<Signed, 'body' | 'bodyHash'>[], at: string): Promise<void> {
    if (bodies.length === 0) return;
    const rows = bodies.map(() => '(?, ?, ?)').join(', ');
    await this.unit.run(
      `${this.unit.dialect.insertIgnore} INTO webhook_bodies (id, body, created_at) VALUES ${rows}`,
      bodies.flatMap(({ bodyHash, body }) => [hexToSql(bodyHash), body, timeToSql(at)]),
    );
  }

  async unsign(ids: readonly Uuid[]): Promise<void> {
    await this.#each('UPDATE webhook_deliveries SET signature = NULL, body_hash = NULL', ids);
  }

  async end(ended: readonly Ended[]): Promise<void> {
    await inTurns(ended, (some) => this.#end(some));
  }

  #end(ended: readonly Ended[]): Promise<void> {
    return updateEach(
      this.unit,
      'webhook_deliveries',
      ['status', 'reason', 'response_status', 'response_body', 'next_retry_at', 'delivered_at'],
      ended.map((one) => ({
        id: uuidToSql(one.id),
        values: [
          one.status,
          one.reason,
          one.responseStatus,
          one.responseBody,
          orNull(one.nextRetryAt, timeToSql),
          orNull(one.deliveredAt, timeToSql),
        ],
      })),
    );
  }

  async closeRetries(ids: readonly Uuid[]): Promise<void> {
    await this.#each('UPDATE webhook_deliveries SET next_retry_at = NULL', ids);
  }

  async #each(update: string, ids: readonly Uuid[]): Promise<void> {
    if (ids.length === 0) return;
    await this.unit.run(`${update} WHERE id IN (${placeholders(ids.length)})`, ids.map(uuidToSql));
  }

  async allWaiting(id: Uuid, limit: number): Promise<readonly Delivery[]> {
    const subscription = uuidToSql(id);
    const retries = await this.unit.all<DeliveryRow>(
      `${DELIVERIES.select} WHERE subscription_id = ? AND next_retry_at IS NOT NULL ORDER BY next_retry_at LIMIT ?`,
      [subscription, limit],
    );
    const pending = await this.unit.all<DeliveryRow>(
      `${DELIVERIES.select} WHERE subscription_id = ? AND status = 'PENDING' AND signature IS NULL ORDER BY number LIMIT ?`,
      [subscription, limit],
    );
    const genuine: Delivery[] = [];
    await inTurns([...retries, ...pending], (rows) => {
      for (const row of rows)
        if (this.unit.seals.isSealed([DELIVERIES, row])) genuine.push(DELIVERIES.fromRow(row));
    });
    return genuine;
  }

  async bury(letters: readonly DeadLetter[]): Promise<void> {
    await inTurns(letters, (some) => {
      for (const letter of some) this.unit.insert(DEAD_LETTERS, DEAD_LETTERS.toRow(letter));
    });
  }

  deadLetter(id: Uuid): Promise<DeadLetter | null> {
    const sql = `${DEAD_LETTERS.select} WHERE id = ?${this.unit.dialect.forUpdate}`;
    return findOne(this.unit, DEAD_LETTERS, sql, [uuidToSql(id)]);
  }

  deadLetters(subscriptionId: Uuid, limit: number): Promise<readonly DeadLetter[]> {
    const sql = `${DEAD_LETTERS.select} WHERE subscription_id = ? ORDER BY created_at, id LIMIT ?${this.unit.dialect.forUpdate}`;
    return findAll(this.unit, DEAD_LETTERS, sql, [uuidToSql(subscriptionId), limit]);
  }

  async forget(ids: readonly Uuid[]): Promise<void> {
    await this.#each('DELETE FROM webhook_dlq', ids);
  }
}

/** There may be thousands: others have their turn between. */
const inTurns = async <T>(
  all: readonly T[],
  work: (some: readonly T[]) => Promise<void> | void,
): Promise<void> => {
  for (let from = 0; from < all.length; from += TURN) {
    if (from > 0) await setImmediate();
    await work(all.slice(from, from + TURN));
  }
};

const TURN = 512;

export type DeliveryRow = RowOf<typeof DELIVERIES>;

const WRITTEN = READERS.only('position', 'eventSequence', 'circuit', 'dueAt');

const UNSENT = {
  status: 'PENDING',
  reason: null,
  responseStatus: null,
  responseBody: null,
  signature: null,
  bodyHash: null,
  nextRetryAt: null,
  deliveredAt: null,
} as const;
