import type {
  ConfigSource,
  StoredRow,
  StoredType,
} from '../../../application/config-import/config-source.port.ts';
import type { Agent } from '../../../domain/identity/agent.ts';
import type { Org } from '../../../domain/identity/org.ts';
import type { Manifest } from '../../../domain/record-type/manifest.ts';
import { openDatabase } from '../database/open-database.ts';
import type { Dialect } from '../base/dialect.ts';
import { SqlChainReads } from '../vault/chain-reads.ts';
import { SqlCheckpointReads, SqlVaultKeyReads } from '../vault/vault-reads.ts';
import { RowSeals } from '../tables/row-seals.ts';
import { AGENTS, ORGS } from '../identity/identity-row.ts';
import { RECORD_TYPES } from '../record-types/record-type-row.ts';
import { RowMacs, type RowKey } from '../tables/row-macs.ts';
import type { RawRow, SealedTable } from '../tables/sealed-table.ts';
import { MIGRATIONS, refusalOf } from '../schema/migrations.ts';
import { firstOf, type RawReader } from '../base/session.ts';
import type { Reader } from '../tables/reader.ts';
import { SqlTreeReads } from '../transparency/tree-store.ts';
import { hexFromSql, uuidFromSql, uuidToSql } from '../base/values.ts';

/** Why a database cannot be read as one of this service. The message is for the operator. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
}

/**
 * One moment of another database of this service. On SQLite its only connection is for reading, on MySQL its only
 * transaction is.
 *
 * @param rowKeys those of its SECRETS_KEY, as far as they are at hand.
 * @throws SourceError where it is of another release, or no database of this service.
 */
export const withConfigSource = async <T>(
  url: string,
  rowKeys: readonly RowKey[],
  use: (source: ConfigSource) => Promise<T>,
): Promise<T> => {
  const database = openDatabase({ url, poolSize: 1 });
  try {
    return await database.snapshot(async (raw) => {
      await assertSameSchema(raw);
      const reader = new RowSeals(rowKeys, () => undefined).over(raw);
      return use(new SqlConfigSource(reader, database.dialect, new RowMacs(rowKeys)));
    });
  } finally {
    await database.close();
  }
};

const assertSameSchema = async (reader: RawReader): Promise<void> => {
  const rows = await reader
    .all<{ readonly name: string }>('SELECT name FROM schema_migrations', [])
    .catch((error: unknown) => {
      if (NO_TABLE.test(detailOf(error))) return [];
      throw error;
    });
  if (rows.length === 0) throw new SourceError('it is no database of a notary');
  const ran = rows.map(({ name }) => name);
  const refusal = refusalOf(ran);
  if (refusal?.kind === 'newer')
    throw new SourceError(
      `it is newer than this program: it has run ${refusal.names}. Use the release that made it, or a later one`,
    );
  if (refusal !== null)
    throw new SourceError(
      `it was made by a build before 0.1.0 (${refusal.trace}), and this program carries nothing over from it`,
    );
  const older = MIGRATIONS.map(({ name }) => name).filter((name) => !ran.includes(name));
  if (older.length > 0)
    throw new SourceError(
      `it is older than this program: ${older.length} migrations are still to be run, from ${older[0]} on, and nothing is written to a source. Run notary migrate on a copy of it, and carry over from that`,
    );
};

const NO_TABLE = /no such table|doesn't exist/i;

const detailOf = (error: unknown): string => {
  const parts: string[] = [];
  for (let at = error; at instanceof Error; at = at.cause) parts.push(at.message);
  return parts.join(' ');
};

class SqlConfigSource implements ConfigSource {
  readonly vaultKeys: SqlVaultKeyReads;
  readonly chains: SqlChainReads;
  readonly checkpoints: SqlCheckpointReads;
  readonly trees: SqlTreeReads;

  constructor(
    private readonly reader: Reader,
    dialect: Dialect,
    private readonly macs: RowMacs,
  ) {
    this.vaultKeys = new SqlVaultKeyReads(reader);
    this.chains = new SqlChainReads(reader, dialect);
    this.checkpoints = new SqlCheckpointReads(reader);
    this.trees = new SqlTreeReads(reader);
  }

  orgs(): AsyncIterable<readonly StoredRow<Org>[]> {
    return this.stored<Org>(ORGS, (row) => ORGS.fromRow(row as never));
  }

  agents(): AsyncIterable<readonly StoredRow<Agent>[]> {
    return this.stored<Agent>(AGENTS, (row) => AGENTS.fromRow(row as never));
  }

  async *recordTypes(): AsyncIterable<readonly StoredType[]> {
    const select = 'SELECT id, org_id, publisher, type, version, manifest_digest FROM record_types';
    for await (const page of this.pages(select))
      yield page.flatMap((row) => readable(() => storedType(row)) ?? []);
  }

  async manifest(id: string): Promise<Manifest | null> {
    const rows = await this.reader.all<{ readonly manifest: string }>(
      `SELECT manifest FROM ${RECORD_TYPES.name} WHERE id = ? AND LENGTH(manifest) <= ?`,
      [uuidToSql(id), MAX_MANIFEST_BYTES],
    );
    const text = firstOf(rows)?.manifest;
    const value = text === undefined ? null : readable(() => JSON.parse(text) as unknown);
    return typeof value === 'object' && !Array.isArray(value) ? (value as Manifest | null) : null;
  }

  private async *stored<Value>(
    table: SealedTable,
    valueOf: (row: RawRow) => Value,
  ): AsyncGenerator<readonly StoredRow<Value>[]> {
    for await (const page of this.pages(table.select))
      yield page.map((row) => ({
        id: idOf(row),
        value: readable(() => valueOf(row)),
        mac: this.isKnown(row) ? (this.macs.holds(table, row) ? 'holds' : 'broken') : 'unknown',
      }));
  }

  private isKnown({ row_key: key }: RawRow): boolean {
    return (
      key instanceof Uint8Array && this.macs.ids.some((id) => hexFromSql(id) === hexFromSql(key))
    );
  }

  /** By id, which is the primary key. */
  private async *pages(select: string): AsyncGenerator<readonly RawRow[]> {
    let after: Uint8Array = new Uint8Array(0);
    for (;;) {
      const sql = `${select} WHERE id > ? ORDER BY id LIMIT ?`;
      const page = await this.reader.all<RawRow>(sql, [after, PAGE]);
      if (page.length > 0) yield page;
      if (page.length < PAGE) return;
      after = page.at(-1)!['id'] as Uint8Array;
    }
  }
}

const PAGE = 500;

/** Larger than any body that a service may be set to take. */
const MAX_MANIFEST_BYTES = 128 * 1024 * 1024;

const storedType = (row: RawRow): StoredType => ({
  id: idOf(row),
  orgId: uuidFromSql(row['org_id'] as Uint8Array),
  publisher: String(row['publisher']),
  type: String(row['type']),
  version: Number(row['version']),
  manifestDigest: hexFromSql(row['manifest_digest'] as Uint8Array),
});

const idOf = ({ id }: RawRow): string => {
  const bytes = id instanceof Uint8Array ? id : new TextEncoder().encode(String(id));
  return bytes.length === 16 ? uuidFromSql(bytes) : hexFromSql(bytes);
};

/** Null where somebody wrote what the service does not. */
const readable = <T>(read: () => T): T | null => {
  try {
    return read();
  } catch {
    return null;
  }
};
