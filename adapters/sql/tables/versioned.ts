import { uuidFromSql } from '../base/values.ts';
import type { RawRow, Revision, SealedColumns } from './sealed-table.ts';

/** Rows with an id and the column `row_version`. */
export const versionedById: SealedColumns = {
  revision: ({ id, row_version: version }: RawRow): Revision => ({
    id: uuidFromSql(id as Uint8Array),
    version: Number(version),
  }),
};
