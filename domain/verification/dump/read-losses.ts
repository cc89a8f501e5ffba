import { PLATFORM_CHAIN } from '../../vault/chain-key.ts';
import { parseStatement, UnreadableError } from '../../vault/parsed-statement.ts';
import { lossIn, type AcknowledgedLoss } from '../acknowledged-losses.ts';
import { Findings } from '../report.ts';
import type { DumpSource } from './dump-source.port.ts';
import { dumpRows, type DumpRow } from './read-dump-rows.ts';

interface EntryMembers {
  readonly chain_key: string;
  readonly chain_position: number;
  readonly entry_type: string;
}

/**
 * Reads what the platform chain, the first one in the file, says of entries that were lost. It is needed before that chain
 * is walked, which may have lost some itself. The walk judges these rows as all others: a file in which one of them does
 * not verify is not valid.
 */
export const readLosses = async (source: DumpSource): Promise<readonly AcknowledgedLoss[]> => {
  const losses: AcknowledgedLoss[] = [];
  // The walk reports what is wrong with a row.
  for await (const row of dumpRows<EntryMembers>(source, 'audit_vault', new Findings())) {
    if (!row) continue;
    if (row.members.chain_key !== PLATFORM_CHAIN) break;
    const loss = row.members.entry_type === 'REWIND_ACKNOWLEDGED' ? lossOf(row) : null;
    if (loss) losses.push(loss);
  }
  return losses;
};

const lossOf = ({ bytes, members }: DumpRow<EntryMembers>): AcknowledgedLoss | null => {
  try {
    const { statement } = parseStatement(bytes);
    return statement && lossIn(statement.predicate, members.chain_position);
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    return null;
  }
};
