import { DatabaseSync } from '@photostructure/sqlite';
import { join } from 'node:path';

/** What waits for its time in a hub's lanes, as the hub's own database tells. */
export class LaneClock {
  private readonly file: string;

  constructor(directory: string) {
    this.file = join(directory, 'data', 'notary.sqlite');
  }

  /** As if the waits between two attempts had passed. Messages, sequences and answers stay as they are. */
  hurry(): void {
    this.run((database) => {
      database.exec('UPDATE federation_lanes SET due_at = 0 WHERE stopped_at IS NULL');
      database.exec(
        'UPDATE federation_breakers SET consecutive_failures = 0, opened_at = NULL, probe_at = NULL',
      );
    });
  }

  /** Messages of a record, by its id here, that the peer has not answered. */
  waiting(recordId: string): number {
    return this.run((database) => {
      const row = database
        .prepare(
          'SELECT count(*) AS n FROM federation_outgoing WHERE record_id = ? AND in_lane IS NOT NULL',
        )
        .get(recordId) as { n: number };
      return row.n;
    });
  }

  /** A backup, taken while the hub runs. */
  copyTo(file: string): void {
    this.run((database) => database.exec(`VACUUM INTO '${file}'`));
  }

  private run<T>(act: (database: InstanceType<typeof DatabaseSync>) => T): T {
    const database = new DatabaseSync(this.file, { timeout: 10_000 });
    try {
      return act(database);
    } finally {
      database.close();
    }
  }
}
