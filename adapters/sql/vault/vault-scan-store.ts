import type { VaultScan } from '../../../application/ports/vault-scan.ts';
import type {
  VaultScanReads,
  VaultScanStore,
} from '../../../application/ports/vault-scan-store.port.ts';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import { findOne } from '../tables/find.ts';
import { VAULT_SCANS } from './vault-scan-row.ts';
import type { Reader } from '../tables/reader.ts';
import type { UnitContext } from '../tables/unit-context.ts';
import { uuidToSql } from '../base/values.ts';

export class SqlVaultScanReads implements VaultScanReads {
  constructor(private readonly reader: Reader) {}

  find(id: Uuid): Promise<VaultScan | null> {
    return findOne(this.reader, VAULT_SCANS, `${VAULT_SCANS.select} WHERE id = ?`, [uuidToSql(id)]);
  }

  inFlight(): Promise<VaultScan | null> {
    return findOne(this.reader, VAULT_SCANS, IN_FLIGHT, []);
  }
}

export class SqlVaultScanStore extends SqlVaultScanReads implements VaultScanStore {
  constructor(private readonly unit: UnitContext) {
    super(unit);
  }

  async insert(scan: VaultScan): Promise<void> {
    this.unit.insert(VAULT_SCANS, VAULT_SCANS.toRow(scan));
    return Promise.resolve();
  }

  async update(scan: VaultScan): Promise<boolean> {
    return (await this.unit.run(UPDATE, [...CHANGED.toRow(scan), uuidToSql(scan.id)])) === 1;
  }
}

const IN_FLIGHT = `${VAULT_SCANS.select} WHERE in_flight = 'scan'`;
const CHANGED = VAULT_SCANS.only(
  'inFlight',
  'attempts',
  'progress',
  'completedAt',
  'result',
  'failure',
);
const UPDATE = `UPDATE vault_scans SET ${CHANGED.assignments} WHERE id = ? AND in_flight = 'scan'`;
