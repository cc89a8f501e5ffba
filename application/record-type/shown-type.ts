import type { RecordType } from '../../domain/record-type/manifest.ts';
import type { Slice } from '../../domain/kernel/page.ts';
import type { ManagedBy } from '../call/managed-rows.ts';
import type { ProvisionedRowReads } from '../ports/provisioned-rows.port.ts';

/** A version of a record type, and who manages it. The row itself does not say so: it is what its entry registered. */
export interface ShownType {
  readonly recordType: RecordType;
  readonly managedBy: ManagedBy;
}

/** Committed ones, or those of a unit of work. */
export type ManagedRows = Pick<ProvisionedRowReads, 'among'>;

export const managerOf = async (managed: ManagedRows, { id }: RecordType): Promise<ManagedBy> =>
  (await managed.among([id])).has(id) ? 'provisioning' : null;

export const shownTypes = async (
  managed: ManagedRows,
  slice: Slice<RecordType>,
): Promise<Slice<ShownType>> => {
  const ids = await managed.among(slice.rows.map(({ id }) => id));
  const rows = slice.rows.map((recordType): ShownType => ({
    recordType,
    managedBy: ids.has(recordType.id) ? 'provisioning' : null,
  }));
  return { ...slice, rows };
};
