import type { HubKey } from '../../../domain/federation/hub-key.ts';
import type { HubKeyStore } from '../../../domain/federation/hub-key-store.port.ts';
import type { Peer, PendingPeer } from '../../../domain/federation/peer.ts';
import type {
  PeerKeyStatements,
  PeerKeyStatementStore,
  PeerStore,
} from '../../../domain/federation/peer-store.port.ts';
import { sha256 } from '../../../domain/kernel/digest.ts';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import { unlessDrifted } from '../../../domain/kernel/row-drift.ts';
import { exists, findAll, findOne } from '../tables/find.ts';
import {
  HUB_KEYS,
  FORMER_PEER_KEYS,
  PEER_KEY_STATEMENTS,
  PEER_NONCES,
  PEERS,
  PENDING_PEERS,
} from './peer-row.ts';
import type { RawRow } from '../tables/sealed-table.ts';
import { placeholders, type SqlValue } from '../base/session.ts';
import type { UnitContext } from '../tables/unit-context.ts';
import { timeToSql, uuidFromSql, uuidToSql } from '../base/values.ts';
import { changesOf, reseal } from '../tables/reseal.ts';

export class SqlHubKeyStore implements HubKeyStore {
  constructor(private readonly unit: UnitContext) {}

  async insert(key: HubKey): Promise<void> {
    this.unit.insert(HUB_KEYS, HUB_KEYS.toRow(key));
  }

  lockAll(): Promise<readonly HubKey[]> {
    return findAll(this.unit, HUB_KEYS, ALL_HUB_KEYS + this.unit.dialect.forUpdate, []);
  }

  /** @throws Error where there is no such row. */
  async update(key: HubKey): Promise<void> {
    const row = ['id = ?', uuidToSql(key.id)] as const;
    const changed = await reseal(this.unit, HUB_KEYS, row, changesOf(CHANGED_KEY, key));
    if (changed !== 1) throw new Error(`there is no hub key ${key.id}`);
  }
}

export class SqlPeerStore implements PeerStore {
  constructor(private readonly unit: UnitContext) {}

  async insert(peer: Peer): Promise<void> {
    this.unit.insert(PEERS, PEERS.toRow(peer));
  }

  lock(hubId: Uuid): Promise<Peer | null> {
    const sql = PEER_BY_HUB + this.unit.dialect.forUpdate;
    return findOne(this.unit, PEERS, sql, [uuidToSql(hubId)]);
  }

  hold(hubId: Uuid): Promise<Peer | null> {
    const sql = PEER_BY_HUB + this.unit.dialect.forShare;
    return findOne(this.unit, PEERS, sql, [uuidToSql(hubId)]);
  }

  all(): Promise<readonly Peer[]> {
    return findAll(this.unit, PEERS, ALL_PEERS, []);
  }

  /** @throws Error where there is no such row. */
  async update(peer: Peer): Promise<void> {
    const row = ['id = ?', uuidToSql(peer.id)] as const;
    const changed = await reseal(this.unit, PEERS, row, changesOf(CHANGED, peer));
    if (changed !== 1) throw new Error(`there is no peer ${peer.hubId}`);
  }

  async note(
    hubId: Uuid,
    noted: Partial<Pick<Peer, 'name' | 'handshakeDueAt' | 'handshakeAttempts'>>,
  ): Promise<void> {
    const changes: [column: string, value: SqlValue][] = [];
    if (noted.name !== undefined) changes.push(['name', noted.name]);
    if (noted.handshakeDueAt !== undefined)
      changes.push([
        'handshake_due_at',
        noted.handshakeDueAt === null ? null : timeToSql(noted.handshakeDueAt),
      ]);
    if (noted.handshakeAttempts !== undefined)
      changes.push(['handshake_attempts', noted.handshakeAttempts]);
    if (changes.length === 0) return;
    const assignments = changes.map(([column]) => `${column} = ?`).join(', ');
    await this.unit.run(`UPDATE federation_peers SET ${assignments} WHERE hub_id = ?`, [
      ...changes.map(([, value]) => value),
      uuidToSql(hubId),
    ]);
  }

  /** One row is locked that every handshake of a stranger waits for, so that none counts what another adds. */
  async lockPending(now: string): Promise<readonly PendingPeer[]> {
    await this.unit.run('DELETE FROM pending_peers WHERE expires_at <= ?', [timeToSql(now)]);
    const rows = await this.unit.all<PendingRow>(
      `${PENDING_PEERS.select} ORDER BY created_at DESC, id DESC${this.unit.dialect.forUpdate}`,
      [],
    );
    const isGood = (row: PendingRow): boolean => this.unit.seals.isSealed([PENDING_PEERS, row]);
    const edited = rows.filter((row) => !isGood(row)).map(({ id }) => id);
    // A row that somebody else wrote goes: whoever it was of sends its handshake again.
    if (edited.length > 0)
      await this.unit.run(
        `DELETE FROM pending_peers WHERE id IN (${placeholders(edited.length)})`,
        edited,
      );
    return rows.filter(({ id }) => !edited.includes(id)).map((row) => PENDING_PEERS.fromRow(row));
  }

  async insertPending(pending: PendingPeer): Promise<void> {
    this.unit.insert(PENDING_PEERS, PENDING_PEERS.toRow(pending));
  }

  async deletePending(ids: readonly Uuid[]): Promise<void> {
    if (ids.length === 0) return;
    await this.unit.run(
      `DELETE FROM pending_peers WHERE id IN (${placeholders(ids.length)})`,
      ids.map(uuidToSql),
    );
  }

  async spendNonce(id: Uint8Array, until: string): Promise<void> {
    this.unit.insert(PEER_NONCES, PEER_NONCES.toRow({ id, expiresAt: until }));
  }
}

export class SqlPeerKeyStatementStore implements PeerKeyStatementStore {
  constructor(private readonly unit: UnitContext) {}

  async put(statements: PeerKeyStatements): Promise<void> {
    const id = uuidToSql(statements.hubId);
    const found = await exists(
      this.unit,
      `SELECT 1 FROM peer_key_statements WHERE hub_id = ?${this.unit.dialect.forUpdate}`,
      [id],
    );
    if (found) {
      await this.keepFormer(statements);
      // A row that somebody else wrote is replaced as a whole: what is put was verified from the root.
      await this.unit.run('DELETE FROM peer_key_statements WHERE hub_id = ?', [id]);
    }
    this.unit.insert(PEER_KEY_STATEMENTS, PEER_KEY_STATEMENTS.toRow(statements));
  }

  private async keepFormer({ hubId, vaultRoot }: PeerKeyStatements): Promise<void> {
    const before = await this.heldNow(hubId);
    if (!before || before.vaultRoot === vaultRoot) return;
    const id = formerId(before);
    await this.unit.run('DELETE FROM former_peer_keys WHERE id = ?', [uuidToSql(id)]);
    this.unit.insert(FORMER_PEER_KEYS, FORMER_PEER_KEYS.toRow({ id, ...before }));
  }

  /** Null of a row that somebody else wrote. */
  private heldNow(hubId: Uuid): Promise<PeerKeyStatements | null> {
    const sql = `${PEER_KEY_STATEMENTS.select} WHERE hub_id = ?`;
    return unlessDrifted(findOne(this.unit, PEER_KEY_STATEMENTS, sql, [uuidToSql(hubId)]));
  }
}

/** One row for each root of a hub. */
const formerId = ({ hubId, vaultRoot }: PeerKeyStatements): Uuid =>
  uuidFromSql(sha256(new TextEncoder().encode(`${hubId}/${vaultRoot}`)).subarray(0, 16));

export const ALL_HUB_KEYS = `${HUB_KEYS.select} ORDER BY created_at, id`;
export const ALL_PEERS = `${PEERS.select} ORDER BY created_at DESC, id DESC`;
export const PEER_BY_HUB = `${PEERS.select} WHERE hub_id = ?`;

type PendingRow = RawRow & Parameters<typeof PENDING_PEERS.fromRow>[0];

const CHANGED_KEY = HUB_KEYS.only('sealedPrivateKey', 'retiredAt', 'version');
const CHANGED = PEERS.only(
  'baseUrl',
  'publicKey',
  'publicKeyThumbprint',
  'vaultRoot',
  'status',
  'ownKeyThumbprint',
  'greetedAt',
  'updatedAt',
  'generation',
  'version',
  'handshakeDueAt',
  'handshakeAttempts',
);
