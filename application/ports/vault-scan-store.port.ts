import type { Uuid } from '../../domain/kernel/ids.ts';
import type { VaultScan } from './vault-scan.ts';

export interface VaultScanReads {
  find(id: Uuid): Promise<VaultScan | null>;
  /** The one that is not completed, if there is one. */
  inFlight(): Promise<VaultScan | null>;
}

/** Inside a unit of work. */
export interface VaultScanStore extends VaultScanReads {
  /** @throws DuplicateError, at the commit at the latest, where another one is in flight. */
  insert(scan: VaultScan): Promise<void>;
  /** Only of one that is in flight. False where it is not, any more. */
  update(scan: VaultScan): Promise<boolean>;
}
