import type { Clock } from '../../domain/kernel/clock.port.ts';
import { hashJson } from '../../domain/kernel/digest.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Log } from '../ports/log.port.ts';
import type { JobLeases } from '../ports/job-leases.port.ts';
import type { Origin } from '../sealing/origin.ts';
import type { PlatformLedger } from '../sealing/platform-ledger.ts';
import type { SealPlatform } from '../sealing/seal-platform.ts';
import type { Stores, UnitOfWork } from '../ports/unit-of-work.port.ts';
import type { ApplyDocuments } from './apply-documents.ts';
import type { Item, LoadDocuments, Loaded } from './load-documents.ts';
import type { FileFault, ProvisioningFiles } from './provisioning-files.port.ts';
import type { ForgottenRow, ProvisionedRowReads } from '../ports/provisioned-rows.port.ts';
import { ReportDraft, type ReloadReport } from './reload-report.ts';
import { Scene } from './scene.ts';
import type { SecretFiles } from './secret-files.port.ts';

export interface ReconcileOptions {
  readonly prune: boolean;
  readonly dryRun: boolean;
}

export interface ReconcileParts {
  readonly files: ProvisioningFiles;
  readonly secrets: SecretFiles;
  readonly documents: LoadDocuments;
  readonly apply: ApplyDocuments;
  readonly rows: ProvisionedRowReads;
  readonly unitOfWork: UnitOfWork;
  readonly sealPlatform: SealPlatform;
  readonly ledger: PlatformLedger;
  readonly leases: JobLeases;
  readonly clock: Clock;
  readonly log: Log;
  readonly options: ReconcileOptions;
}

/** Why files are read. */
export type Trigger = 'start' | 'signal' | 'request';

export const PROVISIONING_JOB = 'provisioning';
/** Less than others wait, so that a crash holds up nobody who starts. */
const LEASE_MS = 15_000;
const RENEW_MS = 5_000;
const WAIT_MS = 20_000;
/** A secret whose row was not committed by then never will be, ms. */
const GIVEN_UP_MS = 3_600_000;
/** A longer list of files would not fit into a statement; then its hash stands for it. */
const MAX_LISTED_BYTES = 40_000;

/** Applies the folder of provisioning files, on one node at a time, and seals what came of it. */
export class ReconcileFiles {
  private last: Promise<unknown> = Promise.resolve();
  private outcome: { readonly at: string; readonly report: ReloadReport } | null = null;

  constructor(private readonly parts: ReconcileParts) {}

  get isConfigured(): boolean {
    return this.parts.files.path !== null;
  }

  /** Of this process; null before its first reload. */
  get lastOutcome(): { readonly at: string; readonly report: ReloadReport } | null {
    return this.outcome;
  }

  /** Resolves when no reload is under way. */
  async idle(): Promise<void> {
    await this.last;
  }

  /**
   * @param commit the unit of work in which the outcome is sealed.
   * @throws UNPROCESSABLE without a folder, SERVICE_UNAVAILABLE while another node applies its own.
   */
  reconcile(
    origin: Origin,
    trigger: Trigger,
    commit: <T>(work: (stores: Stores) => Promise<T>) => Promise<T> = (work) =>
      this.parts.unitOfWork.transaction(work),
  ): Promise<ReloadReport> {
    if (!this.isConfigured)
      return Promise.reject(
        new NotaryError('UNPROCESSABLE', 'No provisioning files are configured here.', {
          suggestion: 'Set PROVISIONING_PATH to the folder of the files, and start again.',
        }),
      );
    const run = this.last.then(() => this.leased(origin, trigger, commit));
    this.last = run.catch(() => undefined);
    return run;
  }

  private async leased(
    origin: Origin,
    trigger: Trigger,
    commit: <T>(work: (stores: Stores) => Promise<T>) => Promise<T>,
  ): Promise<ReloadReport> {
    const { leases, clock } = this.parts;
    if (!(await leases.acquire(PROVISIONING_JOB, LEASE_MS))) await this.waitForLease(trigger);
    const begun = clock.now().getTime();
    let failure: string | null = null;
    try {
      const report = await this.run(origin, trigger, commit);
      this.outcome = { at: clock.now().toISOString(), report };
      return report;
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
      throw error;
    } finally {
      await leases.release(PROVISIONING_JOB, {
        durationMs: clock.now().getTime() - begun,
        failure,
      });
    }
  }

  /** @throws SERVICE_UNAVAILABLE while another node applies its own. */
  private async waitForLease(trigger: Trigger): Promise<void> {
    const { leases, log } = this.parts;
    log.warn(
      { trigger, waitsSeconds: WAIT_MS / 1000 },
      `the provisioning files wait for another process that applies its own. Where it was killed in the middle, its lease ends within ${LEASE_MS / 1000} s, and nothing has to be done`,
    );
    if (!(await leases.acquireWithin(PROVISIONING_JOB, LEASE_MS, WAIT_MS)))
      throw new NotaryError('SERVICE_UNAVAILABLE', 'Another node applies its files right now.', {
        retryAfter: 5,
      });
  }

  private async run(
    origin: Origin,
    trigger: Trigger,
    commit: <T>(work: (stores: Stores) => Promise<T>) => Promise<T>,
  ): Promise<ReloadReport> {
    const { files, documents, apply, rows, unitOfWork, clock, options } = this.parts;
    const draft = new ReportDraft();
    const loaded = await documents.load(await files.read());
    draft.fail(loaded.faults);
    const { requestId } = origin;
    const scene = new Scene(await rows.all(), unitOfWork, clock, requestId, options.dryRun);
    draft.fail((await rows.forgotten()).map(forgotten));
    if (!options.dryRun) await this.releaseSecrets(scene, draft);
    const goOn = this.renewing();
    const applied = await apply.apply(loaded, scene, draft, goOn);
    if (options.prune) {
      await apply.prune(loaded, scene, draft, goOn);
      draft.fail(notPruned(loaded, scene));
    }
    const report = draft.report(options.dryRun);
    return commit(async (stores) => {
      if (!options.dryRun) await this.seal(stores, origin, trigger, applied, report, draft);
      return report;
    });
  }

  /** What a crash left between a commit and the name of the file. */
  private async releaseSecrets(scene: Scene, draft: ReportDraft): Promise<void> {
    const { secrets } = this.parts;
    for (const held of await secrets.held()) {
      const row = [...scene.all('api-keys'), ...scene.all('webhooks')].find(
        ({ id }) => id === held.id,
      );
      if (row)
        draft.wrote(row.kind, {
          id: row.id,
          label: row.name,
          file: await secrets.release(held),
        });
      else if (held.ageMs > GIVEN_UP_MS) await secrets.drop(held);
    }
  }

  private renewing(): () => Promise<void> {
    const { leases, clock } = this.parts;
    let renewed = clock.now().getTime();
    return async () => {
      const now = clock.now().getTime();
      if (Math.abs(now - renewed) < RENEW_MS) return;
      renewed = now;
      await leases.acquire(PROVISIONING_JOB, LEASE_MS);
    };
  }

  /** Also where nothing changed but the files are others: the chain says which ones are in force. */
  private async seal(
    stores: Stores,
    origin: Origin,
    trigger: Trigger,
    applied: readonly Item[],
    { counts }: ReloadReport,
    { hasChanges }: ReportDraft,
  ): Promise<void> {
    const files = applied
      .map(({ file, sha256 }) => ({ file, sha256 }))
      .sort((a, b) => (a.file < b.file ? -1 : 1));
    const filesHash = hashJson(files);
    const before = (await this.parts.ledger.factsWithin(stores.chains)).appliedFiles;
    const isAsBefore = before === null ? files.length === 0 : before === filesHash;
    if (!hasChanges && isAsBefore) return;
    const shown = Object.fromEntries(
      Object.entries(counts).map(([kind, count]) => [kind, { ...count }]),
    );
    await this.parts.sealPlatform.seal(stores, origin, {
      entryType: 'PROVISIONING_APPLIED',
      orgId: null,
      rows: {},
      members: {
        trigger,
        counts: shown,
        fileCount: files.length,
        filesHash,
        files: JSON.stringify(files).length <= MAX_LISTED_BYTES ? files : null,
      },
      event: 'provisioning.reconciled',
      eventData: { counts: shown },
    });
  }
}

/** No file names it and none is missed, so nothing would tell of it; callers are refused whatever they would change of it. */
const forgotten = ({ kind, id }: ForgottenRow): FileFault => ({
  file: `${kind}/`,
  pointer: '',
  message: `${id} was made by files and is in use, and what told which document it is of was deleted in the database behind the service: no file changes it, and it is not pruned. ${kind === 'api-keys' ? 'Revoke it on the host: notary keys revoke.' : 'Put the row of provisioned_rows back from a backup.'}`,
});

/** A file that could not be read may be the one that names a row. */
const notPruned = ({ complete, kinds }: Loaded, scene: Scene): readonly FileFault[] =>
  [...kinds]
    .filter((kind) => !complete.has(kind) && scene.all(kind).length > 0)
    .map((kind) => ({
      file: `${kind}/`,
      pointer: '',
      message: 'Nothing of this kind was pruned, because not every file of it could be read.',
    }));
