import type { Dispute } from '../../../domain/record/dispute.ts';
import { columnsOf, type Reader } from '../session.ts';
import {
  DISPUTE_EVIDENCE,
  headOf,
  rowToEvidence,
  type DisputeRow,
  type EvidenceRow,
} from './dispute-row.ts';

/** A dispute with its evidence. */
export const wholeDispute = async (reader: Reader, row: DisputeRow): Promise<Dispute> => ({
  ...headOf(row),
  evidence: (await reader.all<EvidenceRow>(EVIDENCE_OF, [row.id])).map(rowToEvidence),
});

const EVIDENCE_OF = `SELECT ${columnsOf(DISPUTE_EVIDENCE)} FROM dispute_evidence WHERE dispute_id = ? ORDER BY ordinal`;
