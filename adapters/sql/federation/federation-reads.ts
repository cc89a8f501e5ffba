import type {
  Lane,
  LaneHead,
  OutgoingMessages,
} from '../../../application/sharing/outgoing.port.ts';
import type {
  FederationReads,
  IncomingMessage,
  Mirror,
  OutgoingMessage,
  OutOfLane,
} from '../../../domain/federation/federation-store.port.ts';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import type { FederationState } from '../../../domain/record/federated-record.ts';
import { fromFlat, INCOMING, MIRRORS, OUTGOING } from './federation-row.ts';
import { findAll, findOne } from '../tables/find.ts';
import { firstOf, type SqlValue } from '../base/session.ts';
import type { Reader } from '../tables/reader.ts';
import { mirrorOf } from './federation-store.ts';
import { uuidFromSql, uuidToSql } from '../base/values.ts';

/** Before every id. */
const FIRST = '00000000-0000-0000-0000-000000000000';

/** A peer may call a record of its own by the id of any record here: the peer is part of the lane's name. */
const idsOf = ({ recordId, peerHubId }: Lane): readonly SqlValue[] => [
  uuidToSql(recordId),
  uuidToSql(peerHubId),
];

export class SqlFederationReads implements FederationReads, OutgoingMessages {
  constructor(private readonly reader: Reader) {}

  mirrorOf(peerHubId: Uuid, homeRecordId: Uuid): Promise<Uuid | null> {
    return mirrorOf(this.reader, peerHubId, homeRecordId);
  }

  mirror(recordId: Uuid): Promise<Mirror | null> {
    const sql = `${MIRRORS.select} WHERE record_id = ?`;
    return findOne(this.reader, MIRRORS, sql, [uuidToSql(recordId)]);
  }

  outgoingOf(recordId: Uuid): Promise<readonly OutgoingMessage[]> {
    return this.#outgoing('record_id = ? ORDER BY sequence', [uuidToSql(recordId)]);
  }

  incomingOf(recordId: Uuid): Promise<readonly IncomingMessage[]> {
    const sql = `${INCOMING.select} WHERE record_id = ? ORDER BY sequence`;
    return findAll(this.reader, INCOMING, sql, [uuidToSql(recordId)]);
  }

  incomingAt(recordId: Uuid, sequence: number): Promise<IncomingMessage | null> {
    const sql = `${INCOMING.select} WHERE record_id = ? AND sequence = ?`;
    return findOne(this.reader, INCOMING, sql, [uuidToSql(recordId), sequence]);
  }

  /** What a row says is read, not searched for: white space hides nothing. */
  async attachedTo(
    peerHubId: Uuid,
    but: number | null,
    after: Uuid | null,
    limit: number,
  ): Promise<readonly Uuid[]> {
    const attached: Uuid[] = [];
    for (let from = after ?? FIRST; ;) {
      const rows = await this.sharedWith(peerHubId, from, limit);
      for (const { id, federation } of rows) {
        const said = JSON.parse(federation) as FederationState;
        const isMeant = but === null || (said.generation !== undefined && said.generation !== but);
        if (said.detached === null && isMeant) attached.push(uuidFromSql(id));
        if (attached.length === limit) return attached;
      }
      if (rows.length < limit) return attached;
      from = uuidFromSql(rows.at(-1)!.id);
    }
  }

  private sharedWith(peerHubId: Uuid, after: Uuid, limit: number) {
    const [peer, from] = [uuidToSql(peerHubId), uuidToSql(after)];
    const shared =
      'SELECT record_id FROM federation_mirrors WHERE peer_hub_id = ? AND record_id > ? UNION SELECT record_id FROM federation_outgoing WHERE peer_hub_id = ? AND record_id > ?';
    return this.reader.all<{ readonly id: Uint8Array; readonly federation: string }>(
      `SELECT r.id, r.federation FROM (${shared}) s JOIN records r ON r.id = s.record_id WHERE r.federation IS NOT NULL ORDER BY r.id LIMIT ?`,
      [peer, from, peer, from, limit],
    );
  }

  async outOfLane(after: Uuid | null, limit: number): Promise<OutOfLane> {
    const rows = await this.reader.all<{
      readonly record_id: Uint8Array;
      readonly n: number;
      readonly waiting: number;
    }>(
      "SELECT record_id, COUNT(*) AS n, COUNT(CASE WHEN in_lane = 'waits' THEN 1 END) AS waiting FROM federation_outgoing WHERE outcome IS NULL AND record_id > ? GROUP BY record_id ORDER BY record_id LIMIT ?",
      [uuidToSql(after ?? FIRST), limit],
    );
    const last = rows.length === limit ? rows.at(-1) : undefined;
    return {
      recordIds: rows
        .filter(({ n, waiting }) => Number(n) > Number(waiting))
        .map((row) => uuidFromSql(row.record_id)),
      next: last ? uuidFromSql(last.record_id) : null,
    };
  }

  async lanes(after: Uuid | null, limit: number): Promise<readonly Lane[]> {
    const rows = await this.reader.all<{
      readonly record_id: Uint8Array;
      readonly peer_hub_id: Uint8Array;
    }>(
      "SELECT record_id, MIN(peer_hub_id) AS peer_hub_id FROM federation_outgoing WHERE in_lane = 'waits' AND record_id > ? GROUP BY record_id ORDER BY record_id LIMIT ?",
      [uuidToSql(after ?? FIRST), limit],
    );
    return rows.map((row) => ({
      recordId: uuidFromSql(row.record_id),
      peerHubId: uuidFromSql(row.peer_hub_id),
    }));
  }

  async head(lane: Lane): Promise<LaneHead | null> {
    return firstOf(await this.after(lane, 0, 1));
  }

  after(lane: Lane, sequence: number, limit: number): Promise<readonly LaneHead[]> {
    return this.#outgoing(
      "in_lane = 'waits' AND record_id = ? AND peer_hub_id = ? AND sequence > ? ORDER BY sequence LIMIT ?",
      [...idsOf(lane), sequence, limit],
    );
  }

  async at(lane: Lane, sequence: number): Promise<LaneHead | null> {
    const sql = 'record_id = ? AND peer_hub_id = ? AND sequence = ?';
    return firstOf(await this.#outgoing(sql, [...idsOf(lane), sequence]));
  }

  async #outgoing(where: string, values: readonly SqlValue[]): Promise<readonly OutgoingMessage[]> {
    const sql = `${OUTGOING.select} WHERE ${where}`;
    return (await findAll(this.reader, OUTGOING, sql, values)).map(fromFlat);
  }
}
