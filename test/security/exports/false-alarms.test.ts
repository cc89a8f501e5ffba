import { afterAll, beforeAll, expect, it } from 'vitest';
import { TOKENS } from '../../../config/tokens.ts';
import { databases, type TestDatabase } from '../../support/databases/databases.ts';
import { EditedHub } from '../../support/attackers/edited-hub.ts';
import { ok } from '../../support/service/world.ts';

const FOR_MS = 4_000;
/** Of one node SQLite keeps units apart. On MySQL another node writes between two reads of a unit. */
const mysql = databases().find(({ name }) => name === 'mysql');

let database: TestDatabase | undefined;
let hub: EditedHub;
beforeAll(async () => {
  database = await mysql?.open();
  if (database) hub = await EditedHub.start(database);
});
afterAll(async () => {
  await hub?.stop();
  await database?.drop();
});

/** Acts again and again, three at once, and gives what was refused. */
const again = async (
  isOver: () => boolean,
  act: (round: number) => Promise<unknown>,
): Promise<readonly string[]> => {
  const refused: string[] = [];
  const lane = async (first: number): Promise<void> => {
    for (let round = first; !isOver(); round++)
      await act(round).catch((error: unknown) => refused.push(String(error)));
  };
  await Promise.all([lane(0), lane(1), lane(2)]);
  return refused;
};

it.skipIf(!mysql)(
  'a row that another node changes is no false alarm, in a unit of work or outside of it',
  async () => {
    await hub.elsewhere(async (_, node) => {
      const { platform } = hub.world;
      const org = await ok(platform.post('/v1/admin/orgs', { name: 'Busy' }));
      const orgId = String(org['id']);
      const sql = node.container.get(TOKENS.sql);
      const until = performance.now() + FOR_MS;
      const isOver = (): boolean => performance.now() > until;
      const [changes, units, reads] = await Promise.all([
        again(isOver, (round) =>
          ok(
            platform.call('PATCH', `/v1/admin/orgs/${orgId}`, {
              settings: { requireCoSignature: round % 2 === 0 ? 'body' : 'none' },
            }),
          ),
        ),
        again(isOver, () => sql.unitOfWork.transaction((stores) => stores.orgs.find(orgId))),
        again(isOver, () => sql.reads.orgs.find(orgId)),
      ]);
      expect([changes, units, reads].map((refused) => refused.slice(0, 1))).toEqual([[], [], []]);
    });
  },
);
