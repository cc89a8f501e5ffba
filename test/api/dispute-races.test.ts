import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BootstrapPlatform } from '../../application/operations/bootstrap-platform.ts';
import type { RunningService } from '../../config/service.ts';
import { databases, type TestDatabase } from '../support/databases/databases.ts';
import { disputePath, openJudged } from '../support/stories/disputes.ts';
import { freshSecrets, readStored } from '../support/databases/stored-chains.ts';
import { settingsIn } from '../support/service/settings-in.ts';
import { startWatched } from '../support/service/watched-service.ts';
import {
  AUTO_TYPE,
  Client,
  createWorld,
  entryTypes,
  ok,
  openDecided,
  sleep,
  type Answer,
  type Body,
  type World,
} from '../support/service/world.ts';

const ROUNDS = 8;
const mysql = databases().find(({ name }) => name === 'mysql');

describe.skipIf(!mysql)('disputes in two services on one MySQL database', () => {
  const directory = mkdtempSync(join(tmpdir(), 'notary-races-'));
  const nodes: RunningService[] = [];
  let database: TestDatabase;
  let world: World;

  beforeAll(async () => {
    database = await mysql!.open({ migrated: false });
    const settings = settingsIn(directory, { DATABASE_URL: database.url, ...freshSecrets() });
    for (let n = 0; n < 2; n++) nodes.push(await startWatched(settings));
    const { apiKey } = await nodes[0]!.container.get(BootstrapPlatform).execute();
    world = await createWorld(String(nodes[0]!.url), apiKey);
    await ok(
      world.admin.post('/v1/schemas', {
        ...AUTO_TYPE,
        type: 'auto-short',
        evidenceWindowSeconds: 1,
      }),
    );
  });
  afterAll(async () => {
    for (const node of nodes) await node.stop();
    await database?.drop();
    rmSync(directory, { recursive: true, force: true });
  });

  const on = (node: number, { key }: Client): Client => new Client(String(nodes[node]!.url), key);
  const principal = (node: number) => on(node, world.principal.client);
  const performer = (node: number) => on(node, world.performer.client);
  const concede = (node: number, id: string): Promise<Answer<Body>> =>
    performer(node).post(disputePath(id, 'resolve'), { outcome: 'OVERTURNED', resolution: 'r' });

  /** Exactly one was carried out; the other met the state that the first one left. */
  const oneWinner = (answers: readonly Answer<Body>[]): void => {
    const told = answers.map(({ status, body }) => `${status} ${body['detail'] ?? ''}`).join(' | ');
    expect(
      answers.filter(({ status }) => status < 300),
      told,
    ).toHaveLength(1);
    expect(
      answers.find(({ status }) => status >= 300),
      told,
    ).toMatchObject({ status: 422, body: { code: 'UNPROCESSABLE_STATE', retryable: false } });
  };
  const endings = async (id: string): Promise<readonly string[]> =>
    (await entryTypes(principal(0), id)).filter(
      (type) => type === 'DISPUTE_RESOLVED' || type === 'DISPUTE_WITHDRAWN',
    );

  it('two openings: one is opened', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = await openDecided(world, 'accept');
      oneWinner(
        await Promise.all([
          principal(round % 2).post(disputePath(id)),
          on((round + 1) % 2, world.admin).post(disputePath(id)),
        ]),
      );
      expect(
        (await entryTypes(principal(0), id)).filter((type) => type === 'DISPUTE_OPENED'),
      ).toHaveLength(1);
    }
  });

  it('a resolution against a withdrawal: one ends it', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = await openDecided(world, 'accept');
      await ok(principal(0).post(disputePath(id)));
      oneWinner(
        await Promise.all([
          concede(round % 2, id),
          principal((round + 1) % 2).post(disputePath(id, 'withdraw')),
        ]),
      );
      expect(await endings(id)).toHaveLength(1);
    }
  });

  it('a resolution against the end of the evidence window: one decides', async () => {
    const ids: string[] = [];
    for (let round = 0; round < ROUNDS; round++) ids.push(await openJudged(world, 'auto-short', 9));
    const deadlines = await Promise.all(
      ids.map(async (id) =>
        Date.parse((await ok(principal(0).post(disputePath(id))))['evidenceDeadline']),
      ),
    );
    await Promise.all(
      ids.map(async (id, round) => {
        await sleep(Math.max(0, deadlines[round]! - Date.now() - 15 + round * 5));
        const [conceded] = await Promise.all([
          concede(round % 2, id),
          principal((round + 1) % 2).get(disputePath(id)),
        ]);
        expect([200, 422]).toContain(conceded.status);
      }),
    );
    await sleep(200);
    for (const id of ids) {
      const { phase, outcome, resolvedBy } = await ok(principal(1).get(disputePath(id)));
      expect([phase, outcome]).toEqual([
        'RESOLVED',
        resolvedBy.kind === 'system' ? 'UPHELD' : 'OVERTURNED',
      ]);
      expect(await endings(id)).toEqual(['DISPUTE_RESOLVED']);
    }
  });

  it('leaves chains and rows that agree', async () => {
    expect((await readStored(database)).faults).toEqual([]);
  });
});
