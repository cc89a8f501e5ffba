import { DatabaseSync } from '@photostructure/sqlite';
import { beforeAll, describe, expect, it } from 'vitest';
import { hashJson } from '../../../domain/kernel/digest.ts';
import { useApi } from '../../support/service/api.ts';
import { busyMs } from '../../support/service/event-loop-gap.ts';
import { databasePath, eventsOf } from '../../support/databases/outbox.ts';
import {
  childBody,
  openChild,
  openTeam,
  registerTeams,
  type Party,
} from '../../support/stories/tree.ts';
import {
  addAgent,
  chainOf,
  createWorld,
  ok,
  openJob,
  type Answer,
  type Body,
  type World,
} from '../../support/service/world.ts';

/** Nobody waits for the content of others: what a turn of the writer does is bounded, whatever the records hold. */
const api = useApi();
/** A turn takes a fraction of this; the content of 60 children alone took 10 s. */
const MAX_WAIT_MS = 400;
const CHILDREN = 60;

let worker: Party;
let others: World;

beforeAll(async () => {
  const { world } = api;
  worker = await addAgent(world.admin, world.orgId, 'worker');
  others = await createWorld(world.url, String(world.platform.key), 'Globex');
  await registerTeams(world.admin);
  // The type of the children takes any criteria, so that these may be large in every way.
  await ok(
    world.admin.post('/v1/schemas', {
      type: 'anything',
      criteriaSchema: { type: 'object' },
      completionSchema: { type: 'object' },
    }),
  );
});

/** Nearly 1 MiB, of many small members, which take longest to read and to hash. */
const large = (seed: number): Body => ({
  seed,
  rows: Array.from({ length: 30_000 }, (_, at) => `a row ${at} of the list ${seed}`),
});

/**
 * How long each notarization of somebody else took while `work` ran, in ms that this thread was busy, the longest first:
 * waiting for a core while other suites run is no fault of the service.
 */
const waitsDuring = async (work: () => Promise<unknown>): Promise<number[]> => {
  const waits: number[] = [];
  let isDone = false;
  const notarize = async (): Promise<void> => {
    while (!isDone) {
      const began = busyMs();
      const { status } = await others.principal.client.post('/v1/records', {
        type: 'note',
        criteria: { text: 'short' },
      });
      waits.push(busyMs() - began);
      expect(status).toBe(201);
    }
  };
  const running = [notarize(), notarize()];
  try {
    await work();
  } finally {
    isDone = true;
    await Promise.all(running);
  }
  return waits.sort((a, b) => b - a);
};
const p99 = (waits: readonly number[]): number => waits[Math.floor(waits.length / 100)]!;

describe(`a cancel of ${CHILDREN} children with criteria of a megabyte each`, () => {
  it('keeps nobody waiting, and ends each of them', async () => {
    const { id } = await openTeam(api.world, 'none');
    for (let child = 0; child < CHILDREN; child++)
      await openChild(api.world, id, worker, { type: 'anything', criteria: large(child) });
    let answer: Body = {};
    const waits = await waitsDuring(async () => {
      answer = await ok(
        api.world.principal.client.post(`/v1/records/${String(id)}/cancel`, { cascade: true }),
      );
    });
    expect(answer).toMatchObject({ status: 'CANCELLED', cascade: { cancelled: CHILDREN } });
    expect(p99(waits), `${waits.length} calls`).toBeLessThan(MAX_WAIT_MS);
    const { nodes } = await ok(api.world.platform.get(`/v1/records/${String(id)}/chain`));
    expect(new Set((nodes as Body[]).map(({ status }) => String(status)))).toEqual(
      new Set(['CANCELLED']),
    );
  });
});

it('a cancel of a tree seals the deepest record first and its own last, and none is later than it', async () => {
  const { id: root } = await openTeam(api.world, 'none');
  const { id: middle } = await openChild(api.world, root, null);
  const { id: leaf } = await openChild(api.world, middle, worker);
  await ok(
    api.world.principal.client.post(`/v1/records/${String(root)}/cancel`, { cascade: true }),
  );
  const order = [leaf, middle, root];
  const times = await Promise.all(
    order.map(async (id) => {
      const entries = await chainOf(api.world.platform, id);
      return entries.find(({ entryType }) => entryType === 'RECORD_CANCELLED')!['createdAt'];
    }),
  );
  expect(new Set(times).size).toBe(1);
  const told = eventsOf(api).filter(
    ({ type, recordId }) => type === 'record.cancelled' && order.includes(recordId),
  );
  expect(told.map(({ recordId }) => recordId)).toEqual(order);
});

describe('large criteria that were edited in the database', () => {
  const sql = (text: string, ...values: readonly (string | Uint8Array)[]): void => {
    const database = new DatabaseSync(databasePath(api), { timeout: 5_000 });
    try {
      expect(database.prepare(text).run(...values).changes, text).toBeGreaterThan(0);
    } finally {
      database.close();
    }
  };
  const bytes = (id: unknown): Uint8Array => Buffer.from(String(id).replaceAll('-', ''), 'hex');
  const OTHER = { goal: 'g', threshold: 0, list: large(7) };
  const OTHER_HASH = Buffer.from(hashJson(OTHER), 'hex');
  const EDITS: readonly [string, (id: unknown) => void][] = [
    [
      'changed',
      (id) =>
        sql(
          'UPDATE record_contents SET content = ? WHERE record_id = ?',
          JSON.stringify(OTHER),
          bytes(id),
        ),
    ],
    [
      'changed together with their hash',
      (id) => {
        const text = JSON.stringify(OTHER);
        sql(
          'UPDATE record_contents SET content = ?, hash = ? WHERE record_id = ?',
          text,
          OTHER_HASH,
          bytes(id),
        );
        sql('UPDATE records SET criteria_hash = ? WHERE id = ?', OTHER_HASH, bytes(id));
      },
    ],
    ['deleted', (id) => sql('DELETE FROM record_contents WHERE record_id = ?', bytes(id))],
    [
      'replaced by small ones in the row',
      (id) =>
        sql(`UPDATE records SET criteria = '{"goal":"g","threshold":0}' WHERE id = ?`, bytes(id)),
    ],
  ];
  const expectDrift = ({ status, body }: Answer<Body>): void =>
    expect([status, body['reason']], String(body['detail'])).toEqual([409, 'payload_drift']);

  it.each(EDITS)('%s: nothing is signed on them, and nothing exported', async (_what, edit) => {
    const { principal, performer } = api.world;
    const criteria = { goal: 'g', threshold: 5, list: large(6) };
    const { id } = await openJob(api.world, { criteria });
    const at = `/v1/records/${String(id)}`;
    edit(id);
    expectDrift(await performer.client.post(`${at}/completions`, { evidence: { score: 1 } }));
    expectDrift(await principal.client.post(`${at}/cancel`));
    expectDrift(await principal.client.get(`${at}/audit-export`));
  });

  it('of a child: it ends with its parent, by the hash that was signed, and is exported by nobody', async () => {
    const { id } = await openTeam(api.world, 'none');
    const criteria = large(8);
    const { id: child } = await openChild(api.world, id, worker, { type: 'anything', criteria });
    EDITS[0]![1](child);
    const { principal, platform } = api.world;
    await ok(principal.client.post(`/v1/records/${String(id)}/cancel`, { cascade: true }));
    expectDrift(await platform.get(`/v1/records/${String(child)}/audit-export`));
  });

  it('of a child, with their hash in its row: the cancel of the parent is refused', async () => {
    const { id } = await openTeam(api.world, 'none');
    const criteria = large(9);
    const { id: child } = await openChild(api.world, id, worker, { type: 'anything', criteria });
    EDITS[1]![1](child);
    expectDrift(
      await api.world.principal.client.post(`/v1/records/${String(id)}/cancel`, { cascade: true }),
    );
  });
});

describe('large criteria', () => {
  it('are shown as they were sent, by every answer, and gates judge them', async () => {
    const criteria = { goal: 'g', threshold: 5, list: large(0) };
    const opened = await openJob(api.world, { criteria });
    const { principal, performer } = api.world;
    const { id } = opened;
    for (const shown of [opened, await ok(principal.client.get(`/v1/records/${String(id)}`))])
      expect(shown['criteria']).toEqual(criteria);
    const listed = await ok(principal.client.get('/v1/records?limit=200'));
    expect((listed['data'] as Body[]).find((row) => row['id'] === id)!['criteria']).toEqual(
      criteria,
    );
    const { id: completionId } = await ok(
      performer.client.post(`/v1/records/${String(id)}/completions`, { evidence: { score: 4 } }),
    );
    const judged = await ok(
      principal.client.post(`/v1/records/${String(id)}/verdict`, {
        verdict: 'accept',
        completionId,
      }),
    );
    expect(judged).toMatchObject({ status: 'FULFILLED', criteria });
    const { phase2 } = await ok(principal.client.get(`/v1/records/${String(id)}/gate-status`));
    expect(phase2).toMatchObject({ state: 'ADVISORY_FAILED' });
  });

  it('are offered, countered, and take the place of those before', async () => {
    const { principal, performer } = api.world;
    const [first, second] = [large(1), large(2)];
    const { id } = await ok(
      principal.client.post('/v1/records', {
        type: 'anything',
        criteria: first,
        performerAgentId: performer.id,
      }),
    );
    const at = `/v1/records/${String(id)}`;
    const countered = await ok(
      performer.client.post(`${at}/counter-propose`, { criteria: second }),
    );
    expect(countered).toMatchObject({ criteria: first, counterProposal: { criteria: second } });
    // The same criteria once more, and those that the record began with.
    await ok(principal.client.post(`${at}/counter-propose`, { criteria: first }));
    await ok(performer.client.post(`${at}/counter-propose`, { criteria: second }));
    const accepted = await ok(
      principal.client.post(`${at}/transition`, { action: 'accept-counter' }),
    );
    expect(accepted).toMatchObject({ status: 'ACTIVE', criteria: second, counterProposal: null });
    expect(await ok(performer.client.get(at))).toMatchObject({ criteria: second });
  });

  it('of a parent are not read when a child ends', async () => {
    const { id } = await openTeam(api.world, 'all-fulfilled', 'principal', {
      criteria: { goal: 'g', list: large(3) },
    });
    const child = await ok(api.world.performer.client.post('/v1/records', childBody(id, worker)));
    await ok(api.world.performer.client.post(`/v1/records/${String(child['id'])}/cancel`));
    const entries = await chainOf(api.world.platform, id);
    expect(entries.at(-1)).toMatchObject({ entryType: 'CASCADE_VERIFIED' });
  });
});
