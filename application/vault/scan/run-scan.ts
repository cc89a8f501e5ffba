import type { Clock } from '../../../domain/kernel/clock.port.ts';
import type { JobLeases } from '../../ports/job-leases.port.ts';
import { aboutOrg, actorData, type EventOutbox } from '../../sealing/event-outbox.ts';
import { systemOrigin } from '../../sealing/origin.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.port.ts';
import type { Vault } from '../../sealing/vault.ts';
import type { ScanProgress, ScanResult } from '../../ports/scan-result.ts';
import type { VaultScan } from '../../ports/vault-scan.ts';
import type { VaultScanReads } from '../../ports/vault-scan-store.port.ts';
import type { VaultScanner } from './vault-scanner.port.ts';

export const SCAN_JOB = 'vault-scan';
export const SCAN_LEASE_MS = 60_000;
/** Well within the lease, which is held for as long as the scan goes on. */
const RENEW_MS = 5_000;
/** A scan that three nodes died over is given up, so that another one can be asked for. */
const MAX_ATTEMPTS = 3;

/** Another node took the scan over: this one was away for longer than its lease. */
class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** Takes up the scan that was asked for, and brings it to its end. Its caller holds the lease of SCAN_JOB. */
export class RunScan {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly reads: VaultScanReads,
    private readonly scanner: VaultScanner,
    private readonly leases: JobLeases,
    private readonly outbox: EventOutbox,
    private readonly vault: Pick<Vault, 'identity'>,
    private readonly clock: Clock,
  ) {}

  async isNeeded(): Promise<boolean> {
    return (await this.reads.inFlight()) !== null;
  }

  /**
   * A scan that fails is left in flight, to be begun again, unless it was begun too often.
   *
   * @throws Error where it fails, and the reason of `stopping` where the process ends.
   */
  async run(
    stopping: AbortSignal,
    onProgress: (progress: ScanProgress) => void = () => undefined,
  ): Promise<void> {
    const asked = await this.reads.inFlight();
    if (!asked) return;
    const scan = { ...asked, attempts: asked.attempts + 1 };
    if (asked.attempts >= MAX_ATTEMPTS)
      return this.complete(asked, null, `it was begun ${asked.attempts} times and never ended`);
    if (!(await this.keep(scan))) return;
    try {
      await this.complete(scan, await this.scanned(scan, stopping, onProgress), null);
    } catch (error) {
      if (stopping.aborted) await this.keep(asked);
      else if (!(error instanceof LeaseLost) && scan.attempts >= MAX_ATTEMPTS)
        await this.complete(scan, null, error instanceof Error ? error.message : String(error));
      throw error;
    }
  }

  private async scanned(
    scan: VaultScan,
    stopping: AbortSignal,
    onProgress: (progress: ScanProgress) => void,
  ): Promise<ScanResult> {
    const lost = new AbortController();
    let progress: ScanProgress | null = null;
    let renewing: Promise<void> = Promise.resolve();
    const renew = async (): Promise<void> => {
      const isOurs = await this.leases.acquire(SCAN_JOB, SCAN_LEASE_MS);
      if (!isOurs) lost.abort(new LeaseLost('another node took the scan over'));
      else await this.keep({ ...scan, progress });
    };
    // The database may be away for a moment; a lease that ended meanwhile shows at the next renewal.
    const timer = setInterval(() => {
      renewing = renewing.then(renew).catch(() => undefined);
    }, RENEW_MS);
    try {
      return await this.scanner.scan({
        fingerprint: this.vault.identity.fingerprint,
        onProgress: (now) => {
          progress = now;
          onProgress(now);
        },
        stopping: AbortSignal.any([stopping, lost.signal]),
      });
    } finally {
      clearInterval(timer);
      await renewing;
    }
  }

  private keep(scan: VaultScan): Promise<boolean> {
    return this.unitOfWork.transaction((stores) => stores.vaultScans.update(scan));
  }

  private async complete(
    scan: VaultScan,
    result: ScanResult | null,
    failure: string | null,
  ): Promise<void> {
    const completedAt = this.clock.now().toISOString();
    const progress = result && { entries: result.entries, chains: result.chains };
    await this.unitOfWork.transaction(async (stores) => {
      const isOurs = await stores.vaultScans.update({
        ...scan,
        progress: progress ?? scan.progress,
        completedAt,
        result,
        failure: failure?.slice(0, MAX_FAILURE) ?? null,
      });
      if (!isOurs || !result) return;
      const { healthy, broken, signatureErrors } = result;
      const data = {
        jobId: scan.id,
        healthy,
        broken,
        signatureErrors,
        actor: actorData(systemOrigin(scan.id)),
      };
      const about = aboutOrg(null, null);
      const cause = { at: completedAt, position: null, requestId: scan.id };
      await this.outbox.enqueue(stores, cause, 'vault.scan_completed', about, data);
      if (broken > 0)
        await this.outbox.enqueue(stores, cause, 'vault.tamper_detected', about, {
          ...data,
          brokenRecords: result.brokenRecords
            .slice(0, TOLD)
            .map(({ recordId, chainKey, position, reason, class: failureClass }) => ({
              recordId,
              chainKey,
              position,
              reason,
              class: failureClass,
            })),
        });
    });
  }
}

const MAX_FAILURE = 1_000;
/** What is broken first; the scan tells of the others. */
const TOLD = 10;
