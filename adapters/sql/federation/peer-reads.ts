import { longestHandshakeWait } from '../../../domain/federation/handshake-wait.ts';
import type { HubKey } from '../../../domain/federation/hub-key.ts';
import type { HubKeyReads } from '../../../domain/federation/hub-key-store.port.ts';
import type { Peer, PendingPeer } from '../../../domain/federation/peer.ts';
import type {
  PeerKeyStatementReads,
  PeerKeyStatements,
  PeerReads,
} from '../../../domain/federation/peer-store.port.ts';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import { unlessDrifted } from '../../../domain/kernel/row-drift.ts';
import { exists, findAll, findOne } from '../tables/find.ts';
import {
  FORMER_PEER_KEYS,
  HUB_KEYS,
  PEER_KEY_STATEMENTS,
  PEERS,
  PENDING_PEERS,
} from './peer-row.ts';
import type { Reader } from '../tables/reader.ts';
import { ALL_HUB_KEYS, ALL_PEERS, PEER_BY_HUB } from './peer-stores.ts';
import { timeToSql, uuidFromSql, uuidToSql } from '../base/values.ts';

export class SqlHubKeyReads implements HubKeyReads {
  constructor(private readonly reader: Reader) {}

  all(): Promise<readonly HubKey[]> {
    return findAll(this.reader, HUB_KEYS, ALL_HUB_KEYS, []);
  }
}

export class SqlPeerReads implements PeerReads {
  constructor(private readonly reader: Reader) {}

  find(hubId: Uuid): Promise<Peer | null> {
    return findOne(this.reader, PEERS, PEER_BY_HUB, [uuidToSql(hubId)]);
  }

  all(): Promise<readonly Peer[]> {
    return findAll(this.reader, PEERS, ALL_PEERS, []);
  }

  async hubIds(): Promise<readonly Uuid[]> {
    const rows = await this.reader.all<{ readonly hub_id: Uint8Array }>(
      'SELECT hub_id FROM federation_peers ORDER BY hub_id',
      [],
    );
    return rows.map((row) => uuidFromSql(row.hub_id));
  }

  async pending(now: string): Promise<readonly PendingPeer[]> {
    const order = 'WHERE expires_at > ? ORDER BY created_at DESC, id DESC';
    const whole = await unlessDrifted(
      findAll(this.reader, PENDING_PEERS, `${PENDING_PEERS.select} ${order}`, [timeToSql(now)]),
    );
    if (whole) return whole;
    const rows = await this.reader.all<{ readonly id: Uint8Array }>(
      `SELECT id FROM pending_peers ${order}`,
      [timeToSql(now)],
    );
    const found: PendingPeer[] = [];
    for (const { id } of rows) {
      const one = findOne(this.reader, PENDING_PEERS, `${PENDING_PEERS.select} WHERE id = ?`, [id]);
      const pending = await unlessDrifted(one);
      if (pending) found.push(pending);
    }
    return found;
  }

  hasHandshakeDue(now: string): Promise<boolean> {
    const sql =
      'SELECT 1 FROM federation_peers WHERE handshake_due_at <= ? OR handshake_due_at > ? OR (handshake_attempts > 0 AND handshake_due_at > ?) LIMIT 1';
    const at = timeToSql(now);
    return exists(this.reader, sql, [
      at,
      at + longestHandshakeWait(0),
      at + longestHandshakeWait(1),
    ]);
  }
}

export class SqlPeerKeyStatementReads implements PeerKeyStatementReads {
  constructor(private readonly reader: Reader) {}

  find(hubId: Uuid): Promise<PeerKeyStatements | null> {
    const sql = `${PEER_KEY_STATEMENTS.select} WHERE hub_id = ?`;
    return findOne(this.reader, PEER_KEY_STATEMENTS, sql, [uuidToSql(hubId)]);
  }

  async former(hubId: Uuid): Promise<readonly PeerKeyStatements[]> {
    const sql = `${FORMER_PEER_KEYS.select} WHERE hub_id = ? ORDER BY id`;
    const rows = await findAll(this.reader, FORMER_PEER_KEYS, sql, [uuidToSql(hubId)]);
    return rows.map(({ id: _, ...statements }) => statements);
  }
}
