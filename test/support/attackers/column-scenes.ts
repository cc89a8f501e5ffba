import { MakeExports } from '../../../application/compliance/make-exports.ts';
import { AnchorSweep } from '../../../application/vault/anchor-sweep.ts';
import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { PeerVaultKeys } from '../../../application/federation/peer-vault-keys.ts';
import { Vault } from '../../../application/sealing/vault.ts';
import { IntegrateEntries } from '../../../application/transparency/integrate-entries.ts';
import { ScanOnHost } from '../../../application/vault/scan/scan-on-host.ts';
import { CheckpointRound } from '../../../application/vault/checkpoint-round.ts';
import { TakeDump } from '../../../application/vault/take-dump.ts';
import type { RunningService } from '../../../config/service.ts';
import { unlessDrifted } from '../../../domain/kernel/row-drift.ts';
import { TOKENS } from '../../../config/tokens.ts';
import { cosignatureBytes } from '../../../domain/transparency/cosignature.ts';
import { verifyDump } from '../../../domain/verification/dump/verify-dump.ts';
import { trustOf } from '../../../domain/verification/keys/trust.ts';
import { toHex } from '../../../domain/kernel/digest.ts';
import { leafHash } from '../../../domain/transparency/rfc9162-tree.ts';
import { CHECKPOINT_LOG } from '../../../domain/transparency/tree-store.port.ts';
import { timestampImprint } from '../../../domain/vault/timestamp.ts';
import type { EditedHub, Row } from './edited-hub.ts';
import { dumpCollector, sourceOf } from './dump-files.ts';
import { disputePath, openDisputed } from '../stories/disputes.ts';
import { submitAndDie } from './left-behind.ts';
import { readAndCovered, READS_CHECKPOINTS } from '../stories/reads-checkpoint.ts';
import { issuer, registerKey, statement } from '../vectors/statements.ts';
import { Stranger } from '../hubs/stranger.ts';
import { OpensslTsa } from '../peers/openssl-tsa.ts';
import { childBody } from '../stories/tree.ts';
import {
  deliver,
  GOAL,
  ok,
  openJob,
  type Answer,
  type Body,
  type World,
} from '../service/world.ts';

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
  /** Asked in the place of an export. */
  verdict?(world: World, node: RunningService): Promise<Verdict>;
}

export type Verdict = 'refused' | 'invalid' | 'valid' | 'nothing';

export type Prepare = (hub: EditedHub) => Promise<Scene>;

const PEERS = '/v1/admin/federation/peers';
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
/** Whether the second read of each log is proven under each of its checkpoints. */
const areProven = async ({ platform }: World): Promise<Verdict> => {
  const { data } = await ok(platform.get(`${READS_CHECKPOINTS}?limit=200`));
  for (const { id, treeSize } of data as Body[]) {
    const leaf = Math.min(1, Number(treeSize) - 1);
    const { status } = await platform.get(`${READS_CHECKPOINTS}/${String(id)}/proof?leaf=${leaf}`);
    if (status !== 200) return 'refused';
  }
  return 'valid';
};

const isDumpValid = async (
  _world: World,
  { container, vault }: RunningService,
): Promise<Verdict> => {
  const { write, texts } = dumpCollector();
  await container.get(TakeDump).execute({ withRound: true, write });
  const trust = trustOf({ kind: 'fingerprint', sha256Hex: vault.fingerprint });
  const { verdict } = await verifyDump(sourceOf(texts()), { trust });
  return verdict === 'valid' ? 'valid' : 'invalid';
};

/** One that is made, and how it is downloaded. */
const complianceExport = async ({ world, service }: EditedHub) => {
  const month = { from: '2020-01-01T00:00:00.000Z', to: '2100-01-01T00:00:00.000Z' };
  const { id } = await ok(world.admin.post('/v1/compliance/exports', month));
  await service.container.get(MakeExports).run(new AbortController().signal);
  const download = ({ admin }: World) => admin.get(`/v1/compliance/exports/${String(id)}/download`);
  return { id, download };
};

const addWitness = async ({ world }: EditedHub) => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { witnessKeyId } = await ok(
    world.platform.post('/v1/admin/witnesses', {
      name: 'Auditors',
      publicKeyJwk: publicKey.export({ format: 'jwk' }),
    }),
  );
  const cosign = (
    { admin }: World,
    { id, coseSign1 }: Body,
    as = String(witnessKeyId),
  ): Promise<Answer<Body>> =>
    admin.post(`${READS_CHECKPOINTS}/${String(id)}/cosign`, {
      witnessKeyId: as,
      signature: sign(
        null,
        cosignatureBytes(Buffer.from(String(coseSign1), 'base64')),
        privateKey,
      ).toString('base64'),
    });
  return { witnessKeyId: String(witnessKeyId), cosign };
};

const object = ({ principal }: World, id: string): Promise<Answer<Body>> =>
  principal.client.post(disputePath(id, 'evidence'), { evidence: { c: Math.random() } });

/** A record whose checkpoint was copied out of the database. */
const anchored = async (hub: EditedHub): Promise<string> => {
  const id = await veteran(hub);
  await hub.service.container.get(CheckpointRound).run();
  await hub.service.container.get(AnchorSweep).run();
  return id;
};

/** The key of no chain. */
const NOWHERE = '019c1f00-0000-7000-8000-00000000ffff';

const readLeaf = ({ principal }: World, input: Uint8Array): Promise<Answer<Body>> =>
  principal.client.get(`/v1/scitt/entries/${toHex(leafHash(input))}`);

/** A scene for each table that tells of records, or of what was read of them. */
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
  completion_times: async (hub) => {
    const id = await undecided(hub);
    const completion = await hub.row('completions', hub.is('record_id', bytes(id)));
    return {
      where: hub.is('completion_id', completion['id'] ?? null),
      act: (world) => refer(world, id),
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
      where: `${hub.is('log_key', CHECKPOINT_LOG)} AND ${hub.is('level', 0)} AND ${hub.is('node_index', beside)}`,
      act: (world) => refer(world, id),
      exported: id,
    };
  },
  anchored_checkpoints: async (hub) => {
    const id = await anchored(hub);
    return { where: hub.is('chain_key', id), act: (world) => refer(world, id), exported: id };
  },
  anchor_sweeps: async (hub) => {
    const id = await anchored(hub);
    return { where: hub.is('id', 1), act: (world) => refer(world, id), exported: id };
  },
  rewind_findings: async (hub) => {
    const id = await veteran(hub);
    await hub.service.container.get(TOKENS.unitOfWork).transaction((stores) =>
      stores.rewinds.add({
        chainKey: NOWHERE,
        finding: 'missing_locally',
        localPosition: 0,
        localHash: null,
        anchoredPosition: 3,
        anchoredHash: new Uint8Array(32),
        checkpointHash: new Uint8Array(32).fill(1),
        isKeyLost: false,
        detectedAt: '2026-01-01T00:00:00.000Z',
        acknowledgedAt: null,
      }),
    );
    return { where: hub.is('chain_key', NOWHERE), act: (world) => refer(world, id), exported: id };
  },
  org_admin_reads: async (hub) => {
    await readAndCovered(hub);
    return {
      where: `${hub.is('org_id', bytes(hub.world.orgId))} AND ${hub.is('leaf_index', 1)}`,
      act: ({ admin }) => admin.get('/v1/records?limit=1'),
      verdict: areProven,
    };
  },
  org_admin_reads_checkpoints: async (hub) => {
    const { id } = await readAndCovered(hub);
    return {
      where: hub.is('id', bytes(id)),
      act: ({ admin }) => admin.get(READS_CHECKPOINTS),
      verdict: areProven,
    };
  },
  org_reads_cosignatures: async (hub) => {
    const checkpoint = await readAndCovered(hub);
    const { cosign } = await addWitness(hub);
    await ok(cosign(hub.world, checkpoint));
    return {
      where: hub.is('checkpoint_id', bytes(checkpoint['id'])),
      act: ({ admin }) => admin.get(READS_CHECKPOINTS),
      verdict: isDumpValid,
    };
  },
  provisioned_rows: async (hub) => {
    const id = randomUUID();
    await hub.service.container.get(TOKENS.unitOfWork).transaction((stores) =>
      stores.provisionedRows.insert({
        id,
        kind: 'agents',
        orgSlug: 'acme',
        name: 'clerk',
        createdAt: new Date().toISOString(),
      }),
    );
    return {
      where: hub.is('id', bytes(id)),
      act: ({ platform }) => platform.get('/v1/admin/provisioning/status'),
    };
  },
  rate_limit_exemptions: async (hub) => {
    const { id } = hub.world.performer;
    const path = `/v1/admin/rate-limit-exemptions/${id}`;
    await ok(hub.world.platform.call('PUT', path));
    return {
      where: hub.is('owner_id', bytes(id)),
      act: ({ platform }) => platform.get(path),
    };
  },
  witnesses: async (hub) => {
    const checkpoint = await readAndCovered(hub);
    const { witnessKeyId, cosign } = await addWitness(hub);
    return {
      where: hub.is('id', bytes(witnessKeyId)),
      act: (world, _node, edited) => cosign(world, checkpoint, uuidOf(edited['id'])),
    };
  },
  hub_keys: async (hub) => {
    const { publicKeyThumbprint } = await ok(hub.world.anonymous.get('/federation/v1/identity'));
    return {
      where: hub.is('thumbprint', Buffer.from(String(publicKeyThumbprint), 'hex')),
      act: ({ anonymous }) => anonymous.get('/federation/v1/identity'),
    };
  },
  federation_peers: async (hub) => {
    const stranger = new Stranger();
    await ok(hub.world.platform.post(PEERS, stranger.registration));
    return {
      where: hub.is('hub_id', bytes(stranger.hubId)),
      act: ({ platform }) => platform.get(PEERS),
    };
  },
  pending_peers: async (hub) => {
    const stranger = new Stranger();
    await ok(stranger.greet(hub));
    return {
      where: hub.is('hub_id', bytes(stranger.hubId)),
      act: ({ platform }) =>
        platform.post(`${PEERS}/${stranger.hubId}/approve`, {
          publicKeyThumbprint: stranger.thumbprint,
          vaultRoot: stranger.registration.vaultRoot,
        }),
    };
  },
  peer_nonces: async (hub) => {
    const stranger = new Stranger();
    const nonce = 'n'.repeat(32);
    await ok(stranger.greet(hub, {}, { nonce }));
    const spent = createHash('sha256').update(`${stranger.thumbprint}\n${nonce}`).digest();
    return { where: hub.is('id', spent), act: ({ platform }) => platform.get(PEERS) };
  },
  /** The succession of this hub itself, as if it were a peer's: it is a real one. */
  peer_key_statements: async (hub) => {
    const { container } = hub.service;
    const { hub: own, keyStatements } = container.get(Vault);
    const stranger = new Stranger(own.hubId, hub.service.vault.fingerprint);
    const raw = Buffer.from(String(stranger.jwk['x']), 'base64url');
    const now = new Date().toISOString();
    await container.get(TOKENS.unitOfWork).transaction(async (stores) => {
      await stores.peers.insert({
        id: randomUUID(),
        hubId: own.hubId,
        baseUrl: stranger.baseUrl,
        publicKey: { curve: 'Ed25519', raw },
        publicKeyThumbprint: stranger.thumbprint,
        vaultRoot: stranger.vaultRoot,
        name: null,
        status: 'ACTIVE',
        ownKeyThumbprint: stranger.thumbprint,
        greetedAt: null,
        createdAt: now,
        updatedAt: now,
        generation: 1,
        version: 1,
        handshakeDueAt: null,
        handshakeAttempts: 0,
      });
      await stores.peerKeyStatements.put({
        hubId: own.hubId,
        vaultRoot: stranger.vaultRoot,
        statements: keyStatements.map(({ coseSign1 }) => coseSign1),
        fetchedAt: now,
      });
    });
    return {
      where: hub.is('hub_id', bytes(own.hubId)),
      isRemembered: true,
      act: async (_world, node) => {
        const known = await node.container.get(PeerVaultKeys).successionTo(own.hubId, null);
        const status = (known?.statements.length ?? 0) > 0 ? 200 : 422;
        return { status, body: {}, headers: new Headers() };
      },
    };
  },
  /** Of a hub that was registered under two roots, one after the other. */
  former_peer_keys: async (hub) => {
    const hubId = randomUUID();
    const fetchedAt = new Date().toISOString();
    for (const vaultRoot of ['aa'.repeat(32), 'bb'.repeat(32)])
      await hub.service.container
        .get(TOKENS.unitOfWork)
        .transaction(({ peerKeyStatements }) =>
          peerKeyStatements.put({ hubId, vaultRoot, statements: [bytes(hubId)], fetchedAt }),
        );
    return {
      where: hub.is('hub_id', bytes(hubId)),
      act: async (_world, node) => {
        const reads = node.container.get(TOKENS.peerKeyStatementReads);
        const found = await unlessDrifted(reads.former(hubId));
        return { status: found?.length === 1 ? 200 : 422, body: {}, headers: new Headers() };
      },
    };
  },
  scitt_leaves: async (hub) => {
    const { principal } = hub.world;
    const { signedStatement } = await ok(
      principal.client.post('/v1/records', { type: 'note', criteria: { text: 'a leaf' } }),
    );
    const entry = Buffer.from((signedStatement as Body)['coseSign1'], 'base64');
    await hub.service.container.get(IntegrateEntries).run();
    return { where: hub.is('hash', leafHash(entry)), act: (world) => readLeaf(world, entry) };
  },
  scitt_statements: async (hub) => {
    const { principal } = hub.world;
    const key = issuer('Ed25519');
    await registerKey(hub.world.admin, principal.id, key, ['https://issuer.example']);
    const registered = statement(key);
    const cose = { 'content-type': 'application/cose' };
    await ok(principal.client.post('/v1/scitt/entries', registered, cose));
    return {
      where: hub.is('hash', leafHash(registered)),
      act: (world) => readLeaf(world, registered),
    };
  },
  checkpoint_timestamps: async (hub) => {
    const id = await veteran(hub);
    await ok(hub.world.platform.get(`/v1/records/${id}/audit-export`));
    const { container } = hub.service;
    const { closing } = (await container.get(CheckpointRound).run())!;
    const tsa = new OpensslTsa();
    const token = tsa.token(timestampImprint(closing.coseSign1));
    await tsa.end();
    await container
      .get(TOKENS.unitOfWork)
      .transaction((stores) => stores.timestamps.insert(closing.logIndex, token));
    return {
      where: hub.is('log_index', closing.logIndex),
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
  siem_sinks: async (hub) => {
    const at = { sequence: 1, id: crypto.randomUUID(), numberedAt: '2026-01-01T00:00:00.000Z' };
    await hub.service.container.get(TOKENS.sql).sinkPositions.move('file', null, at);
    return {
      where: hub.is('id', bytes('00000000-0000-0000-0000-000000000001')),
      act: async (_world, { container }) => {
        const position = await container
          .get(TOKENS.sql)
          .sinkPositions.find('file')
          .catch(() => null);
        const status = position ? 200 : 409;
        return { status, body: { reason: 'payload_drift' }, headers: new Headers() };
      },
    };
  },
  event_sums: async (hub) => {
    const id = crypto.randomUUID();
    const unitOfWork = hub.service.container.get(TOKENS.unitOfWork);
    const createdAt = '2099-01-01T00:00:00.000Z';
    await unitOfWork.transaction(({ eventSums }) => eventSums.insert({ id, sums: [], createdAt }));
    return {
      where: hub.is('id', bytes(id)),
      act: async (_world, { container }) => {
        const isKept = await container
          .get(TOKENS.unitOfWork)
          .transaction(({ eventSums }) => eventSums.replace(id, []))
          .catch(() => false);
        const status = isKept ? 200 : 409;
        return { status, body: { reason: 'payload_drift' }, headers: new Headers() };
      },
    };
  },
  compliance_exports: async (hub) => {
    const { id, download } = await complianceExport(hub);
    return { where: hub.is('id', bytes(id)), act: download };
  },
  compliance_export_pieces: async (hub) => {
    const { id, download } = await complianceExport(hub);
    return { where: hub.is('export_id', bytes(id)), act: download };
  },
  idempotency: async (hub) => {
    const create = ({ principal }: World): Promise<Answer<Body>> =>
      principal.client.post(
        '/v1/records',
        { type: 'note', criteria: {} },
        { 'idempotency-key': 'edited' },
      );
    const { id } = await ok(create(hub.world));
    return {
      where: await hub.any('idempotency', 'created_at'),
      act: create,
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
