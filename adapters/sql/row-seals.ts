import type { RowVersions, VersionLookup } from '../../application/sealing/row-versions.port.ts';
import type { ChainStore } from '../../domain/vault/chain-store.port.ts';
import { rowDrift } from '../../domain/kernel/row-drift.ts';
import { RowMacs, type RowKey } from './rows/row-macs.ts';
import type { RawRow, SealedTable } from './rows/sealed-table.ts';
import type { RawReader, Reader, SqlValue } from './session.ts';

/** Called with every row that is refused: the database was changed behind the service. */
export type RowAlarm = (fields: {
  readonly alarm: 'row_mac' | 'row_version';
  readonly table: string;
  readonly id: string | null;
}) => void;

/** A row with the table that it belongs to. */
export type TableRow = readonly [SealedTable, RawRow];

export const tableRow = (table: SealedTable, row: object): TableRow => [table, row as RawRow];

/** A row that changes again and again while it is read is refused after so many reads. */
const MAX_READS = 4;

/**
 * Believes a row only where its MAC holds and where it is the version that the platform chain sealed last. Rows of a
 * value that never changes have no version.
 */
export class RowSeals {
  private versions: RowVersions | null = null;
  private current: RowMacs;

  constructor(
    keys: readonly RowKey[],
    private readonly alarm: RowAlarm,
  ) {
    this.current = new RowMacs(keys);
  }

  get macs(): RowMacs {
    return this.current;
  }

  use(keys: readonly RowKey[]): void {
    this.current = new RowMacs(keys);
  }

  /** From now on versions are compared. Before the vault is open there is nothing to compare with. */
  follow(versions: RowVersions): void {
    this.versions = versions;
  }

  /** Committed rows. */
  over(reader: RawReader): Reader {
    const verifying = <T>(
      load: () => Promise<T>,
      rowsOf: (loaded: T) => readonly TableRow[],
    ): Promise<T> => this.untilCurrent(load, rowsOf);
    return { all: (sql, values) => reader.all(sql, values), verifying };
  }

  /** Rows that a unit of work reads; what it reads, nobody changes meanwhile. */
  async assertWithin(chains: Pick<ChainStore, 'upFrom'>, rows: readonly TableRow[]): Promise<void> {
    this.assertMacs(rows);
    if (!this.versions || !rows.some(hasRevision)) return;
    const [differing] = differences(await this.versions.within(chains), rows);
    if (differing) throw this.refused(differing.row);
  }

  assertMacs(rows: readonly TableRow[]): void {
    for (const row of rows) if (!this.isSealed(row)) throw driftOf(row);
  }

  /** False with an alarm. */
  isSealed(row: TableRow): boolean {
    const holds = this.macs.holds(...row);
    if (!holds) this.tell('row_mac', row);
    return holds;
  }

  /** A row older than its newest entry was put back, or was read before the change that the entry tells of: the next read shows which. */
  private async untilCurrent<T>(
    load: () => Promise<T>,
    rowsOf: (loaded: T) => readonly TableRow[],
  ): Promise<T> {
    for (let reads = 1; ; reads++) {
      const loaded = await load();
      const rows = rowsOf(loaded);
      this.assertMacs(rows);
      if (!this.versions || !rows.some(hasRevision)) return loaded;
      if (differences(await this.versions.recent(), rows).length === 0) return loaded;
      const [differing] = differences(await this.versions.now(), rows);
      if (!differing) return loaded;
      if (!differing.isOlder || reads === MAX_READS) throw this.refused(differing.row);
    }
  }

  private refused(row: TableRow): Error {
    this.tell('row_version', row);
    return driftOf(row);
  }

  private tell(alarm: 'row_mac' | 'row_version', [table, row]: TableRow): void {
    this.alarm({ alarm, table: table.name, id: table.idOf(row) });
  }
}

const driftOf = ([table, row]: TableRow): Error => rowDrift(table.name, table.idOf(row));

const hasRevision = ([table, row]: TableRow): boolean => table.revision(row) !== null;

const differences = (
  versionOf: VersionLookup,
  rows: readonly TableRow[],
): readonly { readonly row: TableRow; readonly isOlder: boolean }[] =>
  rows.flatMap((row) => {
    const revision = row[0].revision(row[1]);
    const sealed = revision && versionOf(revision.id);
    return sealed === null || sealed === revision!.version
      ? []
      : [{ row, isOlder: revision!.version < sealed }];
  });

/** The rows that a statement finds in one sealed table. */
export const verifiedRows = async <Row>(
  reader: Reader,
  table: SealedTable,
  sql: string,
  values: readonly SqlValue[],
): Promise<readonly Row[]> =>
  reader.verifying(
    () => reader.all<Row>(sql, values),
    (rows) => rows.map((row) => tableRow(table, row as object)),
  );
