import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BootstrapPlatform } from '../../application/operations/bootstrap-platform.ts';
import { databases } from '../support/databases/databases.ts';
import { ServiceProcess } from '../support/service/service-process.ts';
import { freshSecrets } from '../support/databases/stored-chains.ts';
import { settingsIn } from '../support/service/settings-in.ts';
import { startWatched } from '../support/service/watched-service.ts';
import {
  addAgent,
  Client,
  createWorld,
  mintKey,
  ok,
  sleep,
  type Body,
  type World,
} from '../support/service/world.ts';

/** The bound of the specification is a second; identity.md 2. */
const BOUND_MS = 1_000;
const ROUNDS = 5;
/** Between two questions to the other node, and taken off the bound: it may have let the key in meanwhile. */
const PAUSE_MS = 10;
/** The rounds run side by side, each begun at another moment of the second that the other node may be behind. */
const APART_MS = BOUND_MS / ROUNDS;
const mysql = databases().find(({ name }) => name === 'mysql');

interface Nodes {
  readonly urls: readonly [string, string];
  readonly apiKey: string;
  close(): Promise<void>;
}

const twoContainers = async (): Promise<Nodes> => {
  const directory = mkdtempSync(join(tmpdir(), 'notary-nodes-'));
  const start = async () => {
    const settings = settingsIn(directory);
    return startWatched(settings);
  };
  const [a, b] = [await start(), await start()];
  const { apiKey } = await a.container.get(BootstrapPlatform).execute();
  return {
    urls: [String(a.url), String(b.url)],
    apiKey,
    close: async () => {
      await Promise.all([a.stop(), b.stop()]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
};

const twoProcesses = async (): Promise<Nodes> => {
  const database = await mysql!.open({ migrated: false });
  const env = { DATABASE_URL: database.url, ...freshSecrets() };
  const [a, b] = [new ServiceProcess(env), new ServiceProcess(env)];
  const { apiKey } = await a.bootstrap();
  await Promise.all([a.start(), b.start()]);
  return {
    urls: [a.url, b.url],
    apiKey,
    close: async () => {
      await Promise.all([a.stop('SIGKILL'), b.stop('SIGKILL')]);
      await database.drop();
      for (const node of [a, b]) rmSync(node.directory, { recursive: true, force: true });
    },
  };
};

describe.each([
  { where: 'two containers on one SQLite database', open: twoContainers },
  ...(mysql ? [{ where: 'two processes on one MySQL database', open: twoProcesses }] : []),
])('$where', ({ open }) => {
  let nodes: Nodes;
  let world: World;
  beforeAll(async () => {
    nodes = await open();
    world = await createWorld(nodes.urls[0], nodes.apiKey);
  });
  afterAll(() => nodes?.close());

  /** How long the other node still lets the key in after the change was answered, at worst; the one that served it must not. */
  const measure = async (
    change: (agent: { id: string; client: Client }, keyId: string) => Promise<Body>,
    code: string,
  ): Promise<number> => {
    const once = async (round: number): Promise<number> => {
      await sleep(round * APART_MS);
      let worst = 0;
      const agent = await addAgent(world.admin, world.orgId, `agent ${round}`);
      const { keyId, client } = await mintKey(world.admin, agent.id, {});
      const elsewhere = new Client(nodes.urls[1], client.key);
      // Cached on both, a moment ago on the other.
      for (const one of [client, elsewhere, elsewhere])
        expect((await one.get('/v1/auth/me')).status).toBe(200);
      await change(agent, keyId);
      const changed = performance.now();
      expect((await client.get('/v1/auth/me')).body['code']).toBe(code);
      for (;;) {
        const asked = performance.now();
        const { status, body } = await elsewhere.get('/v1/auth/me');
        if (status !== 200) {
          expect(body['code']).toBe(code);
          return worst;
        }
        worst = Math.max(worst, asked - changed);
        expect(worst).toBeLessThan(BOUND_MS - PAUSE_MS);
        await sleep(PAUSE_MS);
      }
    };
    return Math.max(
      ...(await Promise.all(Array.from({ length: ROUNDS }, (_, round) => once(round)))),
    );
  };

  it('a deactivation takes effect at once where it was made and within a second on the other node', async () => {
    const worst = await measure(
      ({ id }) => ok(world.admin.post(`/v1/admin/agents/${id}/deactivate`)),
      'ACCOUNT_DEACTIVATED',
    );
    process.stdout.write(`deactivation: let in for ${Math.round(worst)} ms elsewhere\n`);
  });

  it('so does a revocation', async () => {
    await measure(
      (_agent, keyId) => ok(world.admin.patch(`/v1/admin/api-keys/${keyId}`, { isActive: false })),
      'UNAUTHORIZED',
    );
  });

  it('so does a bulk revocation', async () => {
    await measure(
      ({ id }) => ok(world.admin.post('/v1/admin/api-keys/bulk-revoke', { ownerId: id })),
      'UNAUTHORIZED',
    );
  });

  it('a revocation of the keys that were never used takes none that was let in, on either node, at the same time', async () => {
    const agent = await addAgent(world.admin, world.orgId, 'barely used');
    const begun = { used: 0, revoked: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      const keys = await Promise.all(
        Array.from({ length: 12 }, () => mintKey(world.admin, agent.id, {})),
      );
      const use = async ({ client }: { client: Client }, at: number): Promise<boolean> => {
        await sleep(at * round);
        const { status } = await new Client(nodes.urls[at % 2]!, client.key).get('/v1/auth/me');
        return status === 200;
      };
      // A third is used before, a third meanwhile, a third not at all.
      const before = await Promise.all(keys.slice(0, 4).map(use));
      const [meanwhile, swept] = await Promise.all([
        Promise.all(keys.slice(4, 8).map(use)),
        sleep(2 * round).then(() =>
          ok(
            world.admin.post('/v1/admin/api-keys/bulk-revoke', {
              ownerId: agent.id,
              neverUsed: true,
              createdBefore: new Date(Date.now() + 60_000).toISOString(),
            }),
          ),
        ),
      ]);
      const revoked = new Set(swept['keyIds'] as string[]);
      const wasLetIn = [...before, ...meanwhile];
      expect(before).toEqual([true, true, true, true]);
      for (const [at, { keyId }] of keys.entries())
        expect({ at, keyId, revoked: revoked.has(keyId) }).toEqual({
          at,
          keyId,
          revoked: !wasLetIn[at],
        });
      begun.used += meanwhile.filter(Boolean).length;
      begun.revoked += meanwhile.filter((was) => !was).length;
    }
    process.stdout.write(`used meanwhile: ${begun.used} let in, ${begun.revoked} revoked before\n`);
  });

  it('so does the demand of an org for co-signatures', async () => {
    const demand = (requireCoSignature: string): Promise<Body> =>
      ok(world.admin.patch(`/v1/admin/orgs/${world.orgId}`, { settings: { requireCoSignature } }));
    const { key } = world.principal.client;
    const [here, elsewhere] = nodes.urls.map((url) => new Client(url, key)) as [Client, Client];
    for (let round = 0; round < ROUNDS; round++) {
      for (const one of [here, elsewhere, elsewhere])
        expect((await one.get('/v1/records')).status).toBe(200);
      await sleep(round * APART_MS);
      await demand('request');
      const changed = performance.now();
      expect((await here.get('/v1/records')).status).toBe(403);
      for (;;) {
        const asked = performance.now();
        if ((await elsewhere.get('/v1/records')).status !== 200) break;
        expect(asked - changed).toBeLessThan(BOUND_MS - PAUSE_MS);
        await sleep(PAUSE_MS);
      }
      await demand('none');
      await sleep(BOUND_MS);
    }
  });

  it('a deactivation and the deactivation of the other last admin, one on each node: one is refused', async () => {
    const platform = nodes.urls.map((url) => new Client(url, nodes.apiKey));
    for (let round = 0; round < ROUNDS; round++) {
      const org = await ok(
        world.platform.post('/v1/admin/orgs', {
          name: `Two doors ${round}`,
          bootstrapAdmin: true,
        }),
      );
      const { ownerId, apiKey } = org['bootstrapKey'] as Body;
      const second = await ok(
        new Client(nodes.urls[0], String(apiKey)).post('/v1/admin/agents', {
          name: 'second',
          orgId: org['id'],
        }),
      );
      await mintKey(new Client(nodes.urls[0], String(apiKey)), String(second['id']), {
        role: 'admin',
      });
      const statuses = (
        await Promise.all(
          [ownerId, second['id']].map((id, at) =>
            platform[at]!.post(`/v1/admin/agents/${String(id)}/deactivate`),
          ),
        )
      ).map(({ status }) => status);
      expect(statuses.sort()).toEqual([200, 403]);
    }
  });
});
