import type {
  Equivocation,
  FederationStore,
  IncomingMessage,
  KeptAnswer,
  Mirror,
  OutgoingMessage,
} from '../../../domain/federation/federation-store.port.ts';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import type { FederationRole } from '../../../domain/record/federated-record.ts';
import { rowDrift } from '../../../domain/kernel/row-drift.ts';
import { fromFlat, INCOMING, MIRRORS, OUTGOING, toFlat } from './federation-row.ts';
import { findAll, findOne } from '../tables/find.ts';
import { firstOf, type RawReader } from '../base/session.ts';
import type { UnitContext } from '../tables/unit-context.ts';
import { uuidFromSql, uuidToSql } from '../base/values.ts';
import { changesOf, reseal } from '../tables/reseal.ts';

export class SqlFederationStore implements FederationStore {
  constructor(private readonly unit: UnitContext) {}

  async queue(message: OutgoingMessage): Promise<void> {
    this.unit.insert(OUTGOING, OUTGOING.toRow(toFlat(message)));
  }

  async outgoing(recordId: Uuid, sequence: number): Promise<OutgoingMessage | null> {
    const sql = `${OUTGOING.select} WHERE record_id = ? AND sequence = ?`;
    const found = await findOne(this.unit, OUTGOING, sql, [uuidToSql(recordId), sequence]);
    return found && fromFlat(found);
  }

  async outgoingDown(
    recordId: Uuid,
    from: number,
    limit: number,
  ): Promise<readonly OutgoingMessage[]> {
    const sql = `${OUTGOING.select} WHERE record_id = ? AND sequence <= ? ORDER BY sequence DESC LIMIT ?`;
    const values = [uuidToSql(recordId), from, limit];
    return (await findAll(this.unit, OUTGOING, sql, values)).map(fromFlat);
  }

  async signedAnew(message: OutgoingMessage): Promise<void> {
    const row = ['message_id = ?', uuidToSql(message.messageId)] as const;
    await reseal(this.unit, OUTGOING, row, changesOf(SIGNED, toFlat(message)));
  }

  async answered(messageId: Uuid, answer: KeptAnswer): Promise<void> {
    const row = ['message_id = ?', uuidToSql(messageId)] as const;
    await reseal(this.unit, OUTGOING, row, { ...changesOf(ANSWER, answer), in_lane: null });
  }

  async keep(message: IncomingMessage): Promise<void> {
    this.unit.insert(INCOMING, INCOMING.toRow(message));
  }

  async equivocated(recordId: Uuid, sequence: number, second: Equivocation): Promise<void> {
    const row = ['record_id = ? AND sequence = ?', uuidToSql(recordId), sequence] as const;
    const changes = changesOf(EQUIVOCATION, { equivocation: second });
    if ((await reseal(this.unit, INCOMING, row, changes)) === 0)
      throw rowDrift('federation_incoming', recordId);
  }

  incoming(recordId: Uuid, sequence: number): Promise<IncomingMessage | null> {
    const sql = `${INCOMING.select} WHERE record_id = ? AND sequence = ?`;
    return findOne(this.unit, INCOMING, sql, [uuidToSql(recordId), sequence]);
  }

  incomingDown(recordId: Uuid, from: number, limit: number): Promise<readonly IncomingMessage[]> {
    const sql = `${INCOMING.select} WHERE record_id = ? AND sequence <= ? ORDER BY sequence DESC LIMIT ?`;
    return findAll(this.unit, INCOMING, sql, [uuidToSql(recordId), from, limit]);
  }

  async follow(mirror: Mirror): Promise<void> {
    this.unit.insert(MIRRORS, MIRRORS.toRow(mirror));
  }

  mirrorOf(peerHubId: Uuid, homeRecordId: Uuid): Promise<Uuid | null> {
    return mirrorOf(this.unit, peerHubId, homeRecordId);
  }

  homeOf(peerHubId: Uuid, mirrorId: Uuid): Promise<Uuid | null> {
    return sharerOf(this.unit, 'home', peerHubId, mirrorId);
  }

  async silence(recordId: Uuid): Promise<void> {
    await this.unit.run('UPDATE federation_outgoing SET in_lane = NULL WHERE record_id = ?', [
      uuidToSql(recordId),
    ]);
  }

  rejoin(recordId: Uuid): Promise<number> {
    return this.unit.run(
      "UPDATE federation_outgoing SET in_lane = 'waits' WHERE outcome IS NULL AND record_id = ? AND (in_lane IS NULL OR in_lane <> 'waits')",
      [uuidToSql(recordId)],
    );
  }
}

const SIGNED = OUTGOING.only('body', 'statementHash', 'former');
const EQUIVOCATION = INCOMING.only('equivocation');
const ANSWER = OUTGOING.only('outcome', 'attestation', 'answeredAt');

/** The record itself tells whom it follows; this only finds it. */
export const mirrorOf = async (
  reader: Pick<RawReader, 'all'>,
  peerHubId: Uuid,
  homeRecordId: Uuid,
): Promise<Uuid | null> => {
  const sql =
    'SELECT record_id FROM federation_mirrors WHERE peer_hub_id = ? AND home_record_id = ?';
  const row = firstOf(
    await reader.all<{ readonly record_id: Uint8Array }>(sql, [
      uuidToSql(peerHubId),
      uuidToSql(homeRecordId),
    ]),
  );
  if (row) return uuidFromSql(row.record_id);
  const orphan = await sharerOf(reader, 'mirror', peerHubId, homeRecordId);
  if (orphan) throw rowDrift('federation_mirrors', orphan);
  return null;
};

/** The record that says itself which one of the peer it belongs to: an index is over how its text begins. */
const sharerOf = async (
  reader: Pick<RawReader, 'all'>,
  role: FederationRole,
  peerHubId: Uuid,
  recordId: Uuid,
): Promise<Uuid | null> => {
  const begin = `{"role":"${role}","peerHubId":"${peerHubId}","recordId":"${recordId}"`;
  const row = firstOf(
    await reader.all<{ readonly id: Uint8Array }>(
      'SELECT id FROM records WHERE federation >= ? AND federation < ? LIMIT 1',
      [begin, `${begin}~`],
    ),
  );
  return row && uuidFromSql(row.id);
};
