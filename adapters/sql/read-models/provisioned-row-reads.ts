import type {
  ProvisionedRow,
  ProvisionedRowReads,
} from '../../../application/provisioning/provisioned-rows.port.ts';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import { findAll } from '../rows/find.ts';
import { PROVISIONED_ROWS } from '../rows/provisioned-row.ts';
import type { Reader } from '../session.ts';
import { provisionedAmong } from '../stores/provisioned-row-store.ts';

export class SqlProvisionedRowReads implements ProvisionedRowReads {
  constructor(private readonly reader: Reader) {}

  all(): Promise<readonly ProvisionedRow[]> {
    return findAll(this.reader, PROVISIONED_ROWS, PROVISIONED_ROWS.select, []);
  }

  among(ids: readonly Uuid[]): Promise<ReadonlySet<Uuid>> {
    return provisionedAmong(this.reader, ids);
  }
}
