import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BootstrapPlatform } from '../../../application/operations/bootstrap-platform.ts';
import type { RunningService } from '../../../config/service.ts';
import { hashJson } from '../../../domain/kernel/digest.ts';
import { disputePath, openDisputed } from '../../support/stories/disputes.ts';
import { lockedEdit } from '../../support/databases/locked-edit.ts';
import { settingsIn } from '../../support/service/settings-in.ts';
import { startWatched } from '../../support/service/watched-service.ts';
import {
  Client,
  createWorld,
  JOB_TYPE,
  ok,
  openDecided,
  openDelivered,
  sleep,
  type Answer,
  type Body,
  type World,
} from '../../support/service/world.ts';

type Value = string | number | null | Uint8Array;
type Sql = (text: string, ...values: readonly Value[]) => void;

interface Scenario {
  readonly name: string;
  readonly prepare: (world: World) => Promise<{ id: string; disputeId: string }>;
  readonly edit: (sql: Sql, scene: { id: Uint8Array; disputeId: Uint8Array }) => void;
  readonly act: (world: World, id: string) => Promise<Answer<Body>>;
}

const bytes = (id: string): Uint8Array => Buffer.from(id.replaceAll('-', ''), 'hex');

const disputed = async (world: World): ReturnType<Scenario['prepare']> => {
  const { id, dispute } = await openDisputed(world, {}, { statement: 's', evidence: { n: 1 } });
  await ok(world.performer.client.post(disputePath(id, 'evidence'), { evidence: { n: 2 } }));
  return { id, disputeId: String(dispute['id']) };
};
const withdrawn = async (world: World, type: string): ReturnType<Scenario['prepare']> => {
  const { id, dispute } = await openDisputed(world, { type });
  await ok(world.principal.client.post(disputePath(id, 'withdraw')));
  return { id, disputeId: String(dispute['id']) };
};

const escalate: Scenario['act'] = (world, id) =>
  world.performer.client.post(disputePath(id, 'escalate'));
const concede: Scenario['act'] = (world, id) =>
  world.performer.client.post(disputePath(id, 'resolve'), {
    outcome: 'OVERTURNED',
    resolution: 'r',
  });
const reopen: Scenario['act'] = (world, id) => world.principal.client.post(disputePath(id));
const refer: Scenario['act'] = (world, id) =>
  world.principal.client.post(`/v1/records/${id}/references`, { kind: 'ticket', uri: 'urn:x:1' });

const read: Scenario['act'] = (world, id) => world.platform.get(`/v1/records/${id}`);
/** Decided under a type of which the time to dispute is over in a moment. */
const shortly = async (
  world: World,
  verdict: 'accept' | 'reject',
): ReturnType<Scenario['prepare']> => {
  const { id } = await openDecided(world, verdict, { type: 'brief' });
  await sleep(1100);
  await ok(read(world, String(id)));
  return { id: String(id), disputeId: '' };
};
/** As if a HOLD waited for the end of that time. */
const held: Scenario['edit'] = (sql, { id }) =>
  sql('UPDATE records SET dispute_deadline = terminal_at + 1000 WHERE id = ?', id);

const OTHER = '{"kind":"agent","agentId":"0190a000-0000-7000-8000-0000000000ff"}';
const row =
  (set: string, ...values: readonly Value[]): Scenario['edit'] =>
  (sql, { disputeId }) =>
    sql(`UPDATE disputes SET ${set} WHERE id = ?`, ...values, disputeId);
const piece =
  (ordinal: number, set: string, ...values: readonly Value[]): Scenario['edit'] =>
  (sql, { disputeId }) =>
    sql(
      `UPDATE dispute_evidence SET ${set} WHERE dispute_id = ? AND ordinal = ?`,
      ...values,
      disputeId,
      ordinal,
    );
const record =
  (set: string, ...values: readonly Value[]): Scenario['edit'] =>
  (sql, { id }) =>
    sql(`UPDATE records SET ${set} WHERE id = ?`, ...values, id);
const forged = (content: Body): readonly Value[] => [
  JSON.stringify(content),
  Buffer.from(hashJson(content), 'hex'),
];

/** In each, whoever has the password of the database changes a row, and then a call would have it sealed. */
const SCENARIOS: readonly Scenario[] = [
  {
    name: 'the phase of a dispute moved to another tier',
    prepare: disputed,
    edit: row("phase = 'TIER_3_ARBITRATION', tier = 3"),
    act: (world, id) =>
      world.platform.post(disputePath(id, 'resolve'), { outcome: 'UPHELD', resolution: 'r' }),
  },
  {
    name: 'another made the initiator, so that the initiator may concede to itself',
    prepare: disputed,
    edit: row('initiated_by = ?', OTHER),
    act: concede,
  },
  {
    name: 'the side that disputes turned round',
    prepare: disputed,
    edit: row("side = 'performer'"),
    act: (world, id) =>
      world.principal.client.post(disputePath(id, 'resolve'), {
        outcome: 'OVERTURNED',
        resolution: 'r',
      }),
  },
  {
    name: 'the role of the initiator',
    prepare: disputed,
    edit: row("initiator_role = 'platform'"),
    act: escalate,
  },
  { name: 'the statement', prepare: disputed, edit: row("statement = 'another'"), act: escalate },
  {
    name: 'the deadline of the phase put off, on the dispute',
    prepare: disputed,
    edit: row('phase_deadline = phase_deadline + 1000'),
    act: escalate,
  },
  {
    name: 'the deadline of the phase put off, on both rows',
    prepare: disputed,
    edit: (sql, scene) => {
      row('phase_deadline = phase_deadline + 1000')(sql, scene);
      record('dispute_deadline = dispute_deadline + 1000')(sql, scene);
    },
    act: escalate,
  },
  {
    name: 'the deadline of the phase brought forward into the past, on both rows',
    prepare: disputed,
    edit: (sql, scene) => {
      row('phase_deadline = 1, evidence_deadline = 1')(sql, scene);
      record('dispute_deadline = 1')(sql, scene);
    },
    act: escalate,
  },
  {
    name: 'the evidence that came with the opening',
    prepare: disputed,
    edit: piece(1, 'content = ?, content_hash = ?', ...forged({ n: 9 })),
    act: escalate,
  },
  {
    name: 'evidence that came later, together with its hash',
    prepare: disputed,
    edit: piece(2, 'content = ?, content_hash = ?', ...forged({ n: 9 })),
    act: escalate,
  },
  {
    name: 'evidence without its hash',
    prepare: disputed,
    edit: piece(2, 'content = ?', '{"n":9}'),
    act: escalate,
  },
  {
    name: 'the side that evidence speaks for',
    prepare: disputed,
    edit: piece(2, "side = 'principal'"),
    act: escalate,
  },
  {
    name: 'who submitted evidence',
    prepare: disputed,
    edit: piece(2, 'submitted_by = ?', OTHER),
    act: escalate,
  },
  {
    name: 'evidence taken away',
    prepare: disputed,
    edit: (sql, { disputeId }) =>
      sql('DELETE FROM dispute_evidence WHERE dispute_id = ? AND ordinal = 2', disputeId),
    act: escalate,
  },
  {
    name: 'all the evidence taken away',
    prepare: disputed,
    edit: (sql, { disputeId }) =>
      sql('DELETE FROM dispute_evidence WHERE dispute_id = ?', disputeId),
    act: escalate,
  },
  {
    name: 'the dispute taken away',
    prepare: disputed,
    edit: (sql, { disputeId }) => {
      sql('DELETE FROM dispute_evidence WHERE dispute_id = ?', disputeId);
      sql('DELETE FROM disputes WHERE id = ?', disputeId);
    },
    act: escalate,
  },
  {
    name: 'a disputed record made one that is not',
    prepare: disputed,
    edit: record('disputed = 0, open_dispute_id = NULL, dispute_deadline = NULL'),
    act: refer,
  },
  {
    name: 'a dispute opened by hand',
    prepare: async (world) => ({ ...(await openDecided(world, 'accept')), disputeId: '' }),
    edit: (sql, { id }) =>
      sql('UPDATE records SET disputed = 1, open_dispute_id = id WHERE id = ?', id),
    act: refer,
  },
  {
    name: 'a dispute that was withdrawn not counted',
    prepare: (world) => withdrawn(world, 'job'),
    edit: record('dispute_count = 0'),
    act: reopen,
  },
  {
    name: 'the window opened again by a later end',
    prepare: (world) => withdrawn(world, 'twice'),
    edit: record('terminal_at = terminal_at + 1000'),
    act: reopen,
  },
  {
    name: 'a settled record made one whose settlement is held, so that it would be released',
    prepare: (world) => shortly(world, 'accept'),
    edit: held,
    act: read,
  },
  {
    name: 'a released record made one whose settlement is held, so that it would be released again',
    prepare: (world) => shortly(world, 'reject'),
    edit: held,
    act: read,
  },
  {
    name: 'a cancellation by the performer made one by the principal',
    prepare: async (world) => {
      const { id, completionId } = await openDelivered(world);
      await ok(world.principal.client.post(`/v1/records/${id}/revision`, {}));
      await ok(world.performer.client.post(`/v1/records/${id}/cancel`, {}));
      await ok(refer(world, id));
      return { id, disputeId: completionId };
    },
    edit: record("cancelled_by = 'principal'"),
    act: (world, id) => world.performer.client.post(disputePath(id)),
  },
];

describe.each([
  { what: 'a service that wrote the chains itself', restart: false },
  { what: 'a service that finds the chains as they are stored', restart: true },
])('$what signs nothing on top of an edit of', ({ restart }) => {
  const directory = mkdtempSync(join(tmpdir(), 'notary-edits-'));
  const scenes = new Map<string, { id: string; disputeId: string }>();
  let service: RunningService;
  let world: World;
  let database: InstanceType<typeof DatabaseSync>;

  const start = async (): Promise<void> => {
    const settings = settingsIn(directory);
    service = await startWatched(settings);
  };

  beforeAll(async () => {
    await start();
    const { apiKey } = await service.container.get(BootstrapPlatform).execute();
    world = await createWorld(String(service.url), apiKey);
    await ok(world.admin.post('/v1/schemas', { ...JOB_TYPE, type: 'twice', maxDisputes: 2 }));
    await ok(
      world.admin.post('/v1/schemas', { ...JOB_TYPE, type: 'brief', disputeWindowSeconds: 1 }),
    );
    for (const { name, prepare } of SCENARIOS) scenes.set(name, await prepare(world));
    if (restart) {
      await service.stop();
      await start();
      const here = (client: Client): Client => new Client(String(service.url), client.key);
      world = {
        ...world,
        url: String(service.url),
        platform: here(world.platform),
        admin: here(world.admin),
        principal: { ...world.principal, client: here(world.principal.client) },
        performer: { ...world.performer, client: here(world.performer.client) },
      };
    }
    database = new DatabaseSync(join(directory, 'data', 'notary.sqlite'), {
      timeout: 100,
      enableForeignKeyConstraints: false,
    });
  });
  afterAll(async () => {
    database?.close();
    await service?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  const signedOn = (id: string): unknown =>
    database.prepare('SELECT COUNT(*) AS entries FROM chain_entries WHERE chain_key = ?').get(id);

  it.each(SCENARIOS)('$name', async ({ name, edit, act }) => {
    const { id, disputeId } = scenes.get(name)!;
    const sql: Sql = (text, ...values) =>
      expect(database.prepare(text).run(...values).changes, text).toBeGreaterThan(0);
    await lockedEdit(database, () => edit(sql, { id: bytes(id), disputeId: bytes(disputeId) }));
    const before = signedOn(id);
    const { status, body } = await act(world, id);
    expect(
      [status, body['code'], body['reason']],
      String(body['detail'] ?? 'it was carried out'),
    ).toEqual([409, 'CONFLICT', 'payload_drift']);
    expect(signedOn(id)).toEqual(before);
  });
});
