import { NotaryError } from '../../../domain/kernel/errors.ts';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import type { JobLeases } from '../../ports/job-leases.port.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.port.ts';
import { SCAN_JOB, SCAN_LEASE_MS, type RunScan } from './run-scan.ts';
import type { ScanRequests } from './scan-requests.ts';
import type { ScanProgress, ScanResult } from '../../ports/scan-result.ts';
import type { VaultScan } from '../../ports/vault-scan.ts';
import type { VaultScanReads } from '../../ports/vault-scan-store.port.ts';

/** How long to wait for a service that took the scan up, before looking how far it is. */
const LOOK_MS = 500;

/** Scans at the word of the operator on the host, who waits for it. */
export class ScanOnHost {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly requests: ScanRequests,
    private readonly runScan: RunScan,
    private readonly reads: VaultScanReads,
    private readonly leases: JobLeases,
  ) {}

  /**
   * One that is in flight is brought to its end first: where no process runs jobs, nobody else does.
   *
   * @throws Error where the scan fails.
   */
  async execute(onProgress: (progress: ScanProgress) => void): Promise<ScanResult> {
    for (;;) {
      const before = await this.reads.inFlight();
      if (before) await this.ended(before.id, onProgress);
      const asked = await this.asked();
      if (asked) return resultOf(await this.ended(asked.id, onProgress));
    }
  }

  /** Null where somebody else was faster to ask. */
  private async asked(): Promise<VaultScan | null> {
    try {
      return await this.requests.add((work) => this.unitOfWork.transaction(work));
    } catch (error) {
      if (error instanceof NotaryError && error.members.jobId !== undefined) return null;
      throw error;
    }
  }

  private async ended(id: Uuid, onProgress: (progress: ScanProgress) => void): Promise<VaultScan> {
    for (;;) {
      await this.runHere(onProgress);
      const scan = await this.reads.find(id);
      if (!scan) throw new Error(`the scan ${id} is gone`);
      if (scan.completedAt !== null) return scan;
      if (scan.progress) onProgress(scan.progress);
    }
  }

  /** Unless a service was faster to take it up. A failure is kept with the scan once it is given up. */
  private async runHere(onProgress: (progress: ScanProgress) => void): Promise<void> {
    if (!(await this.leases.acquireWithin(SCAN_JOB, SCAN_LEASE_MS, LOOK_MS))) return;
    const begun = performance.now();
    let failure: string | null = null;
    try {
      await this.runScan.run(new AbortController().signal, onProgress);
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
    } finally {
      const durationMs = Math.round(performance.now() - begun);
      await this.leases.release(SCAN_JOB, { durationMs, failure });
    }
  }
}

const resultOf = ({ result, failure }: VaultScan): ScanResult => {
  if (!result) throw new Error(`the scan did not come to its end: ${failure ?? 'unknown'}`);
  return result;
};
