import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AnchorSweep } from '../../application/vault/anchor-sweep.ts';
import { CheckpointRound } from '../../application/vault/checkpoint-round.ts';
import type { RunningService } from '../../config/service.ts';
import { TOKENS } from '../../config/tokens.ts';
import { readEntry } from '../../domain/vault/open-entry.ts';
import { PLATFORM_CHAIN } from '../../domain/vault/chain-key.ts';
import { copyOf, type DatabaseCopy } from '../support/databases/database-copy.ts';
import { dataFault } from '../support/clients/event-data.ts';
import { quickDatabases } from '../support/databases/databases.ts';
import { VaultRig } from '../support/service/vault-rig.ts';
import { ok, type Body } from '../support/service/world.ts';
import { dataIn } from '../support/databases/stored-values.ts';

const TICKET = { kind: 'ticket', uri: 'https://example.org/1' };
const FEW_ROUNDS = { CHECKPOINT_INTERVAL: '1440', ANCHOR_INTERVAL: '2880' };

describe.each(quickDatabases())('a database that was put back on $name', (kind) => {
  let rig: VaultRig;
  const copies: DatabaseCopy[] = [];

  beforeEach(async () => {
    rig = new VaultRig(kind, FEW_ROUNDS);
    await rig.prepare();
  });
  afterEach(async () => {
    for (const copy of copies.splice(0)) await copy.drop();
    await rig.end();
  });

  const client = (service: RunningService) => rig.at(service, rig.world.principal.client);
  const platform = (service: RunningService) => rig.at(service, rig.world.platform);
  const note = async (service: RunningService): Promise<string> =>
    String(
      (
        await ok(
          client(service).post('/v1/records', { type: 'note', criteria: { text: 'a note' } }),
        )
      )['id'],
    );
  const refer = (service: RunningService, id: string, n: number) =>
    client(service).post(`/v1/records/${id}/references`, {
      ...TICKET,
      uri: `https://example.org/${n}`,
    });
  const anchor = async (service: RunningService): Promise<void> => {
    await service.container.get(CheckpointRound).run();
    await service.container.get(AnchorSweep).run();
  };
  const backup = async (): Promise<DatabaseCopy> => {
    const copy = await copyOf(rig.database, rig.directory);
    copies.push(copy);
    return copy;
  };
  const restored = async <T>(
    copy: DatabaseCopy,
    work: (service: RunningService) => Promise<T>,
    env: Readonly<Record<string, string>> = {},
  ): Promise<T> => {
    rig.env = { ...FEW_ROUNDS, ...env, DATABASE_URL: copy.url };
    return rig.run(work);
  };
  const findings = async (service: RunningService): Promise<readonly Body[]> =>
    (await ok(platform(service).get('/v1/admin/vault/rewind')))['data'] as Body[];
  const acknowledge = (service: RunningService, body: object = {}) =>
    platform(service).post('/v1/admin/vault/rewind/acknowledge', body);
  const refusedAsRewound = { status: 409, body: { code: 'CHAIN_REWIND_DETECTED' } };

  it('refuses every write when the platform chain is older than its anchor, until a platform key acknowledges the loss', async () => {
    const id = await rig.run(note);
    const copy = await backup();
    const lost = await rig.run(async (service) => {
      await ok(refer(service, id, 1));
      await ok(platform(service).post('/v1/admin/orgs', { name: 'Lost', slug: 'lost' }));
      await anchor(service);
      return service.container.get(TOKENS.chainReads).head(PLATFORM_CHAIN);
    });

    await restored(copy, async (service) => {
      expect(
        await client(service).post('/v1/records', { type: 'note', criteria: { text: 'x' } }),
      ).toMatchObject(refusedAsRewound);
      expect(await refer(service, id, 2)).toMatchObject(refusedAsRewound);
      const open = await findings(service);
      expect(open.map(({ chainKey }) => chainKey).sort()).toEqual([PLATFORM_CHAIN, id].sort());
      const ofRecord = open.find(({ chainKey }) => chainKey === id);
      expect(ofRecord).toMatchObject({
        finding: 'rewound',
        localPosition: 1,
        anchoredPosition: 2,
        acknowledgedAt: null,
      });
      // What is only read goes on.
      await ok(client(service).get(`/v1/records/${id}`));

      expect(await ok(acknowledge(service, { reason: 'a disk failed' }))).toMatchObject({
        acknowledged: 2,
      });
      await note(service);
      await ok(refer(service, id, 3));
      expect((await findings(service)).every(({ acknowledgedAt }) => acknowledgedAt)).toBe(true);
      expect(await ok(acknowledge(service))).toMatchObject({ acknowledged: 0 });

      const entries = await service.container
        .get(TOKENS.chainReads)
        .entries(PLATFORM_CHAIN, 1, 500);
      const sealed = entries
        .filter(({ entryType }) => entryType === 'REWIND_ACKNOWLEDGED')
        .map(({ coseSign1 }) => readEntry(coseSign1)!.predicate);
      expect(sealed.find(({ chainKey }) => chainKey === PLATFORM_CHAIN)).toMatchObject({
        lostRange: { from: lost!.position, to: lost!.position },
        lostHead: Buffer.from(lost!.hash).toString('hex'),
        checkpoint: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
        reason: 'a disk failed',
      });
      expect(sealed.find(({ chainKey }) => chainKey === id)).toMatchObject({
        lostRange: { from: 2, to: 2 },
      });
      await anchor(service);
      expect((await findings(service)).filter(({ acknowledgedAt }) => !acknowledgedAt)).toEqual([]);
    });
    // The loss stays acknowledged after the next start, and nothing else is found.
    await restored(copy, async (service) => {
      await ok(refer(service, id, 4));
      await ok(platform(service).post('/v1/admin/vault/anchors/reconcile', {}));
      expect(await findings(service)).toHaveLength(2);
    });
  });

  it('answers a repeated key with what was found or acknowledged then', async () => {
    const id = await rig.run(note);
    const copy = await backup();
    await rig.run(async (service) => {
      await ok(refer(service, id, 1));
      await anchor(service);
    });
    await restored(copy, async (service) => {
      const ask = (path: string, body: object) =>
        platform(service).post(`/v1/admin/vault/${path}`, body, { 'idempotency-key': path });
      const first = [
        await ask('anchors/verify', {}),
        await ask('anchors/reconcile', {}),
        await ask('rewind/acknowledge', { reason: 'a disk failed' }),
      ];
      expect(first.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(first[1]!.body).toMatchObject({ total: 1, data: [{ chainKey: id }] });
      expect(first[2]!.body).toMatchObject({ acknowledged: 1 });
      const again = [
        await ask('anchors/verify', {}),
        await ask('anchors/reconcile', {}),
        await ask('rewind/acknowledge', { reason: 'a disk failed' }),
      ];
      expect(again.map(({ headers }) => headers.get('idempotency-replayed'))).toEqual(
        Array(3).fill('true'),
      );
      expect(again.map(({ body }) => body)).toEqual(first.map(({ body }) => body));
      expect(await ask('rewind/acknowledge', { reason: 'another' })).toMatchObject({ status: 422 });
    });
  });

  it('refuses the chain alone where the platform chain did not grow meanwhile, and tells of it on every node', async () => {
    const [id, other] = await rig.run(async (service) => [
      await note(service),
      await note(service),
    ]);
    const copy = await backup();
    await rig.run(async (service) => {
      await ok(refer(service, id, 1));
      await anchor(service);
    });
    await restored(copy, async (service) => {
      expect(await refer(service, id, 2)).toMatchObject(refusedAsRewound);
      await ok(refer(service, other, 1));
      await note(service);
      const told = (await copy.raw(
        "SELECT data FROM outbox WHERE type = 'vault.rewind_detected'",
      )) as Body[];
      expect(told.map((row) => dataFault('vault.rewind_detected', dataIn(row)))).toEqual([null]);
      await restored(
        copy,
        async (node) => {
          expect(await refer(node, id, 2)).toMatchObject(refusedAsRewound);
          await ok(acknowledge(service, { chainKey: id }));
          const [lifted] = (await copy.raw(
            "SELECT data FROM outbox WHERE type = 'vault.rewind_acknowledged'",
          )) as Body[];
          expect(dataFault('vault.rewind_acknowledged', dataIn(lifted!))).toBeNull();
          await ok(refer(service, id, 2));
          await expect.poll(async () => (await refer(node, id, 3)).status).toBe(201);
        },
        { ROLE: 'api' },
      );
    });
  });

  it('does not acknowledge the loss of a key statement', async () => {
    const copy = await backup();
    await rig.run(async (service) => {
      await ok(platform(service).post('/v1/admin/vault/signing-keys/rotate', {}));
    });
    await restored(copy, async (service) => {
      expect(
        await client(service).post('/v1/records', { type: 'note', criteria: { text: 'x' } }),
      ).toMatchObject(refusedAsRewound);
      expect(await acknowledge(service)).toMatchObject({
        status: 409,
        body: { reason: 'key_statement_lost' },
      });
    });
  });

  it('finds a chain that was cut in the database, at the next start and without an anchor', async () => {
    const id = await rig.run(async (service) => {
      const made = await note(service);
      await ok(refer(service, made, 1));
      await service.container.get(CheckpointRound).run();
      return made;
    });
    await rig.database.raw(`DELETE FROM chain_entries WHERE chain_key = '${id}' AND position = 2`);
    await rig.database.raw(
      `UPDATE chain_heads SET position = 1, hash = (SELECT hash FROM chain_entries WHERE chain_key = '${id}'), at = (SELECT at FROM chain_entries WHERE chain_key = '${id}') WHERE chain_key = '${id}'`,
    );
    await rig.database.raw(`DELETE FROM record_references`);
    await rig.database.raw('UPDATE records SET reference_count = 0, updated_at = created_at');
    rig.env = { ...FEW_ROUNDS, ANCHOR: 'none' };
    await rig.run(async (service) => {
      expect(await refer(service, id, 2)).toMatchObject(refusedAsRewound);
      await service.container.get(AnchorSweep).run();
      expect(await findings(service)).toMatchObject([{ chainKey: id, finding: 'rewound' }]);
      await ok(acknowledge(service, { chainKey: id }));
      await ok(refer(service, id, 2));
      const round = await service.container.get(CheckpointRound).run();
      expect(round!.uncovered).toEqual([]);
    });
  });

  it('signs nothing while the anchors cannot be read, and goes on when they can', async () => {
    await rig.run(anchor);
    rig.env = {
      ...FEW_ROUNDS,
      ANCHOR: 's3',
      ANCHOR_S3_BUCKET: 'nobody',
      ANCHOR_S3_ENDPOINT: 'http://127.0.0.1:9',
      ANCHOR_S3_ACCESS_KEY_ID: 'a',
      ANCHOR_S3_SECRET_ACCESS_KEY: 'b',
    };
    await rig.run(async (service) => {
      const refused = await client(service).post('/v1/records', {
        type: 'note',
        criteria: { text: 'x' },
      });
      expect(refused).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
    });
    rig.env = FEW_ROUNDS;
    await rig.run(note);
  });

  it('lists anchors, and an anchor that is missing in the store does not match', async () => {
    await rig.run(async (service) => {
      const id = await note(service);
      await anchor(service);
      const listed = await ok(platform(service).get(`/v1/admin/vault/anchors?recordId=${id}`));
      expect(listed).toMatchObject({
        total: 1,
        data: [
          {
            key: expect.stringMatching(
              `^anchors/${id}/000000000001-[0-9a-f]{16}\\.cose$`,
            ) as unknown,
          },
        ],
      });
      const verify = () =>
        ok(platform(service).post('/v1/admin/vault/anchors/verify', { recordId: id }));
      expect(await verify()).toMatchObject({
        data: [{ recordId: id, chainPosition: 1, match: true, detail: null }],
      });
      const folder = join(rig.directory, 'data-anchors', 'anchors', id);
      for (const file of readdirSync(folder)) rmSync(join(folder, file));
      expect(await verify()).toMatchObject({
        data: [{ match: false, detail: 'recorded as anchored, and missing in the store' }],
      });
    });
  });
});
