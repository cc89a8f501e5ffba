import { parseStatement, UnreadableError } from '../../../vault/parsed-statement.ts';
import { Findings } from '../../report/report.ts';
import type { DumpSource } from './dump-source.port.ts';
import { dumpRows, type DumpRow } from './read-dump-rows.ts';

/** The members that these files have in common, and the type of an entry. */
interface Members {
  readonly chain_key: string;
  readonly chain_position?: number;
  readonly position?: number;
  readonly entry_type?: string;
  readonly hash?: string;
}

export interface RowAgain {
  readonly chainKey: string;
  readonly position: number;
  /** Null of a checkpoint. */
  readonly entryType: string | null;
  /** The one shown; empty of a checkpoint. */
  readonly hash: string;
  /** Of the predicate; undefined where the bytes hold none. */
  sealed(member: string): unknown;
}

/**
 * Reads a file of a dump again, for a few of its chains; of the others no row is looked into. What is wrong with a row was
 * reported when the file was verified.
 *
 * @param isWanted of the chain of a row.
 */
export async function* rowsOfChains(
  source: DumpSource,
  file: 'audit_vault' | 'vault_checkpoints',
  isWanted: (chainKey: string) => boolean,
): AsyncIterable<RowAgain> {
  const rows = dumpRows<Members>(source, file, new Findings(), ({ bytes }) => {
    const chainKey = bytes && chainKeyAtTheFront(bytes);
    return chainKey === null || isWanted(chainKey);
  });
  for await (const row of rows) if (row) yield rowAgain(row);
}

/** What a line says before anything else; null where that is not seen at once. */
const chainKeyAtTheFront = (bytes: Uint8Array): string | null =>
  /^\{(?:"log_index":\d+,)?"chain_key":"([^"\\]*)"/.exec(
    ascii.decode(bytes.subarray(0, 96)),
  )?.[1] ?? null;
const ascii = new TextDecoder('latin1');

const rowAgain = ({ members, bytes }: DumpRow<Members>): RowAgain => ({
  chainKey: members.chain_key,
  position: members.chain_position ?? members.position ?? 0,
  entryType: members.entry_type ?? null,
  hash: members.hash ?? '',
  sealed: (member) => {
    try {
      return parseStatement(bytes).statement?.predicate[member];
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      return undefined;
    }
  },
});
