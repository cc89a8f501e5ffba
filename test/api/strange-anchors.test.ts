import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AnchorSweep } from '../../application/vault/anchor-sweep.ts';
import { CheckpointRound } from '../../application/vault/checkpoint-round.ts';
import { Vault } from '../../application/sealing/vault.ts';
import type { RunningService } from '../../config/service.ts';
import { TOKENS } from '../../config/tokens.ts';
import { anchorKey, statementKey } from '../../domain/vault/anchor-key.ts';
import { PLATFORM_CHAIN } from '../../domain/vault/chain-key.ts';
import { signStatement, type Seal } from '../../domain/vault/chain.ts';
import { checkpointStatement } from '../../domain/vault/statement.ts';
import { copyOf, type DatabaseCopy } from '../support/databases/database-copy.ts';
import { databases } from '../support/databases/databases.ts';
import { VaultRig } from '../support/service/vault-rig.ts';
import { ok, type Body } from '../support/service/world.ts';

const FEW_ROUNDS = { CHECKPOINT_INTERVAL: '1440', ANCHOR_INTERVAL: '2880' };
const ROTATE = '/v1/admin/vault/signing-keys/rotate';
const FAR = 999_999_999_999;

describe.each(databases().slice(0, 1))('anchors that this database does not know', (kind) => {
  let rig: VaultRig;
  let copy: DatabaseCopy | null = null;

  beforeEach(async () => {
    rig = new VaultRig(kind, FEW_ROUNDS);
    await rig.prepare();
  });
  afterEach(async () => {
    await copy?.drop();
    copy = null;
    await rig.end();
  });

  const store = (): string => join(rig.directory, 'data-anchors');
  const put = (key: string, bytes: Uint8Array): void => {
    const file = join(store(), key);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  };
  const platform = (service: RunningService) => rig.at(service, rig.world.platform);
  const write = (service: RunningService) =>
    rig
      .at(service, rig.world.principal.client)
      .post('/v1/records', { type: 'note', criteria: { text: 'a note' } });
  const anchor = async (service: RunningService): Promise<void> => {
    await service.container.get(CheckpointRound).run();
    await service.container.get(AnchorSweep).run();
  };
  const rotate = (service: RunningService, body: object = {}): Promise<Body> =>
    ok(platform(service).post(ROTATE, body));
  const findings = async (service: RunningService): Promise<readonly Body[]> =>
    (await ok(platform(service).get('/v1/admin/vault/rewind')))['data'] as Body[];
  const expectKeyLost = async (service: RunningService): Promise<void> => {
    expect(await write(service)).toMatchObject({
      status: 409,
      body: { code: 'CHAIN_REWIND_DETECTED' },
    });
    const acknowledged = await platform(service).post('/v1/admin/vault/rewind/acknowledge', {});
    expect(acknowledged).toMatchObject({ status: 409, body: { reason: 'key_statement_lost' } });
  };
  /** A checkpoint of this hub, by a key that nothing leads to. */
  const checkpointOfNobody = async (
    service: RunningService,
    headHash: string,
  ): Promise<Uint8Array> => {
    const { hub, seal } = service.container.get(Vault);
    const { signer } = await service.container.get(TOKENS.keySource).generate('Ed25519');
    const at = new Date().toISOString();
    const statement = checkpointStatement(hub.predicateBase, {
      chainKind: 'admin',
      chainKey: PLATFORM_CHAIN,
      position: FAR,
      headHash,
      logIndex: 1,
      at,
    });
    const other: Seal = { ...seal, signer };
    return signStatement(other, 'checkpoint', PLATFORM_CHAIN, statement, at);
  };

  it('stop no write where no key of the succession signed them, and are told', async () => {
    const strange = await rig.run(async (service) => {
      await anchor(service);
      return [
        await checkpointOfNobody(service, 'ab'.repeat(32)),
        await checkpointOfNobody(service, 'no hash at all'),
        Uint8Array.from(randomBytes(200)),
        new Uint8Array(0),
      ];
    });
    const keys = strange.map((bytes) => anchorKey(PLATFORM_CHAIN, FAR, bytes));
    for (const [at, key] of keys.entries()) put(key, strange[at]!);
    const statement = Uint8Array.from(randomBytes(80));
    put(statementKey(FAR, statement), statement);
    await rig.run(async (service) => {
      expect(await write(service)).toMatchObject({ status: 201 });
      await service.container.get(AnchorSweep).run();
      await ok(platform(service).post('/v1/admin/vault/anchors/reconcile', {}));
      expect(await write(service)).toMatchObject({ status: 201 });
      expect(await findings(service)).toEqual([]);
      const { data } = await ok(platform(service).post('/v1/admin/vault/anchors/verify', {}));
      const told = (data as Body[]).filter(({ match }) => !match);
      expect(told).toHaveLength(5);
      for (const key of [...keys, statementKey(FAR, statement)])
        expect(told.some(({ detail }) => String(detail).startsWith(`${key}: `))).toBe(true);
      expect(told.filter(({ detail }) => /no key of the succession/.test(String(detail)))).toEqual(
        Array(2).fill(expect.objectContaining({ recordId: PLATFORM_CHAIN, chainPosition: FAR })),
      );
    });
  });

  it('hide no rewind behind an old checkpoint under the name of a newer one', async () => {
    await rig.run(anchor);
    copy = await copyOf(rig.database, rig.directory);
    const first = await rig.run((service) =>
      service.container.get(TOKENS.checkpointReads).newestOf(PLATFORM_CHAIN),
    );
    await rig.run(async (service) => {
      await ok(platform(service).post('/v1/admin/orgs', { name: 'Lost', slug: 'lost' }));
      await anchor(service);
    });
    put(anchorKey(PLATFORM_CHAIN, FAR, first!.coseSign1), first!.coseSign1);
    rig.env = { ...FEW_ROUNDS, DATABASE_URL: copy.url };
    await rig.run(async (service) => {
      expect(await write(service)).toMatchObject({
        status: 409,
        body: { code: 'CHAIN_REWIND_DETECTED' },
      });
    });
  });

  it('catch a copy from before two rotations, by the statements alone too', async () => {
    copy = await copyOf(rig.database, rig.directory);
    await rig.run(async (service) => {
      await rotate(service);
      await rotate(service);
    });
    rig.env = { ...FEW_ROUNDS, DATABASE_URL: copy.url };
    await rig.run(expectKeyLost);
    // As where the service died before the new key signed a round.
    rmSync(join(store(), 'anchors', PLATFORM_CHAIN), { recursive: true });
    await copy.raw('DELETE FROM rewind_findings');
    await rig.run(expectKeyLost);
    expect(readdirSync(join(store(), 'anchors', 'key-statements'))).toHaveLength(4);
  });

  it('catch a copy that went another way meanwhile, with a key of its own', async () => {
    copy = await copyOf(rig.database, rig.directory);
    await rig.run(rotate);
    rig.env = { ...FEW_ROUNDS, DATABASE_URL: copy.url, ANCHOR: 'none' };
    await rig.run(rotate);
    rig.env = { ...FEW_ROUNDS, DATABASE_URL: copy.url };
    await rig.run(expectKeyLost);
  });

  it('stop no write where the key that leads to them was retired as compromised: whoever stole it made them', async () => {
    copy = await copyOf(rig.database, rig.directory);
    // What a thief of the first key makes of a copy.
    await rig.run(rotate);
    const stolen = join(store(), 'anchors', 'key-statements');
    expect(readdirSync(stolen)).toHaveLength(2);
    for (const name of readdirSync(join(store(), 'anchors')))
      if (name !== 'key-statements') rmSync(join(store(), 'anchors', name), { recursive: true });
    rig.env = { ...FEW_ROUNDS, DATABASE_URL: copy.url, ANCHOR: 'none' };
    await rig.run((service) => rotate(service, { reason: 'compromised' }));
    rig.env = { ...FEW_ROUNDS, DATABASE_URL: copy.url };
    await rig.run(async (service) => {
      expect(await write(service)).toMatchObject({ status: 201 });
      const { data } = await ok(platform(service).post('/v1/admin/vault/anchors/verify', {}));
      expect((data as Body[]).filter(({ match }) => !match)).toHaveLength(2);
    });
  });
});
