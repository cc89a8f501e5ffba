import { afterAll, beforeAll, expect } from 'vitest';
import { EditedHub } from '../attackers/edited-hub.ts';
import type { DatabaseKind, TestDatabase } from '../databases/databases.ts';
import { addAgent, type Answer, type Body, type Client } from './world.ts';

/** So few calls a minute that a test exceeds them at once. */
export const LIMIT = 6;
export const LIMITS = {
  RATE_LIMIT_AGENT: String(LIMIT),
  RATE_LIMIT_RECORDS_CREATE: '4',
  RATE_LIMIT_ADMIN: '900',
};
/** Another node, or this one after an edit behind it, learns of it within a second; the machine may be slow. */
export const SOON = { timeout: 40_000, interval: 200 };

export const exemptionPath = (ownerId: string): string =>
  `/v1/admin/rate-limit-exemptions/${ownerId}`;
export const exempt = (platform: Client, ownerId: string): Promise<Answer<Body>> =>
  platform.call<Body>('PUT', exemptionPath(ownerId));
export const restore = (platform: Client, ownerId: string): Promise<Answer<Body>> =>
  platform.call<Body>('DELETE', exemptionPath(ownerId));

/** Each answer of more calls than the limit, one after the other. */
export const burst = async (client: Client): Promise<readonly Answer<Body>[]> => {
  const answers: Answer<Body>[] = [];
  for (let n = 0; n <= LIMIT; n++) answers.push(await client.get('/v1/auth/me'));
  return answers;
};
export const lastOfBurst = async (client: Client): Promise<number> =>
  (await burst(client)).at(-1)!.status;
export const allPass = async (client: Client): Promise<void> =>
  expect((await burst(client)).map(({ status }) => status)).toEqual(Array(LIMIT + 1).fill(200));

/** A hub with these limits on a database of its own, for the suite that calls this. The members exist inside tests. */
export const useLimitedHub = (kind: DatabaseKind): LimitedHub => {
  const made = {} as { database: TestDatabase; hub: EditedHub };
  let names = 0;
  beforeAll(async () => {
    made.database = await kind.open();
    made.hub = await EditedHub.start(made.database, LIMITS);
  }, 120_000);
  afterAll(async () => {
    await made.hub?.stop();
    await made.database?.drop();
  });
  return Object.assign(made, {
    agent: () => {
      const { admin, orgId } = made.hub.world;
      return addAgent(admin, orgId, `bulk-${names++}`);
    },
  });
};

interface LimitedHub {
  readonly database: TestDatabase;
  readonly hub: EditedHub;
  readonly agent: () => ReturnType<typeof addAgent>;
}
