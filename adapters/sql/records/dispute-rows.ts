import type { Dispute } from '../../../domain/dispute/dispute.ts';
import type { Reader } from '../tables/reader.ts';
import { DISPUTE_EVIDENCE, DISPUTES, type DisputeRow } from './dispute-row.ts';
import { findAll } from '../tables/find.ts';

/** A dispute with its evidence. */
export const wholeDispute = async (reader: Reader, row: DisputeRow): Promise<Dispute> => ({
  ...DISPUTES.fromRow(row),
  evidence: await findAll(reader, DISPUTE_EVIDENCE, EVIDENCE_OF, [row.id]),
});

const EVIDENCE_OF = `${DISPUTE_EVIDENCE.select} WHERE dispute_id = ? ORDER BY ordinal`;
