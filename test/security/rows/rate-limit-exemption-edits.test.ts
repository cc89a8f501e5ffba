import { beforeAll, describe, expect, it } from 'vitest';
import { TOKENS } from '../../../config/tokens.ts';
import { quickDatabases, type TestDatabase } from '../../support/databases/databases.ts';
import type { EditedHub, Row } from '../../support/attackers/edited-hub.ts';
import {
  allPass,
  exempt,
  exemptionPath,
  lastOfBurst,
  restore,
  SOON,
  useLimitedHub,
} from '../../support/service/exemptions.ts';
import { reasonsOf } from '../../support/service/health.ts';
import { expectProblem } from '../../support/stories/problems.ts';
import { Client, ok, type World } from '../../support/service/world.ts';

const hex = (value: unknown): string => `X'${Buffer.from(value as Uint8Array).toString('hex')}'`;
const idHex = (id: string): string => `X'${id.replaceAll('-', '')}'`;

describe.each(quickDatabases())(
  'rate-limit exemptions edited behind the service on $name',
  (kind) => {
    let database: TestDatabase;
    let hub: EditedHub;
    let world: World;
    const limited = useLimitedHub(kind);
    const { agent } = limited;
    beforeAll(() => {
      ({ database, hub } = limited);
      ({ world } = hub);
    });
    const TABLE = 'rate_limit_exemptions';
    const exemptAgent = async () => {
      const made = await agent();
      await ok(exempt(world.platform, made.id));
      await allPass(made.client);
      const where = `owner_id = ${idHex(made.id)}`;
      return { ...made, where, row: await hub.row(TABLE, where) };
    };
    const insert = (row: Row): Promise<unknown> =>
      database.raw(
        `INSERT INTO ${TABLE} (${Object.keys(row).join(', ')}) VALUES (${Object.values(row)
          .map((value) => (value instanceof Uint8Array ? hex(value) : String(value)))
          .join(', ')})`,
      );

    /** What the chain says reaches every node within a second. */
    const putBack = async (id: string, client: Client, row: Row): Promise<void> => {
      await insert(row);
      try {
        await expect
          .poll(async () => (await world.platform.get(exemptionPath(id))).body['reason'], SOON)
          .toBe('payload_drift');
        const known = await hub.service.container.get(TOKENS.rateLimitExemptionReads).owners();
        expect(known.has(id)).toBe(false);
        await expect.poll(() => lastOfBurst(client), SOON).toBe(429);
        await hub.elsewhere(async ({ url }) =>
          expect(await lastOfBurst(new Client(url, client.key))).toBe(429),
        );
      } finally {
        await hub.remove(TABLE, `owner_id = ${idHex(id)}`);
      }
    };

    it('a row that somebody adds exempts nobody, takes nothing from the others, and is told', async () => {
      const good = await exemptAgent();
      const other = await agent();
      await insert({
        ...good.row,
        owner_id: Buffer.from(other.id.replaceAll('-', ''), 'hex'),
      });
      try {
        // Long enough for every node to have read it.
        await expect
          .poll(async () => {
            await good.client.get('/v1/auth/me');
            return reasonsOf(hub.service);
          }, SOON)
          .toContain('row_tampered');
        expect(await lastOfBurst(other.client)).toBe(429);
        await allPass(good.client);
        expectProblem(await world.platform.get(exemptionPath(other.id)), 409, 'CONFLICT', {
          reason: 'payload_drift',
        });
        expectProblem(await exempt(world.platform, other.id), 409, 'CONFLICT', {
          reason: 'payload_drift',
        });
      } finally {
        await hub.remove(TABLE, `owner_id = ${idHex(other.id)}`);
      }
      await ok(exempt(world.platform, other.id));
      await allPass(other.client);
    });

    it('a row that is changed exempts neither whom it named nor whom it names', async () => {
      const [named, other] = [await exemptAgent(), await agent()];
      await hub.set(
        TABLE,
        'owner_id',
        Buffer.from(other.id.replaceAll('-', ''), 'hex'),
        named.where,
      );
      await expect.poll(() => lastOfBurst(named.client), SOON).toBe(429);
      expect(await lastOfBurst(other.client)).toBe(429);
      const now = `owner_id = ${idHex(other.id)}`;
      await hub.set(TABLE, 'owner_id', Buffer.from(named.id.replaceAll('-', ''), 'hex'), now);
      await expect.poll(async () => (await named.client.get('/v1/auth/me')).status, SOON).toBe(200);
    });

    it('whose row is deleted is limited as everybody is, until it is exempted anew', async () => {
      const { id, client, where } = await exemptAgent();
      await hub.remove(TABLE, where);
      await expect.poll(() => lastOfBurst(client), SOON).toBe(429);
      await ok(exempt(world.platform, id));
      await allPass(client);
    });

    it.each(['taken back', 'given anew and taken back'])(
      'an exemption whose row was deleted, and that was then %s, does not return with the row',
      async (since) => {
        const { id, client, where, row } = await exemptAgent();
        await hub.remove(TABLE, where);
        if (since !== 'taken back') await ok(exempt(world.platform, id));
        await ok(restore(world.platform, id));
        expectProblem(await restore(world.platform, id), 404, 'NOT_FOUND');
        await putBack(id, client, row);
      },
    );

    it('a row that was taken back and is put back exempts nobody', async () => {
      const { id, client, row } = await exemptAgent();
      await ok(restore(world.platform, id));
      await putBack(id, client, row);
    });
  },
);
