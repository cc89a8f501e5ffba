import { randomUUID } from 'node:crypto';
import { DatabaseSync } from '@photostructure/sqlite';
import { rowKeysOf } from '../../../adapters/keys/row-keys.ts';
import {
  EVENT_COUNTER,
  numberColumns,
  NUMBER_PLACES,
  OUTBOX,
} from '../../../adapters/sql/events/outbox-row.ts';
import { RowMacs } from '../../../adapters/sql/tables/row-macs.ts';
import { uuidToSql } from '../../../adapters/sql/base/values.ts';
import type { DomainEvent } from '../../../domain/event/event.ts';

export interface Filling {
  readonly file: string;
  /** SECRETS_KEY, base64. */
  readonly secretsKey: string;
  readonly count: number;
  /** @param n 0 … count - 1. */
  readonly event: (n: number) => Omit<DomainEvent, 'id' | 'data' | 'createdAt' | 'position'>;
  /** ISO 8601, of the nth. */
  readonly at: (n: number) => string;
}

/** Numbered events with their MACs, in one transaction, in a database that no service is running on. */
export const fillOutbox = ({ file, secretsKey, count, event, at }: Filling): void => {
  const macs = new RowMacs(rowKeysOf([Buffer.from(secretsKey, 'base64')]));
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -400000; BEGIN');
    const { columns, columnList } = OUTBOX;
    const insert = database.prepare(
      `INSERT INTO outbox (${columnList}) VALUES (${columns.map(() => '?').join(', ')})`,
    );
    const newest = database.prepare('SELECT MAX(sequence) AS last FROM outbox').get() as {
      readonly last: number | null;
    };
    const before = Number(newest.last ?? 0);
    for (let n = 0; n < count; n++) {
      const told: DomainEvent = {
        ...event(n),
        id: randomUUID(),
        data: { n, requestId: randomUUID() },
        createdAt: at(n),
        position: 1,
      };
      const values = [...macs.seal(OUTBOX, OUTBOX.toRow({ ...told, ordinal: 0 }))];
      const number = { sequence: before + n + 1, numberedAt: Date.parse(told.createdAt) };
      const named = numberColumns(macs, uuidToSql(told.id), number);
      for (const [name, place] of NUMBER_PLACES) values[place] = named[name];
      insert.run(...(values as never[]));
    }
    const last = before + count;
    const counter = macs.seal(
      EVENT_COUNTER,
      EVENT_COUNTER.toRow({
        id: '00000000-0000-0000-0000-000000000000',
        last,
        numberedAt: Date.parse(at(count - 1)),
      }),
    );
    const [, sequence, numberedAt, key, mac] = counter;
    database
      .prepare('UPDATE event_counter SET last = ?, numbered_at = ?, row_key = ?, row_mac = ?')
      .run(...([sequence, numberedAt, key, mac] as never[]));
    database.exec('COMMIT');
  } finally {
    database.close();
  }
};
