import type {
  ScanSnapshot,
  SealedRow,
  StoredEntry,
  StoredRecord,
  StoredRow,
} from '../../../application/vault/scan/scan-snapshot.port.ts';
import type { Dispute } from '../../../domain/dispute/dispute.ts';
import type { Completion } from '../../../domain/record/completion.ts';
import type { RecordState } from '../../../domain/record/record-state.ts';
import type { RecordType } from '../../../domain/record-type/manifest.ts';
import type { ChainHead } from '../../../domain/vault/chain.ts';
import type { KeyStatement, VaultKey } from '../../../domain/vault/key-statement.ts';
import type { HubIdentity } from '../../../domain/vault/vault-store.port.ts';
import { isUnreadable, readable } from '../base/readable.ts';
import { SqlVaultKeyReads } from '../vault/vault-reads.ts';
import type { RowMacs } from '../tables/row-macs.ts';
import { CHAIN_ENTRIES, CHAIN_HEADS } from '../vault/chain-row.ts';
import { COMPLETIONS } from '../records/completion-row.ts';
import { withContents } from '../records/content-row.ts';
import { DISPUTE_EVIDENCE, DISPUTES, type DisputeRow } from '../records/dispute-row.ts';
import { EVENT_COUNTER, numberIsGenuine, OUTBOX, type OutboxRow } from '../events/outbox-row.ts';
import { RECORDS, type RecordRow } from '../records/record-row.ts';
import { rowsToRecords } from '../records/record-rows.ts';
import { RECORD_TYPES } from '../record-types/record-type-row.ts';
import { SEALED_TABLES } from './sealed-tables.ts';
import type { RawRow, SealedTable } from '../tables/sealed-table.ts';
import { SqlScanLogSnapshot } from './scan-log-snapshot.ts';
import { placeholders, type RawReader, type SqlValue } from '../base/session.ts';
import type { Reader } from '../tables/reader.ts';
import { hexFromSql, uuidFromSql } from '../base/values.ts';
import { NEXT_CHAINS, REST_OF_CHAIN } from './vault-snapshots.ts';

export class SqlScanSnapshot implements ScanSnapshot {
  readonly logs: SqlScanLogSnapshot;
  private readonly reader: Reader;

  constructor(
    reader: RawReader,
    private readonly macs: RowMacs,
  ) {
    // Rows under a MAC are asked for as they are, and judged one by one.
    this.reader = { all: (sql, values) => reader.all(sql, values), verifying: (load) => load() };
    this.logs = new SqlScanLogSnapshot(this.reader);
  }

  hub(): Promise<HubIdentity | null> {
    return new SqlVaultKeyReads(this.reader).hub();
  }

  keys(): Promise<readonly VaultKey[]> {
    return new SqlVaultKeyReads(this.reader).keys();
  }

  statements(): Promise<readonly KeyStatement[]> {
    return new SqlVaultKeyReads(this.reader).statements();
  }

  async *entries(): AsyncIterable<readonly StoredEntry[]> {
    let last = { chainKey: '', position: 0 };
    for (;;) {
      const rest = await this.reader.all<EntryRow>(REST_OF_CHAIN, [
        last.chainKey,
        last.position,
        PAGE,
      ]);
      const room = PAGE - rest.length;
      const next =
        room > 0 ? await this.reader.all<EntryRow>(NEXT_CHAINS, [last.chainKey, room]) : [];
      const page = [...rest, ...next].map((row) => ({
        chainKey: row.chain_key,
        position: Number(row.position),
        entry: readable(() => CHAIN_ENTRIES.fromRow(row)),
      }));
      if (page.length > 0) yield page;
      if (page.length < PAGE) return;
      last = page.at(-1)!;
    }
  }

  async *heads(): AsyncIterable<readonly StoredRow<ChainHead>[]> {
    for (let after = ''; ;) {
      const rows = await this.reader.all<Parameters<typeof CHAIN_HEADS.fromRow>[0]>(HEADS, [
        after,
        PAGE,
      ]);
      yield rows.map((row) => ({
        key: row.chain_key,
        value: readable(() => CHAIN_HEADS.fromRow(row)),
      }));
      if (rows.length < PAGE) return;
      after = rows.at(-1)!.chain_key;
    }
  }

  async *records(): AsyncIterable<readonly StoredRow<StoredRecord>[]> {
    for await (const rows of this.keyset<RecordRow>(RECORDS.select, 'id', RECORDS_PAGE)) {
      const ids = rows.map(({ id }) => id);
      const of = `IN (${placeholders(ids.length)})`;
      const records = await this.recordsOf(rows);
      const completions = await this.reader.all<CompletionRow>(
        `${COMPLETIONS.select} WHERE record_id ${of} ORDER BY record_id, revision`,
        ids,
      );
      const disputes = await this.disputesOf(of, ids);
      const children = await this.reader.all<ChildRow>(
        `SELECT id, parent_record_id FROM records WHERE parent_record_id ${of}`,
        ids,
      );
      const mirrors = await this.reader.all<MirrorRow>(
        `SELECT record_id, manifest FROM federation_mirrors WHERE record_id ${of}`,
        ids,
      );
      const firsts = await this.firstHashes(children.map(({ id }) => uuidFromSql(id)));
      yield rows.map((row) => {
        const key = uuidFromSql(row.id);
        const record = records.get(key) ?? null;
        const isOwn = (id: Uint8Array): boolean => uuidFromSql(id) === key;
        return {
          key,
          value: record && {
            record,
            completions: completions
              .filter(({ record_id: id }) => isOwn(id))
              .map((completion) => ({
                key: uuidFromSql(completion.id),
                value: readable((): Completion => COMPLETIONS.fromRow(completion)),
              })),
            disputes: disputes.filter(({ recordId }) => recordId === key),
            children: children
              .filter(({ parent_record_id: id }) => isOwn(id))
              .map(({ id }) => ({
                id: uuidFromSql(id),
                firstHash: firsts.get(uuidFromSql(id)) ?? null,
              })),
            keptManifest: mirrors.find(({ record_id: id }) => isOwn(id))?.manifest ?? null,
          },
        };
      });
    }
  }

  async *recordTypes(): AsyncIterable<readonly StoredRow<RecordType>[]> {
    for await (const rows of this.keyset<TypeRow>(RECORD_TYPES.select, 'id', RECORDS_PAGE))
      yield rows.map((row) => ({
        key: uuidFromSql(row.id),
        value: readable(() => RECORD_TYPES.fromRow(row)),
      }));
  }

  async *sealedRows(): AsyncIterable<readonly SealedRow[]> {
    for (const table of SEALED_TABLES)
      for await (const rows of this.keyset<RawRow>(table.select, table.key, PAGE)) {
        const page = rows.map((row) => this.sealedRow(table, row));
        const isWhole = table !== EVENT_COUNTER || (await this.haveNoHole(rows));
        yield isWhole ? page : page.map((row) => ({ ...row, holds: false }));
      }
  }

  /**
   * Whether every number up to the counter is there. An event that is gone, or that was given another number because its
   * own was taken from it, leaves a hole which those who read on behind it never meet.
   */
  private async haveNoHole(counters: readonly RawRow[]): Promise<boolean> {
    const [numbers] = await this.reader.all<{ readonly n: number; readonly newest: number | null }>(
      'SELECT COUNT(*) AS n, MAX(sequence) AS newest FROM outbox WHERE sequence >= 1',
      [],
    );
    return counters.every(
      ({ last }) => Number(numbers?.n) === Number(last) && Number(numbers?.newest) === Number(last),
    );
  }

  private sealedRow(table: SealedTable, row: RawRow): SealedRow {
    return {
      table: table.name,
      id: readable(() => table.idOf(row)),
      holds: this.macs.holds(table, row) && this.numberHolds(table, row),
      revision: readable(() => table.revision(row)),
    };
  }

  /** The number of an event has a MAC of its own. */
  private numberHolds(table: SealedTable, row: RawRow): boolean {
    return table !== OUTBOX || numberIsGenuine(this.macs, row as OutboxRow);
  }

  /** One at a time where one of them cannot be read. */
  private async recordsOf(rows: readonly RecordRow[]): Promise<ReadonlyMap<string, RecordState>> {
    try {
      const records = await rowsToRecords(this.reader, rows);
      const whole = await withContents(this.reader, records);
      return new Map(whole.map((record) => [record.id, record]));
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      if (rows.length === 1) return new Map();
      const found = new Map<string, RecordState>();
      for (const row of rows)
        for (const [id, record] of await this.recordsOf([row])) found.set(id, record);
      return found;
    }
  }

  private async disputesOf(
    of: string,
    ids: readonly SqlValue[],
  ): Promise<readonly (StoredRow<Dispute> & { readonly recordId: string })[]> {
    const rows = await this.reader.all<DisputeRow>(`${DISPUTES.select} WHERE record_id ${of}`, ids);
    if (rows.length === 0) return [];
    const evidence = await this.reader.all<EvidenceRow>(
      `${DISPUTE_EVIDENCE.select} WHERE dispute_id IN (${placeholders(rows.length)}) ORDER BY dispute_id, ordinal`,
      rows.map(({ id }) => id),
    );
    return rows.map((row) => {
      const key = uuidFromSql(row.id);
      return {
        key,
        recordId: uuidFromSql(row.record_id),
        value: readable((): Dispute => ({
          ...DISPUTES.fromRow(row),
          evidence: evidence
            .filter(({ dispute_id: id }) => uuidFromSql(id) === key)
            .map((piece) => DISPUTE_EVIDENCE.fromRow(piece)),
        })),
      };
    });
  }

  private async firstHashes(chainKeys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (let from = 0; from < chainKeys.length; from += PAGE) {
      const some = chainKeys.slice(from, from + PAGE);
      const rows = await this.reader.all<{ readonly chain_key: string; readonly hash: Uint8Array }>(
        `SELECT chain_key, hash FROM chain_entries WHERE position = 1 AND chain_key IN (${placeholders(some.length)})`,
        some,
      );
      for (const { chain_key: key, hash } of rows) found.set(key, hexFromSql(hash));
    }
    return found;
  }

  /** The rows of a statement without conditions, in the order of a column of bytes that no two of them share. */
  private async *keyset<Row>(
    select: string,
    column: string,
    limit: number,
  ): AsyncIterable<readonly Row[]> {
    const sql = `${select} WHERE ${column} > ? ORDER BY ${column} LIMIT ?`;
    for (let after: SqlValue = new Uint8Array(0); ;) {
      const rows: readonly Row[] = await this.reader.all<Row>(sql, [after, limit]);
      if (rows.length > 0) yield rows;
      if (rows.length < limit) return;
      after = (rows.at(-1) as RawRow)[column]!;
    }
  }
}

type EntryRow = Parameters<typeof CHAIN_ENTRIES.fromRow>[0];
type CompletionRow = Parameters<typeof COMPLETIONS.fromRow>[0];
type TypeRow = Parameters<typeof RECORD_TYPES.fromRow>[0];
type EvidenceRow = Parameters<typeof DISPUTE_EVIDENCE.fromRow>[0] & {
  readonly dispute_id: Uint8Array;
};
interface MirrorRow {
  readonly record_id: Uint8Array;
  readonly manifest: string;
}
interface ChildRow {
  readonly id: Uint8Array;
  readonly parent_record_id: Uint8Array;
}

const PAGE = 500;
/** Each may hold a few hundred KiB. */
const RECORDS_PAGE = 100;
const HEADS = `${CHAIN_HEADS.select} WHERE chain_key > ? AND position > 0 ORDER BY chain_key LIMIT ?`;
