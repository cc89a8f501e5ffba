import { describe, expect, it } from 'vitest';
import { DuplicateError } from '../../../application/ports/unit-of-work.port.ts';
import type { RecordFilter } from '../../../domain/record/record-store.port.ts';
import type { DatabaseKind } from '../../support/databases/databases.ts';
import { sampleOrg, sampleRecord, sampleRecordType, uuid } from './samples.ts';
import { useDatabase } from './suite.ts';

/**
 * Texts that a lenient collation takes for one: they differ by spaces at the end, case, an accent, the
 * form of an accented letter, a full-width letter, or a character that many collations leave out.
 */
const TEXTS = [
  'build',
  'build ',
  'build  ',
  'Build',
  'BUILD',
  'b\u00faild',
  'bu\u0301ild',
  '\uff42uild',
  'bu\u00adild',
  'build\u0001',
] as const;

const inByteOrder = TEXTS.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));

export const textComparisonSuite = (kind: DatabaseKind): void => {
  describe(`comparison of texts on ${kind.name}`, () => {
    const database = useDatabase(kind);
    const isMysql = kind.name === 'mysql';

    /** The text columns of every table, by its name. */
    const textColumns = async (): Promise<ReadonlyMap<string, readonly string[]>> => {
      const rows = await database().raw(
        isMysql
          ? "SELECT table_name AS t, column_name AS c FROM information_schema.columns WHERE table_schema = DATABASE() AND data_type IN ('varchar', 'text', 'longtext')"
          : "SELECT m.name AS t, c.name AS c FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table' AND c.type = 'TEXT'",
      );
      const tables = new Map<string, string[]>();
      for (const row of rows) {
        const [table, column] = [String(row['t']), String(row['c'])];
        tables.set(table, [...(tables.get(table) ?? []), column]);
      }
      return tables;
    };

    it('in every text column no two texts are equal that differ in a space, the case or an accent, and they sort by their bytes', async () => {
      const tables = await textColumns();
      expect([...tables.values()].flat().length).toBeGreaterThan(80);
      // A collation of a column is not taken over by CREATE TABLE AS in SQLite; there is none there.
      if (!isMysql)
        expect(
          await database().raw("SELECT name FROM sqlite_master WHERE sql LIKE '%COLLATE%'"),
        ).toEqual([]);
      const lenient: string[] = [];
      for (const [name, columns] of tables) {
        const probe = `probe_${name}`;
        await database().raw(
          `CREATE TABLE ${probe} AS SELECT ${columns.join(', ')} FROM ${name} WHERE 1 = 0`,
        );
        await database().raw(
          `INSERT INTO ${probe} VALUES ${TEXTS.map((text) => `(${columns.map(() => `'${text}'`).join(', ')})`).join(', ')}`,
        );
        for (const column of columns) {
          const [equal] = await database().raw(
            `SELECT COUNT(DISTINCT ${column}) AS kinds, SUM(${column} = 'build') AS found, SUM(${column} = 'build ') AS spaced FROM ${probe}`,
          );
          const sorted = await database().raw(`SELECT ${column} AS v FROM ${probe} ORDER BY 1`);
          if (
            Number(equal?.['kinds']) !== TEXTS.length ||
            Number(equal?.['found']) !== 1 ||
            Number(equal?.['spaced']) !== 1 ||
            sorted.some(({ v }, i) => v !== inByteOrder[i])
          )
            lenient.push(`${name}.${column}`);
        }
        await database().raw(`DROP TABLE ${probe}`);
      }
      expect(lenient).toEqual([]);
    });

    it('a unique key takes each of them, and none of them twice', async () => {
      const { unitOfWork, reads } = database().adapter;
      const orgId = uuid();
      for (const type of TEXTS)
        await unitOfWork.transaction((stores) =>
          stores.recordTypes.insert(sampleRecordType({ orgId, type })),
        );
      for (const type of TEXTS) {
        expect((await reads.recordTypes.find(orgId, type)).map((found) => found.type)).toEqual([
          type,
        ]);
        await expect(
          unitOfWork.transaction((stores) =>
            stores.recordTypes.insert(sampleRecordType({ orgId, type })),
          ),
        ).rejects.toThrow(DuplicateError);
      }
    });

    it('a slug is found by itself alone', async () => {
      const { unitOfWork } = database().adapter;
      for (const slug of TEXTS)
        await unitOfWork.transaction((stores) => stores.orgs.insert(sampleOrg({ slug })));
      const slugs = await database().raw("SELECT slug FROM orgs WHERE slug = 'build '");
      expect(slugs.map(({ slug }) => slug)).toEqual(['build ']);
    });

    it('a listing by a text shows those of this very text', async () => {
      const { unitOfWork, reads } = database().adapter;
      const records = TEXTS.map((text) => sampleRecord({ platformRef: text, platform: text }));
      await unitOfWork.transaction(async (stores) => {
        for (const record of records) await stores.records.insert(record);
      });
      const ids = async (filter: Partial<RecordFilter>): Promise<readonly string[]> =>
        (
          await reads.records.list(
            { reader: null, sort: '-createdAt', ...filter },
            { limit: 50, after: null },
          )
        ).rows.map(({ id }) => id);
      for (const { id, platformRef } of records) {
        expect(await ids({ platformRef: platformRef! })).toEqual([id]);
        expect(await ids({ platform: platformRef! })).toEqual([id]);
      }
      expect(await ids({ q: 'build  ' })).toEqual([records[2]!.id]);
    });
  });
};
