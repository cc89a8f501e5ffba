import { DatabaseSync } from '@photostructure/sqlite';
import { join } from 'node:path';
import { readEntry } from '../../../../domain/vault/open-entry.ts';
import type { Body } from '../../../support/service/world.ts';
import { signedIn } from '../../../support/databases/stored-values.ts';

export interface ChainedEntry {
  readonly entryType: string;
  readonly predicate: Body;
}

/** What waits for its time in a hub's lanes, as the hub's own database tells. */
export class LaneClock {
  /** @param run SQL past the service, as somebody with the database's password would send it. */
  constructor(private readonly run: (sql: string) => Promise<readonly Row[]>) {}

  /** As if the waits between two attempts had passed. Messages, sequences and answers stay as they are. */
  async hurry(): Promise<void> {
    try {
      await this.run('UPDATE federation_lanes SET due_at = 0 WHERE stopped_at IS NULL');
      await this.run(
        'UPDATE federation_breakers SET consecutive_failures = 0, opened_at = NULL, probe_at = NULL',
      );
    } catch (error) {
      // The hub writes; on SQLite in this very process, so to wait for it here would be to wait for ever.
      if (!/locked|busy|lock wait|deadlock/i.test(String(error))) throw error;
    }
  }

  /** Messages of a record, by its id here, that the peer has not answered. */
  async waiting(recordId: string): Promise<number> {
    const [row] = await this.run(
      `SELECT count(*) AS n FROM federation_outgoing WHERE record_id = ${literal(recordId)} AND in_lane IS NOT NULL`,
    );
    return Number(row?.['n']);
  }

  /** What was sent and came of it, and what was sealed, in words. */
  async told(recordId: string): Promise<string> {
    const sent = await this.run(
      `SELECT o.sequence, o.outcome, o.in_lane, l.attempts, l.stopped_reason, l.last_status, l.last_error FROM federation_outgoing o LEFT JOIN federation_lanes l ON l.record_id = o.record_id WHERE o.record_id = ${literal(recordId)} ORDER BY o.sequence`,
    );
    const sealed = (await this.chain(recordId)).map(
      ({ entryType, predicate }) =>
        `${entryType} ${predicate['code'] ?? predicate['reason'] ?? predicate['peer']?.code ?? predicate['peer']?.reason ?? ''}`,
    );
    return `sent ${JSON.stringify(sent)}\n   sealed ${sealed.join(', ')}`;
  }

  /** A backup, taken while the hub runs; of SQLite. */
  async copyTo(file: string): Promise<void> {
    await this.run(`VACUUM INTO '${file}'`);
  }

  /** The chain of a record, by its id here, as it was signed. */
  async chain(recordId: string): Promise<readonly ChainedEntry[]> {
    const rows = await this.run(
      `SELECT entry_type, cose_sign1 FROM chain_entries WHERE chain_key = '${recordId}' ORDER BY position`,
    );
    return rows.map((row) => ({
      entryType: String(row['entry_type']),
      predicate: readEntry(signedIn(row))?.predicate as Body,
    }));
  }
}

type Row = Readonly<Record<string, unknown>>;

/** On the file of a hub that runs on SQLite. */
export const sqliteIn =
  (directory: string) =>
  (sql: string): Promise<readonly Row[]> => {
    const database = new DatabaseSync(join(directory, 'data', 'notary.sqlite'), { timeout: 0 });
    try {
      return Promise.resolve(database.prepare(sql).all() as Row[]);
    } catch (error) {
      return Promise.reject(error instanceof Error ? error : new Error(String(error)));
    } finally {
      database.close();
    }
  };

/** How both databases take a uuid. */
const literal = (id: string): string => `x'${id.replaceAll('-', '')}'`;
