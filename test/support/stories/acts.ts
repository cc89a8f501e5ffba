import { DatabaseSync } from '@photostructure/sqlite';
import { decodeSign1 } from '../../../domain/vault/cose-sign1.ts';
import type { Api } from '../service/api.ts';
import { databasePath } from '../databases/outbox.ts';
import type { Body } from '../service/world.ts';
import { dataIn, signedIn } from '../databases/stored-values.ts';

/** An entry of a chain that is no record's, or an event, as it is stored. */
export interface Left {
  /** `platform`, or `schema` of an org. */
  readonly chain: string;
  /** Of the entry or of the event. */
  readonly type: string;
  readonly orgId: string | null;
  /** The predicate of the entry or the data of the event. */
  readonly says: Body;
}

export interface Traces {
  readonly entries: readonly Left[];
  readonly events: readonly Left[];
}

const PLATFORM = '00000000-0000-0000-0000-000000000000';
/** Written a moment after the use that it tells of, and by every use of a platform key. */
const DEFERRED = 'key.used';

/** What an act leaves on the chains of the platform and of the orgs, and in the feed of events. */
export const tracesOfAct = async <T>(
  api: Pick<Api, 'service'>,
  act: () => Promise<T>,
): Promise<{ readonly result: T } & Traces> => {
  const before = readAll(api);
  const result = await act();
  const after = readAll(api);
  return {
    result,
    entries: newOf(before.entries, after.entries),
    events: newOf(before.events, after.events),
  };
};

const newOf = (
  before: ReadonlyMap<string, Left>,
  after: ReadonlyMap<string, Left>,
): readonly Left[] => [...after].filter(([key]) => !before.has(key)).map(([, left]) => left);

const readAll = (
  api: Pick<Api, 'service'>,
): { readonly entries: ReadonlyMap<string, Left>; readonly events: ReadonlyMap<string, Left> } => {
  const database = new DatabaseSync(databasePath(api), { readOnly: true, timeout: 5_000 });
  try {
    const sealed = database
      .prepare(
        "SELECT chain_key, position, entry_type, org_id, cose_sign1 FROM chain_entries WHERE chain_key = ? OR chain_key LIKE 'schema:%' ORDER BY chain_key, position",
      )
      .all(PLATFORM) as Body[];
    const told = database
      .prepare(
        'SELECT id, type, org_id, data FROM outbox WHERE record_id IS NULL AND type <> ? ORDER BY id',
      )
      .all(DEFERRED) as Body[];
    return {
      entries: new Map(
        sealed.map((row) => {
          const statement = JSON.parse(
            Buffer.from(decodeSign1(signedIn(row)).payload).toString(),
          ) as Body;
          return [
            `${row['chain_key']} ${row['position']}`,
            {
              chain: row['chain_key'] === PLATFORM ? 'platform' : 'schema',
              type: String(row['entry_type']),
              orgId: uuidOf(row['org_id']),
              says: statement['predicate'] as Body,
            },
          ];
        }),
      ),
      events: new Map(
        told.map((row) => [
          Buffer.from(row['id'] as Uint8Array).toString('hex'),
          {
            chain: '',
            type: String(row['type']),
            orgId: uuidOf(row['org_id']),
            says: dataIn(row),
          },
        ]),
      ),
    };
  } finally {
    database.close();
  }
};

const uuidOf = (value: unknown): string | null =>
  value === null
    ? null
    : Buffer.from(value as Uint8Array)
        .toString('hex')
        .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
