import { LONGEST_WAIT_MS } from '../../../domain/delivery/attempt.ts';
import type { DeadLetter, Delivery } from '../../../domain/delivery/delivery.ts';
import type { DeliveryScheme } from '../../../domain/delivery/delivery-signature.ts';
import { viewerOf, type Subscription } from '../../../domain/delivery/subscription.ts';
import type {
  DeliveryQueue,
  Listener,
  Reader as WebhookReader,
  SubscriptionFilter,
  SubscriptionState,
  Waiting,
  WebhookReads,
} from '../../../domain/delivery/webhook-store.port.ts';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import type { Slice, SliceRequest } from '../../../domain/kernel/page.ts';
import type { Dialect } from '../base/dialect.ts';
import { MAX_DELIVERY_LEASE_MS } from '../base/max-lease.ts';
import { findAll, findOne } from '../tables/find.ts';
import type { RowOf } from '../tables/column-map.ts';
import { BODIES, DEAD_LETTERS, DELIVERIES, READERS, SUBSCRIPTIONS } from './webhook-row.ts';
import type { RowSeals } from '../tables/row-seals.ts';
import { firstOf, placeholders, type SqlValue } from '../base/session.ts';
import type { Reader } from '../tables/reader.ts';
import type { DeliveryRow } from './delivery-store.ts';
import { PUSH_CONFIGS, READER_BY_ID, SUBSCRIPTION_BY_ID } from './webhook-store.ts';
import type { UnitRunner } from '../tables/unit-context.ts';
import {
  bytesFromSql,
  hexFromSql,
  hexToSql,
  timeFromSql,
  timeToSql,
  uuidFromSql,
  uuidToSql,
} from '../base/values.ts';
import { equalities, newestFirst, type Lister } from '../listing/keyset.ts';

export class SqlWebhookReads implements WebhookReads {
  constructor(
    private readonly reader: Reader,
    private readonly lister: Lister,
    private readonly dialect: Dialect,
  ) {}

  async find(id: Uuid): Promise<SubscriptionState | null> {
    const subscription = await findOne(this.reader, SUBSCRIPTIONS, SUBSCRIPTION_BY_ID, [
      uuidToSql(id),
    ]);
    const reader = await findOne(this.reader, READERS, READER_BY_ID, [uuidToSql(id)]);
    return subscription && reader && { subscription, reader };
  }

  async list(
    { orgId, ownerId, platformAgentId, isActive }: SubscriptionFilter,
    slice: SliceRequest,
  ): Promise<Slice<SubscriptionState>> {
    const found: Slice<Subscription> = await this.lister.slice(
      newestFirst(SUBSCRIPTIONS, (query) =>
        equalities({
          org_id: orgId === undefined ? undefined : uuidToSql(orgId),
          owner_id: ownerId === undefined ? undefined : uuidToSql(ownerId),
          platform_agent_id: platformAgentId === undefined ? undefined : uuidToSql(platformAgentId),
          is_inactive: isActive === undefined ? undefined : isActive ? 0 : 1,
        })(query.whereNull('record_id')),
      ),
      slice,
    );
    const readers = await this.#readers(found.rows.map(({ id }) => id));
    return {
      ...found,
      rows: found.rows.flatMap((subscription) => {
        const reader = readers.get(subscription.id);
        return reader ? [{ subscription, reader }] : [];
      }),
    };
  }

  async #readers(ids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, WebhookReader>> {
    if (ids.length === 0) return new Map();
    const sql = `${READERS.select} WHERE subscription_id IN (${placeholders(ids.length)})`;
    const readers = await findAll(this.reader, READERS, sql, ids.map(uuidToSql));
    return new Map(readers.map((reader) => [reader.subscriptionId, reader]));
  }

  deliveries(id: Uuid, limit: number): Promise<readonly Delivery[]> {
    const sql = `${DELIVERIES.select} WHERE subscription_id = ? ORDER BY created_at DESC, id DESC LIMIT ?`;
    return findAll(this.reader, DELIVERIES, sql, [uuidToSql(id), limit]);
  }

  delivery(id: Uuid): Promise<Delivery | null> {
    return findOne(this.reader, DELIVERIES, `${DELIVERIES.select} WHERE id = ?`, [uuidToSql(id)]);
  }

  async bodies(hashes: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    if (hashes.length === 0) return new Map();
    const rows = await this.reader.all<RowOf<typeof BODIES>>(
      `${BODIES.select} WHERE id IN (${placeholders(hashes.length)})`,
      hashes.map(hexToSql),
    );
    return new Map(rows.map(({ id, body }) => [hexFromSql(id), bytesFromSql(body)]));
  }

  deadLetters(
    { subscriptionId, orgId }: { readonly subscriptionId?: Uuid; readonly orgId?: Uuid },
    slice: SliceRequest,
  ): Promise<Slice<DeadLetter>> {
    const condition = equalities({
      subscription_id: subscriptionId === undefined ? undefined : uuidToSql(subscriptionId),
      org_id: orgId === undefined ? undefined : uuidToSql(orgId),
    });
    return this.lister.slice(newestFirst(DEAD_LETTERS, condition), slice);
  }

  async countDeadLetters(subscriptionId: Uuid): Promise<number> {
    const sql = 'SELECT COUNT(*) AS n FROM webhook_dlq WHERE subscription_id = ?';
    const rows = await this.reader.all<{ readonly n: number }>(sql, [uuidToSql(subscriptionId)]);
    return Number(firstOf(rows)?.n ?? 0);
  }

  async countWaiting(scheme: DeliveryScheme): Promise<number> {
    let waiting = 0;
    for (const which of ["d.status = 'PENDING'", 'd.next_retry_at IS NOT NULL']) {
      const sql = `SELECT COUNT(*) AS n FROM webhook_subscriptions s JOIN webhook_deliveries d ON d.subscription_id = s.id WHERE s.scheme = ? AND s.record_id IS NULL AND s.is_inactive = 0 AND ${which}`;
      const rows = await this.reader.all<{ readonly n: number }>(sql, [scheme]);
      waiting += Number(firstOf(rows)?.n ?? 0);
    }
    return waiting;
  }

  withSecrets(after: Uuid, limit: number): Promise<readonly Subscription[]> {
    const sql = `${SUBSCRIPTIONS.select} WHERE id > ? AND secret IS NOT NULL ORDER BY id LIMIT ?`;
    return findAll(this.reader, SUBSCRIPTIONS, sql, [uuidToSql(after), limit]);
  }

  async listeners(): Promise<readonly Listener[]> {
    const rows = await this.reader.all<{
      readonly id: Uint8Array;
      readonly org_id: Uint8Array;
      readonly owner_type: Subscription['ownerType'];
      readonly owner_id: Uint8Array;
    }>(
      'SELECT id, org_id, owner_type, owner_id FROM webhook_subscriptions WHERE is_inactive = 0 AND is_paused = 0 AND record_id IS NULL',
      [],
    );
    return rows.map((row) => ({
      id: uuidFromSql(row.id),
      orgId: uuidFromSql(row.org_id),
      viewer: viewerOf({ ownerType: row.owner_type, ownerId: uuidFromSql(row.owner_id) }),
    }));
  }

  pushConfigs(ownerId: Uuid, recordId: Uuid): Promise<readonly Subscription[]> {
    return findAll(this.reader, SUBSCRIPTIONS, PUSH_CONFIGS, [
      uuidToSql(recordId),
      uuidToSql(ownerId),
    ]);
  }

  pushConfigsBefore(at: string, after: Uuid, limit: number): Promise<readonly Subscription[]> {
    const sql = `${SUBSCRIPTIONS.select} WHERE record_id IS NOT NULL AND deleted_at IS NULL AND created_at < ? AND id > ? ORDER BY id LIMIT ?`;
    return findAll(this.reader, SUBSCRIPTIONS, sql, [timeToSql(at), uuidToSql(after), limit]);
  }

  async hasPushConfigs(): Promise<boolean> {
    const sql =
      'SELECT 1 AS one FROM webhook_subscriptions WHERE is_inactive = 0 AND record_id IS NOT NULL LIMIT 1';
    return (await this.reader.all(sql, [])).length > 0;
  }

  async pushListeners(recordIds: readonly Uuid[]): Promise<readonly Waiting[]> {
    if (recordIds.length === 0) return [];
    return this.#waiting(
      `SELECT id, org_id FROM webhook_subscriptions WHERE record_id IN (${placeholders(recordIds.length)}) AND is_inactive = 0`,
      recordIds.map(uuidToSql),
    );
  }

  pushBehind(): Promise<readonly Waiting[]> {
    return this.#waiting(
      'SELECT s.id, s.org_id FROM webhook_subscriptions s JOIN webhook_readers r ON r.subscription_id = s.id WHERE s.record_id IS NOT NULL AND s.is_inactive = 0 AND EXISTS (SELECT 1 FROM outbox o WHERE o.record_id = s.record_id AND o.sequence > r.position)',
      [],
    );
  }

  due(now: string, limit: number): Promise<readonly Waiting[]> {
    const at = timeToSql(now);
    // The first of each org before the second of any, so that one with thousands of them hides no other.
    return this.#waiting(
      `SELECT s.id, s.org_id FROM webhook_readers r JOIN webhook_subscriptions s ON s.id = r.subscription_id WHERE (r.due_at <= ? OR r.due_at > ?) AND (r.lease_until <= ? OR r.lease_until > ${this.dialect.now} + ${MAX_DELIVERY_LEASE_MS}) ORDER BY ROW_NUMBER() OVER (PARTITION BY s.org_id ORDER BY r.due_at), r.due_at LIMIT ?`,
      [at, at + LONGEST_WAIT_MS, at, limit],
    );
  }

  async #waiting(sql: string, values: readonly SqlValue[]): Promise<readonly Waiting[]> {
    const rows = await this.reader.all<{ readonly id: Uint8Array; readonly org_id: Uint8Array }>(
      sql,
      values,
    );
    return rows.map(({ id, org_id: orgId }) => ({
      id: uuidFromSql(id),
      orgId: uuidFromSql(orgId),
    }));
  }
}

export class SqlDeliveryQueue implements DeliveryQueue {
  constructor(
    private readonly reader: Reader,
    private readonly seals: RowSeals,
    private readonly unitOfWork: UnitRunner,
  ) {}

  async next(id: Uuid, now: string, limit: number): Promise<readonly Delivery[]> {
    const at = timeToSql(now);
    const retries = await this.#genuine(
      `WHERE subscription_id = ? AND (next_retry_at <= ? OR next_retry_at > ?) ORDER BY next_retry_at, number LIMIT ?`,
      [uuidToSql(id), at, at + LONGEST_WAIT_MS, limit],
    );
    if (retries.length >= limit) return retries;
    const fresh = await this.#genuine(
      `WHERE subscription_id = ? AND status = 'PENDING' AND signature IS NULL ORDER BY number LIMIT ?`,
      [uuidToSql(id), limit - retries.length],
    );
    return [...retries, ...fresh];
  }

  unanswered(id: Uuid): Promise<readonly Delivery[]> {
    return this.#genuine(
      `WHERE subscription_id = ? AND status = 'PENDING' AND signature IS NOT NULL ORDER BY number LIMIT ?`,
      [uuidToSql(id), MANY],
    );
  }

  async waiting(id: Uuid, upTo: number): Promise<number> {
    const rows = await this.reader.all<{ readonly n: number }>(
      `SELECT COUNT(*) AS n FROM (SELECT 1 AS one FROM webhook_deliveries WHERE subscription_id = ? AND status = 'PENDING' AND signature IS NULL LIMIT ?) counted`,
      [uuidToSql(id), upTo],
    );
    return Number(firstOf(rows)?.n ?? 0);
  }

  async nextRetryAt(id: Uuid): Promise<string | null> {
    const rows = await this.reader.all<{ readonly at: number | null }>(
      'SELECT MIN(next_retry_at) AS at FROM webhook_deliveries WHERE subscription_id = ? AND next_retry_at IS NOT NULL',
      [uuidToSql(id)],
    );
    const at = firstOf(rows)?.at ?? null;
    return at === null ? null : timeFromSql(Number(at));
  }

  /** A row that somebody edited is never sent, and is put aside, so that it comes once. */
  async #genuine(where: string, values: readonly SqlValue[]): Promise<readonly Delivery[]> {
    for (;;) {
      const rows = await this.reader.all<DeliveryRow>(`${DELIVERIES.select} ${where}`, values);
      const edited = rows.filter((row) => !this.seals.isSealed([DELIVERIES, row]));
      if (edited.length === 0) return rows.map((row) => DELIVERIES.fromRow(row));
      await this.unitOfWork.run((unit) =>
        unit.run(
          `UPDATE webhook_deliveries SET status = 'DEAD_LETTER', reason = 'row_changed', next_retry_at = NULL WHERE id IN (${placeholders(edited.length)})`,
          edited.map((row) => row.id),
        ),
      );
    }
  }
}

const MANY = 10_000;
