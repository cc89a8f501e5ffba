import { DatabaseSync } from '@photostructure/sqlite';
import { TOKENS } from '../../../config/tokens.ts';
import type { Api } from '../service/api.ts';
import { dataIn } from './stored-values.ts';
import type { Body } from '../service/world.ts';

/** One event as it waits for its delivery. */
export interface Told {
  readonly type: string;
  readonly recordId: string;
  readonly data: Body;
}

/** The events of a record, or of all, in the order in which they were written: their ids ascend. */
export const eventsOf = (api: Pick<Api, 'service'>, recordId?: unknown): readonly Told[] => {
  const database = new DatabaseSync(databasePath(api), { readOnly: true, timeout: 5_000 });
  try {
    const rows =
      recordId === undefined
        ? database
            .prepare('SELECT type, data FROM outbox WHERE record_id IS NOT NULL ORDER BY id')
            .all()
        : database
            .prepare('SELECT type, data FROM outbox WHERE record_id = ? ORDER BY id')
            .all(Buffer.from(String(recordId).replaceAll('-', ''), 'hex'));
    return (rows as Body[]).map((row) => {
      const told = dataIn(row);
      return { type: String(row['type']), recordId: String(told['recordId']), data: told };
    });
  } finally {
    database.close();
  }
};

export const databasePath = ({ service }: Pick<Api, 'service'>): string =>
  service.container.get(TOKENS.settings).DATABASE_URL.replace('sqlite://', '');
