import type { HealthProbe, WriteRefusal } from '../../../application/operations/check-health.ts';
import type { Database } from '../base/database.ts';
import { migrationState } from './migrate.ts';
import { Timely } from '../base/timely.ts';
import type { WriteWatch } from '../database/write-watch.ts';

const WITHIN_MS = 900;

export class SqlHealth implements HealthProbe {
  private readonly pinged: Timely<true>;
  private readonly migrated: Timely<boolean>;
  private isUpToDate = false;

  constructor(
    database: Database,
    private readonly writes: WriteWatch,
  ) {
    this.pinged = new Timely(() => database.ping().then(() => true), WITHIN_MS);
    this.migrated = new Timely(
      async () => (await migrationState(database)).pending.length === 0,
      WITHIN_MS,
    );
  }

  ping(): Promise<boolean> {
    return this.pinged.take();
  }

  get isDamaged(): boolean {
    return this.writes.isDamaged;
  }

  writeRefusal(isSuspected: boolean): Promise<WriteRefusal | null> {
    return this.writes.refusal(isSuspected);
  }

  /** Migrations go forward only: what is applied stays so, and is not asked again. */
  async isMigrated(): Promise<boolean> {
    this.isUpToDate ||= await this.migrated.take();
    return this.isUpToDate;
  }
}
