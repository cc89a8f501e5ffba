import { afterAll, beforeAll } from 'vitest';
import type { DatabaseKind, TestDatabase } from './databases.ts';
import { ForgedOffers } from './forged-bytes.ts';
import { HubPair, noting, type OpenRuntime } from './hub-pair.ts';
import { freshSecrets } from './stored-chains.ts';

export interface OffersOn {
  readonly pair: HubPair;
  readonly offers: ForgedOffers;
}

/** Offers of a home that lies, to a hub on such a database, for the suite that calls this; the getter is good inside tests. */
export const useForgedOffers = (kind: DatabaseKind): (() => OffersOn) => {
  const own: TestDatabase[] = [];
  const runtimes: OpenRuntime[] = [];
  let pair: HubPair | undefined;
  let offers: ForgedOffers;
  beforeAll(async () => {
    pair = await HubPair.open(noting(runtimes), async () => {
      const database = await kind.open({ migrated: false });
      own.push(database);
      return { DATABASE_URL: database.url, ...freshSecrets() };
    });
    await pair.peer();
    offers = await ForgedOffers.by([runtimes[0]!, pair.home], [runtimes[1]!, pair.far], pair);
  }, 120_000);
  afterAll(async () => {
    await pair?.close();
    for (const database of own) await database.drop();
  });
  return () => ({ pair: pair!, offers });
};
