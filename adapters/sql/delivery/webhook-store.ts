import type { Circuit } from '../../../domain/delivery/circuit.ts';
import type { Subscription } from '../../../domain/delivery/subscription.ts';
import type { Reader, WebhookStore } from '../../../domain/delivery/webhook-store.port.ts';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import { findAll, findOne } from '../tables/find.ts';
import { READERS, SUBSCRIPTIONS } from './webhook-row.ts';
import { firstOf } from '../base/session.ts';
import type { UnitContext } from '../tables/unit-context.ts';
import { uuidToSql } from '../base/values.ts';
import { changesOf, reseal } from '../tables/reseal.ts';

export class SqlWebhookStore implements WebhookStore {
  constructor(private readonly unit: UnitContext) {}

  async insert(subscription: Subscription): Promise<void> {
    this.unit.insert(SUBSCRIPTIONS, SUBSCRIPTIONS.toRow(subscription));
    const sql = `INSERT INTO webhook_readers (subscription_id, lease_token, lease_until, position, event_sequence, circuit_state, consecutive_failures, is_held, due_at) VALUES (?, NULL, 0, ?, 0, 'closed', 0, 0, 0)`;
    await this.unit.run(sql, [uuidToSql(subscription.id), subscription.startsAfter]);
  }

  lock(id: Uuid): Promise<Subscription | null> {
    const sql = SUBSCRIPTION_BY_ID + this.unit.dialect.forUpdate;
    return findOne(this.unit, SUBSCRIPTIONS, sql, [uuidToSql(id)]);
  }

  /** @throws Error where there is no such row. */
  async update(subscription: Subscription): Promise<void> {
    const row = ['id = ?', uuidToSql(subscription.id)] as const;
    const changed = await reseal(this.unit, SUBSCRIPTIONS, row, changesOf(CHANGED, subscription));
    if (changed !== 1) throw new Error(`there is no subscription ${subscription.id}`);
  }

  async countOf(orgId: Uuid): Promise<number> {
    const id = uuidToSql(orgId);
    await this.#lockOrg(id);
    const sql =
      'SELECT COUNT(*) AS n FROM webhook_subscriptions WHERE org_id = ? AND deleted_at IS NULL AND record_id IS NULL';
    return Number(firstOf(await this.unit.all<{ readonly n: number }>(sql, [id]))?.n ?? 0);
  }

  async pushConfigs(
    { orgId, ownerId }: Pick<Subscription, 'orgId' | 'ownerId'>,
    recordId: Uuid,
  ): Promise<readonly Subscription[]> {
    await this.#lockOrg(uuidToSql(orgId));
    const sql = PUSH_CONFIGS + this.unit.dialect.forUpdate;
    return findAll(this.unit, SUBSCRIPTIONS, sql, [uuidToSql(recordId), uuidToSql(ownerId)]);
  }

  async #lockOrg(id: Uint8Array): Promise<void> {
    await this.unit.all(`SELECT id FROM orgs WHERE id = ?${this.unit.dialect.forUpdate}`, [id]);
  }

  async lockReader(id: Uuid): Promise<Reader | null> {
    const sql = READER_BY_ID + this.unit.dialect.forUpdate;
    return findOne(this.unit, READERS, sql, [uuidToSql(id)]);
  }

  async setCircuit(id: Uuid, circuit: Circuit): Promise<void> {
    const { assignments } = CIRCUIT;
    await this.unit.run(`UPDATE webhook_readers SET ${assignments} WHERE subscription_id = ?`, [
      ...CIRCUIT.toRow({ circuit }),
      uuidToSql(id),
    ]);
    await this.wake(id);
  }

  async version(id: Uuid): Promise<number | null> {
    const sql = 'SELECT row_version AS version FROM webhook_subscriptions WHERE id = ?';
    const rows = await this.unit.all<{ readonly version: number }>(sql, [uuidToSql(id)]);
    const row = firstOf(rows);
    return row && Number(row.version);
  }

  async wake(id: Uuid): Promise<void> {
    await this.unit.run('UPDATE webhook_readers SET due_at = 0 WHERE subscription_id = ?', [
      uuidToSql(id),
    ]);
  }
}

export const SUBSCRIPTION_BY_ID = `${SUBSCRIPTIONS.select} WHERE id = ?`;
export const PUSH_CONFIGS = `${SUBSCRIPTIONS.select} WHERE record_id = ? AND owner_id = ? AND deleted_at IS NULL ORDER BY created_at, id`;
export const READER_BY_ID = `${READERS.select} WHERE subscription_id = ?`;

const CIRCUIT = READERS.only('circuit');

const CHANGED = SUBSCRIPTIONS.only(
  'url',
  'eventTypes',
  'recordTypes',
  'format',
  'secret',
  'previousSecret',
  'previousSecretUntil',
  'push',
  'gaps',
  'isInactive',
  'isPaused',
  'deletedAt',
  'version',
);
