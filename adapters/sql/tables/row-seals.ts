import type { RowVersions, VersionLookup } from '../../../application/sealing/row-versions.port.ts';
import { rowDrift } from '../../../domain/kernel/row-drift.ts';
import { RowMacs, type RowKey } from './row-macs.ts';
import type { RawRow, SealedTable } from './sealed-table.ts';
import type { RawReader, SqlValue } from '../base/session.ts';
import type { Reader } from './reader.ts';
import type { UnitVersions } from './unit-versions.ts';

/** Called with every row that is refused: the database was changed behind the service. */
export type RowAlarm = (fields: {
  readonly alarm: 'row_mac' | 'row_version';
  readonly table: string;
  readonly id: string | null;
}) => void;

/** A row with the table that it belongs to. */
export type TableRow = readonly [SealedTable, RawRow];

export const tableRow = (table: SealedTable, row: object): TableRow => [table, row as RawRow];

/** A list in which ever other rows change while it is read is refused after so many reads. */
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
    return {
      all: (sql, values) => reader.all(sql, values),
      verifying: (load, rowsOf) =>
        this.believed(load, rowsOf, async (versions, rows) => {
          const recent = differences(await versions.recent(), rows);
          return recent.length === 0 ? recent : differences(await versions.now(), rows);
        }),
    };
  }

  /** Rows that a unit of work reads. Those that it did not lock may change between two of its reads. */
  within<T>(
    unit: UnitVersions,
    load: () => Promise<T>,
    rowsOf: (loaded: T) => readonly TableRow[],
  ): Promise<T> {
    return this.believed(load, rowsOf, async (versions, rows) => {
      const seen = unit.seen && differences(unit.seen, rows);
      return seen?.length === 0 ? seen : differences(await unit.look(versions), rows);
    });
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

  /**
   * A row older than its newest entry was put back, or was read before the change that the entry tells of. So it is read
   * again, and is right where it is no older than the chain said before that, however often it changes meanwhile.
   */
  private async believed<T>(
    load: () => Promise<T>,
    rowsOf: (loaded: T) => readonly TableRow[],
    differing: (versions: RowVersions, rows: readonly TableRow[]) => Promise<readonly Difference[]>,
  ): Promise<T> {
    const before = new Map<string, number>();
    for (let reads = 1; ; reads++) {
      const loaded = await load();
      const rows = rowsOf(loaded);
      this.assertMacs(rows);
      if (!this.versions || !rows.some(hasRevision)) return loaded;
      const open = (await differing(this.versions, rows)).filter(
        ({ id, version, sealed }) => version > sealed || version < (before.get(id) ?? Infinity),
      );
      const [first] = open;
      if (!first) return loaded;
      const wrong = open.find(({ id, version, sealed }) => version > sealed || before.has(id));
      if (wrong || reads === MAX_READS) throw this.refused((wrong ?? first).row);
      for (const { id, sealed } of open) before.set(id, sealed);
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

/** A row that has another version than the platform chain sealed last. */
interface Difference {
  readonly row: TableRow;
  readonly id: string;
  readonly version: number;
  readonly sealed: number;
}

const differences = (versionOf: VersionLookup, rows: readonly TableRow[]): readonly Difference[] =>
  rows.flatMap((row) => {
    const revision = row[0].revision(row[1]);
    const sealed = revision && versionOf(revision.id);
    return sealed === null || sealed === revision!.version ? [] : [{ row, ...revision!, sealed }];
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
