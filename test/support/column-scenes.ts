import { ScanOnHost } from '../../application/vault/scan/scan-on-host.ts';
import { CheckpointRound } from '../../application/vault/checkpoint-round.ts';
import type { RunningService } from '../../config/service.ts';
import type { EditedHub, Row } from './edited-hub.ts';
import { disputePath, openDisputed } from './disputes.ts';
import { submitAndDie } from './left-behind.ts';
import { childBody } from './tree.ts';
import { deliver, GOAL, ok, openJob, type Answer, type Body, type World } from './world.ts';

/** A row that somebody edits, and an action that depends on it. */
export interface Scene {
  /** Finds the row. */
  readonly where: string;
  /** Must be refused while the row is edited, and is carried out once it is as it was. */
  act(world: World, node: RunningService, edited: Row): Promise<Answer<Body>>;
  /** Processes may remember the row for a second: the edit is tried after a restart alone. */
  readonly isRemembered?: true;
  /** The record whose export must be refused or found INVALID, or be VALID, as the outcome says. */
  readonly exported?: string;
}

export type Prepare = (hub: EditedHub) => Promise<Scene>;

const bytes = (id: unknown): Uint8Array => Buffer.from(String(id).replaceAll('-', ''), 'hex');
export const uuidOf = (value: unknown): string =>
  Buffer.from(value as Uint8Array)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

/** A record with a past: proposed, countered, worked on, delegated from, revised, rejected; its settlement is held. */
const veteran = async ({ world }: EditedHub): Promise<string> => {
  const { principal, performer } = world;
  const { id } = await ok(
    principal.client.post('/v1/records', {
      type: 'job',
      criteria: GOAL,
      performerAgentId: performer.id,
      platformRef: 'order-1',
      message: 'please',
      expiresAt: '2099-01-01T00:00:00.000Z',
      onBehalfOf: { subject: { iss: 'https://idp.example', sub: 'someone' } },
      references: [
        {
          kind: 'ticket',
          uri: 'https://tickets.example/1',
          digest: { alg: 'sha256', value: 'ab'.repeat(32) },
        },
      ],
    }),
  );
  const path = `/v1/records/${String(id)}`;
  await ok(
    performer.client.post(`${path}/counter-propose`, { criteria: { ...GOAL, threshold: 4 } }),
  );
  await ok(principal.client.post(`${path}/accept-counter`, {}));
  await ok(performer.client.post('/v1/records', childBody(id, null)));
  await deliver(world, id);
  await ok(principal.client.post(`${path}/revision`, {}));
  const completion = await deliver(world, id);
  await ok(
    principal.client.post(`${path}/verdict`, { verdict: 'reject', completionId: completion['id'] }),
  );
  return String(id);
};

/** Any state takes it, and it relies on the whole record. */
const refer = ({ platform }: World, id: string): Promise<Answer<Body>> =>
  platform.post(`/v1/records/${id}/references`, {
    kind: 'ticket',
    uri: `https://tickets.example/${Math.random()}`,
  });

/** A submission whose call died: the gates are still to decide on it. */
const undecided = async (hub: EditedHub): Promise<string> => {
  const { id } = await openJob(hub.world, { type: 'auto-job' });
  await submitAndDie(hub, String(id));
  return String(id);
};

const disputed = async ({ world }: EditedHub): Promise<{ id: string; dispute: Body }> => {
  const opened = await openDisputed(
    world,
    {},
    { grounds: 'QUALITY', statement: 'it is broken', evidence: { a: 1 } },
  );
  await ok(world.performer.client.post(disputePath(opened.id, 'evidence'), { evidence: { b: 2 } }));
  return opened;
};
const object = ({ principal }: World, id: string): Promise<Answer<Body>> =>
  principal.client.post(disputePath(id, 'evidence'), { evidence: { c: Math.random() } });

/** A scene for each table that tells of records. */
export const SCENES: Readonly<Record<string, Prepare>> = {
  records: async (hub) => ({
    where: hub.is('id', bytes(await veteran(hub))),
    act: (world, _node, edited) => refer(world, uuidOf(edited['id'])),
  }),
  record_contents: async (hub) => {
    const { id } = await openJob(hub.world, { criteria: { ...GOAL, list: 'a'.repeat(20_000) } });
    return {
      where: hub.is('record_id', bytes(id)),
      act: (world) => refer(world, String(id)),
    };
  },
  completions: async (hub) => {
    const id = await undecided(hub);
    return {
      where: hub.is('record_id', bytes(id)),
      act: ({ principal }) =>
        principal.client.post(`/v1/records/${id}/transition`, { action: 'evaluate' }),
      exported: id,
    };
  },
  record_references: async (hub) => {
    const id = await veteran(hub);
    return {
      where: `${hub.is('record_id', bytes(id))} AND ${hub.is('entry_position', 2)}`,
      act: (world) => refer(world, id),
      exported: id,
    };
  },
  disputes: async (hub) => {
    const { id, dispute } = await disputed(hub);
    return {
      where: hub.is('id', bytes(dispute['id'])),
      act: (world) => object(world, id),
      exported: id,
    };
  },
  dispute_evidence: async (hub) => {
    const { id, dispute } = await disputed(hub);
    return {
      where: `${hub.is('dispute_id', bytes(dispute['id']))} AND ${hub.is('ordinal', 1)}`,
      act: (world) => object(world, id),
      exported: id,
    };
  },
  chain_heads: async (hub) => {
    const id = await veteran(hub);
    return { where: hub.is('chain_key', id), act: (world) => refer(world, id), exported: id };
  },
  vault_checkpoints: async (hub) => {
    const id = await veteran(hub);
    await ok(hub.world.platform.get(`/v1/records/${id}/audit-export`));
    const { log_index: index } = await hub.row('vault_checkpoints', hub.is('chain_key', id));
    return { where: hub.is('log_index', index!), act: (world) => refer(world, id), exported: id };
  },
  log_nodes: async (hub) => {
    const id = await veteran(hub);
    const { checkpoint } = await ok(hub.world.platform.get(`/v1/records/${id}/audit-export`));
    await hub.service.container.get(CheckpointRound).run();
    // The proof that the checkpoint stands in the log begins with the leaf beside it.
    const beside =
      checkpoint.logIndex % 2 === 0 ? checkpoint.logIndex + 1 : checkpoint.logIndex - 1;
    return {
      where: `${hub.is('level', 0)} AND ${hub.is('node_index', beside)}`,
      act: (world) => refer(world, id),
      exported: id,
    };
  },
  vault_scans: async (hub) => {
    await hub.service.container.get(ScanOnHost).execute(() => undefined);
    const where = await hub.any('vault_scans', 'id');
    const { id } = await hub.row('vault_scans', where);
    return {
      where,
      act: ({ platform }) => platform.get(`/v1/admin/vault/scan/${uuidOf(id)}`),
    };
  },
  idempotency: async (hub) => {
    const { id } = await ok(
      hub.world.principal.client.post(
        '/v1/records',
        { type: 'note', criteria: {} },
        { 'idempotency-key': 'edited' },
      ),
    );
    return {
      where: await hub.any('idempotency', 'created_at'),
      act: ({ platform }) => platform.get(`/v1/records/${String(id)}`),
      exported: String(id),
    };
  },
  chain_entries: async (hub) => {
    const id = await veteran(hub);
    return {
      where: `${hub.is('chain_key', id)} AND ${hub.is('position', 2)}`,
      act: (world) => refer(world, id),
      exported: id,
    };
  },
};
