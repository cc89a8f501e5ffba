import type {
  FederationStore,
  IncomingMessage,
  KeptAnswer,
  Mirror,
  OutgoingMessage,
} from '../../../domain/federation/federation-store.port.ts';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import { fromFlat, INCOMING, MIRRORS, OUTGOING, toFlat } from '../rows/federation-row.ts';
import { findAll, findOne } from '../rows/find.ts';
import { firstOf, type RawReader } from '../session.ts';
import type { UnitContext } from '../unit.ts';
import { uuidFromSql, uuidToSql } from '../values.ts';
import { changesOf, reseal } from './reseal.ts';

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

  async silence(recordId: Uuid): Promise<void> {
    await this.unit.run('UPDATE federation_outgoing SET in_lane = NULL WHERE record_id = ?', [
      uuidToSql(recordId),
    ]);
  }
}

const SIGNED = OUTGOING.only('body', 'statementHash', 'former');
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
  return row && uuidFromSql(row.record_id);
};
