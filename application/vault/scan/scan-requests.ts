import type { Clock } from '../../../domain/kernel/clock.port.ts';
import { NotaryError } from '../../../domain/kernel/errors.ts';
import type { IdSource } from '../../../domain/kernel/ids.ts';
import { DuplicateError, type Stores } from '../../ports/unit-of-work.port.ts';
import type { VaultScan } from '../../ports/vault-scan.ts';
import type { VaultScanReads } from '../../ports/vault-scan-store.port.ts';

type Commit = (work: (stores: Stores) => Promise<VaultScan>) => Promise<VaultScan>;

/** Asks for scans, one at a time over all nodes. */
export class ScanRequests {
  constructor(
    private readonly reads: VaultScanReads,
    private readonly clock: Clock,
    private readonly ids: IdSource,
  ) {}

  /** @throws CONFLICT with reason VAULT_SCAN_IN_FLIGHT and the id of the job, where one is not completed. */
  async add(commit: Commit): Promise<VaultScan> {
    const scan: VaultScan = {
      id: this.ids.next(),
      createdAt: this.clock.now().toISOString(),
      attempts: 0,
      progress: null,
      completedAt: null,
      result: null,
      failure: null,
    };
    try {
      return await commit(async (stores) => {
        const other = await stores.vaultScans.inFlight();
        if (other) throw inFlight(other);
        await stores.vaultScans.insert(scan);
        return scan;
      });
    } catch (error) {
      const other = error instanceof DuplicateError ? await this.reads.inFlight() : null;
      throw other ? inFlight(other) : error;
    }
  }
}

const inFlight = ({ id }: VaultScan): NotaryError =>
  new NotaryError('CONFLICT', 'A scan of the vault is in flight already.', {
    reason: 'VAULT_SCAN_IN_FLIGHT',
    jobId: id,
    suggestion:
      'Read the scan that jobId names until it is completed; then ask for another one where it is still needed.',
  });
