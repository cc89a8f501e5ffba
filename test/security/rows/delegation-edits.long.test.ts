import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BootstrapPlatform } from '../../../application/operations/bootstrap-platform.ts';
import type { RunningService } from '../../../config/service.ts';
import {
  childBody,
  endedChild,
  openChild,
  openTeam,
  registerTeams,
  type Party,
} from '../../support/stories/tree.ts';
import { lockedEdit } from '../../support/databases/locked-edit.ts';
import { settingsIn } from '../../support/service/settings-in.ts';
import { startWatched } from '../../support/service/watched-service.ts';
import {
  addAgent,
  Client,
  createWorld,
  ok,
  openDecided,
  openJob,
  type Answer,
  type Body,
  type World,
} from '../../support/service/world.ts';

type Value = string | number | null | Uint8Array;

/** A parent with its children, and the database as somebody else's connection sees it. */
interface Scene {
  readonly world: World;
  readonly parent: string;
  readonly children: readonly string[];
  readonly sql: (text: string, ...values: readonly Value[]) => void;
  readonly one: (text: string, ...values: readonly Value[]) => Record<string, any>;
}

interface Scenario {
  readonly name: string;
  readonly prepare: (world: World, worker: Party) => Promise<Pick<Scene, 'parent' | 'children'>>;
  readonly edit: (scene: Scene) => void;
  readonly act: (scene: Scene) => Promise<Answer<Body>>;
}

const bytes = (id: unknown): Uint8Array => Buffer.from(String(id).replaceAll('-', ''), 'hex');
const set =
  (
    columns: string,
    of: 'parent' | number = 'parent',
    values: (scene: Scene) => readonly Value[] = () => [],
  ) =>
  (scene: Scene): void =>
    scene.sql(
      `UPDATE records SET ${columns} WHERE id = ?`,
      ...values(scene),
      bytes(of === 'parent' ? scene.parent : scene.children[of]),
    );

/** A parent of which one child is fulfilled and the other failed, so that all-fulfilled is not met. */
const halfDone = async (world: World, worker: Party): ReturnType<Scenario['prepare']> => {
  const parent = String((await openTeam(world, 'all-fulfilled', 'auto'))['id']);
  return {
    parent,
    children: [
      await endedChild(world, worker, parent, 'fulfilled'),
      await endedChild(world, worker, parent, 'failed'),
    ],
  };
};
/** A parent that waits for its one open child. */
const waiting = async (world: World, worker: Party): ReturnType<Scenario['prepare']> => {
  const parent = String((await openTeam(world, 'all-fulfilled', 'auto'))['id']);
  return { parent, children: [String((await openChild(world, parent, worker))['id'])] };
};
/** One whose child came to nothing before it was active, so that any-fulfilled is not met. */
const withCancelled = async (world: World, worker: Party): ReturnType<Scenario['prepare']> => {
  const parent = String((await openTeam(world, 'any-fulfilled', 'auto'))['id']);
  return {
    parent,
    children: [await endedChild(world, worker, parent, 'cancelled with a completion')],
  };
};
/** One whose child expired at work, so that all-fulfilled is not met. */
const withExpired = async (
  world: World,
  worker: Party,
  referred = false,
): ReturnType<Scenario['prepare']> => {
  const parent = String((await openTeam(world, 'all-fulfilled', 'auto'))['id']);
  const child = await endedChild(world, worker, parent, 'expired after it was active');
  if (referred)
    await ok(
      worker.client.post(`/v1/records/${child}/references`, {
        kind: 'ticket',
        uri: 'https://tickets.example/8',
      }),
    );
  return { parent, children: [child] };
};
const withRejected = async (world: World, worker: Party): ReturnType<Scenario['prepare']> => {
  const parent = String((await openTeam(world, 'all-fulfilled', 'auto'))['id']);
  return { parent, children: [await endedChild(world, worker, parent, 'rejected')] };
};
/** A parent with an open subtree of two levels. */
const deep = async (world: World, worker: Party): ReturnType<Scenario['prepare']> => {
  const { parent, children } = await waiting(world, worker);
  const middle = String((await openChild(world, parent, null))['id']);
  return {
    parent,
    children: [...children, middle, String((await openChild(world, middle, worker))['id'])],
  };
};
const alone = async (open: Promise<Body>): ReturnType<Scenario['prepare']> => ({
  parent: String((await open)['id']),
  children: [],
});
const cancelledAlone = async (world: World): ReturnType<Scenario['prepare']> => {
  const prepared = await alone(openJob(world));
  await ok(world.principal.client.post(`/v1/records/${prepared.parent}/cancel`, {}));
  return prepared;
};

const cancelledAndReferred = async (world: World): ReturnType<Scenario['prepare']> => {
  const prepared = await cancelledAlone(world);
  await ok(
    world.principal.client.post(`/v1/records/${prepared.parent}/references`, {
      kind: 'ticket',
      uri: 'https://tickets.example/7',
    }),
  );
  return prepared;
};

const submit = ({ world, parent }: Scene): Promise<Answer<Body>> =>
  world.performer.client.post(`/v1/records/${parent}/completions`, { evidence: { score: 9 } });
const cancel =
  (cascade?: boolean) =>
  ({ world, parent }: Scene): Promise<Answer<Body>> =>
    world.principal.client.post(
      `/v1/records/${parent}/cancel`,
      cascade === undefined ? {} : { cascade },
    );
const verify = ({ world, parent }: Scene): Promise<Answer<Body>> =>
  world.principal.client.post(`/v1/records/${parent}/transition`, { action: 'verify-cascade' });
const delegate = ({ world, parent }: Scene): Promise<Answer<Body>> =>
  world.performer.client.post('/v1/records', childBody(parent, null));
const refer = ({ world, parent }: Scene): Promise<Answer<Body>> =>
  world.principal.client.post(`/v1/records/${parent}/references`, {
    kind: 'ticket',
    uri: 'https://tickets.example/9',
  });
const endChild = ({ world, children }: Scene): Promise<Answer<Body>> =>
  world.performer.client.post(`/v1/records/${children[0]}/cancel`, {});
const override = async ({ world, parent }: Scene): Promise<Answer<Body>> => {
  const { latestCompletionId } = await ok(world.principal.client.get(`/v1/records/${parent}`));
  return world.principal.client.post(`/v1/records/${parent}/verdict`, {
    verdict: 'accept',
    completionId: latestCompletionId,
  });
};
const referAgain = ({ world, parent }: Scene): Promise<Answer<Body>> =>
  world.principal.client.post(`/v1/records/${parent}/references`, {
    kind: 'ticket',
    uri: 'https://tickets.example/another',
  });
/** Makes the failed child look as if it were not there, row by row. */
const dropChild =
  (which: number) =>
  ({ sql, children }: Scene): void =>
    sql('DELETE FROM records WHERE id = ?', bytes(children[which]));
const strange = (): readonly Value[] => [randomBytes(16)];

/** In each, whoever has the password of the database changes a row of a tree, and then a call would build on it. */
const SCENARIOS: readonly Scenario[] = [
  {
    name: 'the count of the children lowered, before a completion is judged',
    prepare: halfDone,
    edit: set('child_count = 1'),
    act: submit,
  },
  {
    name: 'the count of the children taken away',
    prepare: halfDone,
    edit: set('child_count = NULL'),
    act: submit,
  },
  {
    name: 'the count of the children taken away, before a cancel',
    prepare: halfDone,
    edit: set('child_count = 1'),
    act: cancel(),
  },
  {
    name: 'all of an open child hidden from a cancel',
    prepare: waiting,
    edit: set('child_count = NULL'),
    act: cancel(),
  },
  {
    name: 'all of an open child hidden from a cancel of the whole subtree',
    prepare: waiting,
    edit: set('child_count = NULL'),
    act: cancel(true),
  },
  {
    name: 'the count of the children lowered, before they are verified',
    prepare: halfDone,
    edit: set('child_count = 1'),
    act: verify,
  },
  {
    name: 'the count of the children raised',
    prepare: halfDone,
    edit: set('child_count = 3'),
    act: submit,
  },
  {
    name: 'a failed child made fulfilled',
    prepare: halfDone,
    edit: set("status = 'FULFILLED'", 1),
    act: submit,
  },
  {
    name: 'a failed child made fulfilled, before the cascade is verified',
    prepare: halfDone,
    edit: set("status = 'FULFILLED'", 1),
    act: verify,
  },
  {
    name: 'a failed child made one that was rejected',
    prepare: halfDone,
    edit: set("status = 'REJECTED'", 1),
    act: submit,
  },
  {
    name: 'an open child made fulfilled, and its parent one that waits for nothing',
    prepare: waiting,
    edit: (scene) => {
      set("status = 'FULFILLED', terminal_at = 1, awaiting = NULL", 0)(scene);
      set("awaiting = 'performer'")(scene);
    },
    act: submit,
  },
  {
    name: 'an open child made cancelled, before its parent is cancelled',
    prepare: waiting,
    edit: set("status = 'CANCELLED', terminal_at = 1, awaiting = NULL", 0),
    act: cancel(),
  },
  {
    name: 'a failed child moved under another parent',
    prepare: halfDone,
    edit: set('parent_record_id = ?', 1, strange),
    act: submit,
  },
  {
    name: 'a failed child made a root',
    prepare: halfDone,
    edit: set('parent_record_id = NULL, root_record_id = NULL, depth = 0', 1),
    act: verify,
  },
  {
    name: 'a child moved under another parent, before it ends itself',
    prepare: waiting,
    edit: set('parent_record_id = ?', 0, strange),
    act: endChild,
  },
  {
    name: 'a child made a root, before it ends itself',
    prepare: waiting,
    edit: set('parent_record_id = NULL, root_record_id = NULL', 0),
    act: endChild,
  },
  { name: 'the row of a child deleted', prepare: halfDone, edit: dropChild(1), act: submit },
  {
    name: 'the row of a child deleted, and the count lowered',
    prepare: halfDone,
    edit: (scene) => {
      dropChild(1)(scene);
      set('child_count = 1')(scene);
    },
    act: submit,
  },
  {
    name: 'the row of an open child deleted, before a cancel',
    prepare: waiting,
    edit: dropChild(0),
    act: cancel(),
  },
  {
    name: 'a child whose completion was taken away, so that it would not count',
    prepare: withCancelled,
    edit: set('latest_completion_id = NULL, latest_evidence_hash = NULL', 0),
    act: verify,
  },
  {
    name: 'a failed child made one that never was active',
    prepare: halfDone,
    edit: set('activated_at = NULL', 1),
    act: submit,
  },
  {
    name: 'an expired child made one that never was active',
    prepare: withExpired,
    edit: set('activated_at = NULL', 0),
    act: submit,
  },
  {
    name: 'an expired child made one that never was active, with an entry after its end',
    prepare: (world, worker) => withExpired(world, worker, true),
    edit: set('activated_at = NULL', 0),
    act: submit,
  },
  {
    name: 'a child that never was active made one that was',
    prepare: withRejected,
    edit: set('activated_at = 1', 0),
    act: verify,
  },
  {
    name: 'the head of the chain of a child given another hash',
    prepare: halfDone,
    edit: ({ sql, children }) =>
      sql('UPDATE chain_heads SET hash = ? WHERE chain_key = ?', randomBytes(32), children[1]!),
    act: submit,
  },
  {
    name: 'the chain of a child set back to before its end',
    prepare: halfDone,
    edit: ({ sql, one, children }) => {
      const first = one(
        'SELECT hash, at FROM chain_entries WHERE chain_key = ? AND position = 1',
        children[1]!,
      );
      sql(
        'UPDATE chain_heads SET position = 1, hash = ?, at = ? WHERE chain_key = ?',
        first['hash'] as Uint8Array,
        first['at'] as number,
        children[1]!,
      );
    },
    act: submit,
  },
  {
    name: 'the rule taken away, together with what the parent waits for',
    prepare: waiting,
    edit: set("cascade_rule = NULL, awaiting = 'performer'"),
    act: submit,
  },
  {
    name: 'the rule taken away, where no child is open',
    prepare: halfDone,
    edit: set('cascade_rule = NULL'),
    act: submit,
  },
  {
    name: 'the rule made one that is met',
    prepare: halfDone,
    edit: set("cascade_rule = 'any-fulfilled'"),
    act: verify,
  },
  {
    name: 'the rule and the count taken away',
    prepare: waiting,
    edit: set("cascade_rule = NULL, child_count = NULL, awaiting = 'performer'"),
    act: submit,
  },
  {
    name: 'the newest signal changed',
    prepare: async (world) => alone(openDecided(world, 'reject').then(({ id }) => ({ id }))),
    edit: set('latest_signal_id = ?', 'parent', strange),
    act: override,
  },
  {
    name: 'the newest signal taken away',
    prepare: async (world) => alone(openDecided(world, 'reject').then(({ id }) => ({ id }))),
    edit: set('latest_signal_id = NULL'),
    act: override,
  },
  {
    name: 'who cancelled changed, with an entry after that',
    prepare: cancelledAndReferred,
    edit: set("cancelled_by = 'performer'"),
    act: (scene) => referAgain(scene),
  },
  {
    name: 'the newest signal changed, with an entry after it',
    prepare: cancelledAndReferred,
    edit: set('latest_signal_id = ?', 'parent', strange),
    act: (scene) => referAgain(scene),
  },
  {
    name: 'who cancelled changed',
    prepare: cancelledAlone,
    edit: set("cancelled_by = 'performer'"),
    act: refer,
  },
  {
    name: 'a parent that ended opened again, before it delegates',
    prepare: cancelledAlone,
    edit: set("status = 'ACTIVE', terminal_at = NULL, cancelled_by = NULL, awaiting = 'performer'"),
    act: delegate,
  },
  {
    name: 'a descendant changed, before the subtree is cancelled: none of it is',
    prepare: deep,
    edit: set("status = 'PROPOSED'", 2),
    act: (scene) => cancel(true)(scene).then((answer) => noneCancelled(answer, scene)),
  },
];

const noneCancelled = (answer: Answer<Body>, { one, parent, children }: Scene): Answer<Body> => {
  const statuses = [parent, ...children].map(
    (id) => one('SELECT status FROM records WHERE id = ?', bytes(id))['status'],
  );
  expect(statuses).not.toContain('CANCELLED');
  return answer;
};

describe.each([
  { what: 'a service that wrote the chains itself', restart: false },
  { what: 'a service that finds the chains as they are stored', restart: true },
])('$what builds nothing on', ({ restart }) => {
  const directory = mkdtempSync(join(tmpdir(), 'notary-edits-'));
  const settings = settingsIn(directory);
  const start = (): Promise<RunningService> => startWatched(settings);
  let service: RunningService | undefined;
  let database: InstanceType<typeof DatabaseSync> | undefined;
  let world: World;
  let worker: Party;
  const scenes = new Map<string, Scene>();

  beforeAll(async () => {
    service = await start();
    const { apiKey } = await service.container.get(BootstrapPlatform).execute();
    world = await createWorld(String(service.url), apiKey);
    worker = await addAgent(world.admin, world.orgId, 'worker');
    await registerTeams(world.admin);
    const prepared = [];
    for (const { name, prepare } of SCENARIOS)
      prepared.push({ name, ...(await prepare(world, worker)) });
    if (restart) {
      await service.stop();
      service = await start();
      const url = String(service.url);
      const here = ({ key }: Client): Client => new Client(url, key);
      world = {
        ...world,
        url,
        platform: here(world.platform),
        admin: here(world.admin),
        principal: { ...world.principal, client: here(world.principal.client) },
        performer: { ...world.performer, client: here(world.performer.client) },
      };
      worker = { ...worker, client: here(worker.client) };
    }
    database = new DatabaseSync(settings.DATABASE_URL.replace('sqlite://', ''), {
      timeout: 100,
      enableForeignKeyConstraints: false,
    });
    for (const { name, parent, children } of prepared)
      scenes.set(name, { world, parent, children, sql, one });
  });
  afterAll(async () => {
    database?.close();
    await service?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  const sql = (text: string, ...values: readonly Value[]): void =>
    expect(database!.prepare(text).run(...values).changes, text).toBeGreaterThan(0);
  const one = (text: string, ...values: readonly Value[]): Record<string, any> =>
    database!.prepare(text).get(...values) as Record<string, any>;
  const signed = (): unknown => [
    one('SELECT COUNT(*) AS entries FROM chain_entries')['entries'],
    // That a key was used is told in passing, some time after it was.
    one("SELECT COUNT(*) AS events FROM outbox WHERE type <> 'key.used'")['events'],
  ];

  it.each(SCENARIOS)('$name', async ({ name, edit, act }) => {
    const scene = scenes.get(name)!;
    await lockedEdit(database!, () => edit(scene));
    const before = signed();
    const { status, body } = await act(scene);
    expect(
      [status, body['code'], body['reason']],
      String(body['detail'] ?? 'it was carried out'),
    ).toEqual([409, 'CONFLICT', 'payload_drift']);
    expect(signed()).toEqual(before);
  });

  it('a genuine tree beside them goes on as before', async () => {
    const { parent } = await halfDone(world, worker);
    expect(
      (
        await world.performer.client.post(`/v1/records/${parent}/completions`, {
          evidence: { score: 9 },
        })
      ).body,
    ).toMatchObject({ recordStatus: 'FAILED' });
    const open = await waiting(world, worker);
    await ok(world.principal.client.post(`/v1/records/${open.parent}/cancel`, { cascade: true }));
    expect(await ok(world.platform.get(`/v1/records/${open.children[0]}`))).toMatchObject({
      status: 'CANCELLED',
    });
  });

  it('an edited awaiting of the parent is refused', async () => {
    const { parent } = await waiting(world, worker);
    await lockedEdit(database!, () =>
      sql("UPDATE records SET awaiting = 'performer' WHERE id = ?", bytes(parent)),
    );
    const before = signed();
    const { status, body } = await world.performer.client.post(
      `/v1/records/${parent}/completions`,
      { evidence: { score: 9 } },
    );
    expect([status, body['code'], body['reason']]).toEqual([409, 'CONFLICT', 'payload_drift']);
    expect(signed()).toEqual(before);
  });

  it('an edited root_record_id of a child is refused', async () => {
    const { parent, children } = await halfDone(world, worker);
    await lockedEdit(database!, () =>
      sql('UPDATE records SET root_record_id = NULL WHERE id = ?', bytes(children[1])),
    );
    const { status, body } = await world.performer.client.post(
      `/v1/records/${parent}/completions`,
      { evidence: { score: 9 } },
    );
    expect([status, body['reason']]).toEqual([409, 'payload_drift']);
  });
});
