import type { Clock } from '../../domain/kernel/clock.port.ts';
import { hashJson } from '../../domain/kernel/digest.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { IdSource, Uuid } from '../../domain/kernel/ids.ts';
import type { JobLeases } from '../ports/job-leases.port.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import type { OrgReadsLog } from '../transparency/org-reads-log.ts';
import type { UnitOfWork } from '../ports/unit-of-work.port.ts';
import type { ComplianceExport, MadeExport } from '../ports/compliance-export.ts';
import type { ComplianceExportReads } from '../ports/compliance-export-store.port.ts';
import type { ExportRecords } from './export-records.ts';
import { PieceWriter } from './piece-writer.ts';

export const EXPORTS_JOB = 'compliance-exports';
export const EXPORTS_LEASE_MS = 60_000;
/** Well within the lease, which is held for as long as there is work. */
const RENEW_MS = 5_000;
const MAX_ATTEMPTS = 3;
const MAX_FAILURE = 1_000;
/** Expired ones that one run deletes at most. */
const EXPIRED = 100;

/** Another node took the export over. */
class ClaimLost extends Error {
  override readonly name = 'ClaimLost';
}

/** Makes the exports that were asked for, and deletes those that expired. Its caller holds the lease of EXPORTS_JOB. */
export class MakeExports {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly reads: ComplianceExportReads,
    private readonly records: ExportRecords,
    private readonly sealPlatform: SealPlatform,
    private readonly orgReads: Pick<OrgReadsLog, 'append'>,
    private readonly leases: JobLeases,
    private readonly clock: Clock,
    private readonly ids: IdSource,
  ) {}

  async isNeeded(): Promise<boolean> {
    return (await this.reads.next()) !== null || (await this.expired(1)).length > 0;
  }

  /** @throws what went wrong; the export is begun again later, unless it was begun too often. */
  async run(stopping: AbortSignal): Promise<void> {
    for (const id of await this.expired(EXPIRED))
      await this.unitOfWork.transaction(async ({ complianceExports }) => {
        await complianceExports.deletePieces(id);
        await complianceExports.delete(id);
      });
    while (!stopping.aborted) {
      const asked = await this.reads.next();
      if (!asked) return;
      const claimed = await this.claim(asked.id);
      // Another node works on it: whoever went on would take it from that one again.
      if (claimed && !(await this.held(stopping, (signal) => this.make(claimed, signal)))) return;
    }
  }

  private expired(limit: number): Promise<readonly Uuid[]> {
    return this.reads.expired(this.clock.now().toISOString(), limit);
  }

  /** Null where it was made, or given up, meanwhile. */
  private claim(id: Uuid): Promise<ComplianceExport | null> {
    const claim = this.ids.next();
    return this.unitOfWork.transaction(async ({ complianceExports }) => {
      const found = await complianceExports.lock(id);
      if (!found || found.made || found.failure !== null) return null;
      await complianceExports.deletePieces(id);
      if (found.attempts >= MAX_ATTEMPTS) {
        const failure = `it was begun ${found.attempts} times and never ended`;
        await complianceExports.update({ ...found, failure });
        return null;
      }
      const claimed = { ...found, claim, attempts: found.attempts + 1 };
      await complianceExports.update(claimed);
      return claimed;
    });
  }

  /** False where it was stopped, or lost the export to another node. */
  private async make(claimed: ComplianceExport, signal: AbortSignal): Promise<boolean> {
    try {
      await this.complete(claimed, await this.written(claimed, signal));
      return true;
    } catch (error) {
      if (signal.aborted) {
        await this.change(claimed, { attempts: claimed.attempts - 1 });
        return false;
      }
      if (error instanceof ClaimLost) return false;
      // An outage is no fault of the export: attempts bound those that end the process with them.
      if (error instanceof NotaryError && error.code === 'SERVICE_UNAVAILABLE')
        await this.change(claimed, { attempts: claimed.attempts - 1 }).catch(() => undefined);
      if (!(error instanceof NotaryError) || error.entry.retryable) throw error;
      // What refuses once refuses again.
      await this.change(claimed, { failure: error.message.slice(0, MAX_FAILURE) });
      return true;
    }
  }

  private async written(claimed: ComplianceExport, signal: AbortSignal): Promise<MadeExport> {
    const { ids, total } = await this.records.newest(claimed);
    const writer = new PieceWriter((ordinal, content) =>
      this.unitOfWork.transaction(async ({ complianceExports }) => {
        await this.assertOurs(claimed, await complianceExports.lock(claimed.id));
        await complianceExports.addPiece(claimed.id, claimed.claim!, ordinal, content);
      }),
    );
    const written = await this.records.write(claimed, ids, writer, signal);
    const sha256 = await writer.end();
    return { total, ...written, sha256, pieces: writer.pieces };
  }

  /** Whose data it shows has a leaf in the log of its reads before anybody can download it. */
  private async complete(claimed: ComplianceExport, made: MadeExport): Promise<void> {
    const { id, orgId, filters, askedBy, format } = claimed;
    const { actor, requestId, protocol } = askedBy;
    await Promise.all(
      made.orgs.map((concerned) =>
        this.orgReads.append(concerned, {
          actor,
          requestId,
          operation: 'createComplianceExport',
          target: `compliance-export/${id}`,
          inputDigest: hashJson({ ...filters, orgId, format }),
          protocol,
        }),
      ),
    );
    await this.unitOfWork.transaction(async (stores) => {
      const found = await stores.complianceExports.lock(id);
      await this.assertOurs(claimed, found);
      await stores.complianceExports.update({ ...claimed, made });
      await this.sealPlatform.seal(
        stores,
        // A job acts under the id of what it works on.
        { actor, requestId: id },
        {
          entryType: 'EXPORT_TAKEN',
          orgId,
          rows: {},
          members: {
            exportId: id,
            filters: { ...filters },
            records: made.exported,
            omitted: made.omitted,
            sha256: made.sha256,
          },
          event: 'compliance.exported',
          eventData: {
            exportId: id,
            records: made.exported,
            omitted: made.omitted,
            format,
            sha256: made.sha256,
          },
        },
      );
    });
  }

  private change(
    claimed: ComplianceExport,
    changes: Partial<Pick<ComplianceExport, 'attempts' | 'failure'>>,
  ): Promise<void> {
    return this.unitOfWork.transaction(async ({ complianceExports }) => {
      const found = await complianceExports.lock(claimed.id);
      if (found?.claim !== claimed.claim || found.made) return;
      await complianceExports.deletePieces(claimed.id);
      await complianceExports.update({ ...claimed, ...changes });
    });
  }

  private async assertOurs(
    { claim }: ComplianceExport,
    found: ComplianceExport | null,
  ): Promise<void> {
    if (!found || found.claim !== claim || found.made)
      throw new ClaimLost('another node took the export over');
  }

  /** While it works, the lease is renewed; where that fails another node has it, and the work ends. */
  private async held<T>(
    stopping: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const lost = new AbortController();
    let renewing: Promise<void> = Promise.resolve();
    const renew = async (): Promise<void> => {
      if (!(await this.leases.acquire(EXPORTS_JOB, EXPORTS_LEASE_MS)))
        lost.abort(new ClaimLost('another node has the lease'));
    };
    const timer = setInterval(() => {
      renewing = renewing.then(renew).catch(() => undefined);
    }, RENEW_MS);
    try {
      return await work(AbortSignal.any([stopping, lost.signal]));
    } finally {
      clearInterval(timer);
      await renewing;
    }
  }
}
