import { DatabaseSync } from '@photostructure/sqlite';
import { join } from 'node:path';
import { readEntry } from '../../../../domain/vault/open-entry.ts';
import type { Body } from '../../../support/world.ts';

export interface ChainedEntry {
  readonly entryType: string;
  readonly predicate: Body;
}

/** What waits for its time in a hub's lanes, as the hub's own database tells. */
export class LaneClock {
  private readonly file: string;

  constructor(directory: string) {
    this.file = join(directory, 'data', 'notary.sqlite');
  }

  /** As if the waits between two attempts had passed. Messages, sequences and answers stay as they are. */
  hurry(): void {
    try {
      this.run((database) => {
        database.exec('UPDATE federation_lanes SET due_at = 0 WHERE stopped_at IS NULL');
        database.exec(
          'UPDATE federation_breakers SET consecutive_failures = 0, opened_at = NULL, probe_at = NULL',
        );
      });
    } catch (error) {
      // The hub writes, in this very process: to wait for it here would be to wait for ever.
      if (!/locked|busy/i.test(String(error))) throw error;
    }
  }

  /** Messages of a record, by its id here, that the peer has not answered. */
  waiting(recordId: string): number {
    return this.run((database) => {
      const row = database
        .prepare(
          'SELECT count(*) AS n FROM federation_outgoing WHERE record_id = ? AND in_lane IS NOT NULL',
        )
        .get(rowId(recordId)) as { n: number };
      return row.n;
    });
  }

  /** What was sent and came of it, and what was sealed, in words. */
  told(recordId: string): string {
    const sent = this.run((database) =>
      database
        .prepare(
          'SELECT o.sequence, o.outcome, o.in_lane, l.attempts, l.stopped_reason, l.last_status, l.last_error FROM federation_outgoing o LEFT JOIN federation_lanes l ON l.record_id = o.record_id WHERE o.record_id = ? ORDER BY o.sequence',
        )
        .all(rowId(recordId)),
    );
    const sealed = this.chain(recordId).map(
      ({ entryType, predicate }) =>
        `${entryType} ${predicate['code'] ?? predicate['reason'] ?? predicate['peer']?.code ?? predicate['peer']?.reason ?? ''}`,
    );
    return `sent ${JSON.stringify(sent)}\n   sealed ${sealed.join(', ')}`;
  }

  /** A backup, taken while the hub runs. */
  copyTo(file: string): void {
    this.run((database) => database.exec(`VACUUM INTO '${file}'`));
  }

  /** The chain of a record, by its id here, as it was signed. */
  chain(recordId: string): readonly ChainedEntry[] {
    return this.run((database) => {
      const rows = database
        .prepare(
          'SELECT entry_type, cose_sign1 FROM chain_entries WHERE chain_key = ? ORDER BY position',
        )
        .all(recordId) as { entry_type: string; cose_sign1: Uint8Array }[];
      return rows.map(({ entry_type, cose_sign1 }) => ({
        entryType: entry_type,
        predicate: readEntry(cose_sign1)?.predicate as Body,
      }));
    });
  }

  private run<T>(act: (database: InstanceType<typeof DatabaseSync>) => T): T {
    const database = new DatabaseSync(this.file, { timeout: 0 });
    try {
      return act(database);
    } finally {
      database.close();
    }
  }
}

/** How the embedded database stores a uuid. */
const rowId = (id: string): Uint8Array => Buffer.from(id.replaceAll('-', ''), 'hex');
