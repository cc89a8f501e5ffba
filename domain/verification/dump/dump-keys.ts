import { sha256Hex } from '../../kernel/digest.ts';
import { PLATFORM_CHAIN } from '../../vault/chain-key.ts';
import { VerifyingKeys } from '../../vault/signatures.ts';
import { compareKeyRows } from '../platform/compare-key-rows.ts';
import type { ChainRow } from '../entry/chain-entry.ts';
import type { KeyRow, KeyStatementRow } from '../keys/key-material.ts';
import type { Findings } from '../report/report.ts';
import type { Trust } from '../keys/trust.ts';
import { verifyKeyStatements, type KeyOutcome } from '../platform/verify-keys.ts';
import type { DumpSource } from './rows/dump-source.port.ts';
import { dumpRows, faultIn } from './rows/read-dump-rows.ts';

interface StatementRow extends KeyStatementRow {
  readonly createdAt: string;
}

export interface DumpKeys {
  readonly outcome: KeyOutcome;
  readonly statements: readonly StatementRow[];
}

/** More keys than any hub has. Key rows are the only ones that are all held in memory. */
const MAX_ROWS = 10_000;

/** Follows the succession of keys in a dump, and compares the rows of the keys with it. */
export const verifyDumpKeys = async (
  source: DumpSource,
  trust: Trust,
  findings: Findings,
): Promise<DumpKeys> => {
  const statements = await readStatements(source, findings);
  const outcome = await verifyKeyStatements(statements, {
    trust,
    embedded: !trust.given,
    keys: new VerifyingKeys(),
    findings,
  });
  const rows = await readKeys(source, findings);
  compareKeyRows(rows, outcome.ring, findings);
  const known = [...outcome.ring.keys()];
  const shown = rows.map(({ keyId }) => keyId).filter((keyId) => outcome.ring.has(keyId));
  if (shown.some((keyId, index) => keyId !== known[index]))
    fail(findings, null, 'the keys do not stand in the order of their succession');
  return { outcome, statements };
};

interface StatementMembers {
  readonly key_id: string;
  readonly statement: 'activated' | 'retired';
  readonly chain_position: number;
  readonly created_at: string;
}

const readStatements = async (source: DumpSource, findings: Findings): Promise<StatementRow[]> => {
  const rows: StatementRow[] = [];
  for await (const row of dumpRows<StatementMembers>(source, 'vault_key_statements', findings)) {
    if (rows.length >= MAX_ROWS) {
      faultIn('vault_key_statements', findings, ` has more than ${MAX_ROWS} rows`);
      break;
    }
    if (!row) continue;
    const { key_id, statement, chain_position, created_at } = row.members;
    rows.push({
      keyId: key_id,
      statement,
      position: chain_position,
      createdAt: created_at,
      coseSign1: row.bytes,
    });
  }
  return rows;
};

interface KeyMembers {
  readonly key_id: string;
  readonly algorithm: string;
  readonly cose_algorithm: number;
  readonly status: string;
  readonly activated_at: string;
  readonly retired_at: string | null;
}

const readKeys = async (source: DumpSource, findings: Findings): Promise<KeyRow[]> => {
  const rows: KeyRow[] = [];
  for await (const row of dumpRows<KeyMembers>(source, 'vault_signing_keys', findings)) {
    if (rows.length >= MAX_ROWS) {
      faultIn('vault_signing_keys', findings, ` has more than ${MAX_ROWS} rows`);
      break;
    }
    if (!row) continue;
    const { key_id, algorithm, cose_algorithm, status, activated_at, retired_at } = row.members;
    rows.push({
      keyId: key_id,
      algorithm,
      coseAlgorithm: cose_algorithm,
      publicKey: row.bytes,
      status,
      activatedAt: activated_at,
      retiredAt: retired_at,
    });
  }
  return rows;
};

/** Holds the key statements against the entries of the platform chain that they are copies of. */
export class StatementCopies {
  private readonly copies: ReadonlyMap<number, StatementRow>;
  private readonly seen = new Set<number>();

  constructor(
    statements: readonly StatementRow[],
    private readonly findings: Findings,
  ) {
    this.copies = new Map(statements.map((row) => [row.position, row]));
  }

  /** Of the platform chain. */
  entry(row: ChainRow): void {
    if (row.entryType !== 'KEY_ACTIVATED' && row.entryType !== 'KEY_RETIRED') return;
    const copy = this.copies.get(row.position);
    this.seen.add(row.position);
    if (!copy)
      fail(this.findings, row.position, `the ${row.entryType} is not among the key statements`);
    else if (sha256Hex(copy.coseSign1) !== row.hash)
      fail(this.findings, row.position, 'the key statement is not the entry, byte for byte');
    else if (copy.createdAt !== row.createdAt)
      this.findings.fail(
        'payloadBinding',
        'keys',
        'CHAIN_PAYLOAD_BINDING_MISMATCH',
        { chainKey: PLATFORM_CHAIN, position: row.position },
        `the key statement is dated ${copy.createdAt}, its entry ${row.createdAt}`,
      );
  }

  end(): void {
    for (const position of this.copies.keys())
      if (!this.seen.has(position))
        fail(this.findings, position, 'a key statement stands nowhere on the platform chain');
  }
}

const fail = (findings: Findings, position: number | null, detail: string): void =>
  findings.fail(
    'keySuccession',
    'keys',
    'CHAIN_KEY_POLICY_VIOLATION',
    { chainKey: PLATFORM_CHAIN, position },
    detail,
  );
