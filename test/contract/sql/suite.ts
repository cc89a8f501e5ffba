import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll } from 'vitest';
import type { EventReads } from '../../../domain/event/event-reads.port.ts';
import type { DatabaseKind, TestDatabase } from '../../support/databases/databases.ts';
import { SIGNING_KEY } from './samples.ts';

/**
 * A database for the suite that calls this; the getter is good inside tests and hooks.
 *
 * @param signingKey whether the key of the samples is active there: nothing else that it signs could be stored.
 */
export const useDatabase = (
  kind: DatabaseKind,
  { signingKey = true } = {},
): (() => TestDatabase) => {
  let database: TestDatabase | undefined;
  beforeAll(async () => {
    database = await kind.open();
    if (signingKey)
      await database.raw(
        `INSERT INTO vault_signing_keys (key_id, algorithm, public_key, status, activated_at) VALUES ('${SIGNING_KEY}', 'Ed25519', x'00', 'active', 0)`,
      );
  });
  afterAll(() => database?.drop());
  return () => {
    if (!database) throw new Error('the database is not open yet');
    return database;
  };
};

/** Waits until so many have their number. */
export const numbered = async (reads: EventReads, count: number): Promise<void> => {
  for (let tries = 0; (await reads.newest()) < count; tries++) {
    if (tries > 500) throw new Error(`only ${await reads.newest()} of ${count} were numbered`);
    await sleep(10);
  }
};

/** The items of all pages. */
export const flat = async <T>(pages: AsyncIterable<readonly T[]>): Promise<T[]> => {
  const all: T[] = [];
  for await (const page of pages) all.push(...page);
  return all;
};
