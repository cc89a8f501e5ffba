import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { MakeExports } from '../../application/compliance/make-exports.ts';
import { CheckpointRound } from '../../application/vault/checkpoint-round.ts';
import type { RunningService } from '../../config/service.ts';
import { TOKENS } from '../../config/tokens.ts';
import { followSuccession } from '../../domain/vault/key-succession.ts';
import { databases } from '../support/databases/databases.ts';
import { TransitServer, type Mood } from '../support/peers/transit-server.ts';
import { VaultRig } from '../support/service/vault-rig.ts';
import { ok, type Body } from '../support/service/world.ts';

const ROTATE = '/v1/admin/vault/signing-keys/rotate';

describe.each(databases())('a signer that is away, on $name', (kind) => {
  const transit = new TransitServer();
  let rig: VaultRig;

  beforeAll(async () => {
    await transit.start();
    transit.addKey('first').addKey('second', 'ecdsa-p256').addKey('third');
    rig = new VaultRig(kind, { CHECKPOINT_INTERVAL: '1440', ...transit.env('first') });
    await rig.prepare();
  });
  afterAll(async () => {
    await rig.end();
    await transit.stop();
  });
  beforeEach(() => {
    transit.mood = () => undefined;
  });

  const client = (service: RunningService) => rig.at(service, rig.world.principal.client);
  const note = (service: RunningService, text = 'a note'): Promise<Body> =>
    ok(client(service).post('/v1/records', { type: 'note', criteria: { text } }));
  const refer = (service: RunningService, id: string, n: number) =>
    client(service).post(`/v1/records/${id}/references`, {
      kind: 'ticket',
      uri: `https://example.org/${n}`,
    });
  const entriesOf = ({ container }: RunningService, id: string) =>
    container.get(TOKENS.chainReads).entries(id, 1, 1_000);
  const counted = [
    'records',
    'orgs',
    'api_keys',
    'chain_entries',
    'chain_heads',
    'vault_checkpoints',
    'vault_key_statements',
    "outbox WHERE type LIKE 'record.%' OR type LIKE 'org.%' OR type LIKE 'vault.%'",
  ];
  const everything = async (): Promise<readonly number[]> => {
    const counts: number[] = [];
    for (const table of counted)
      counts.push(Number((await rig.database.raw(`SELECT COUNT(*) AS n FROM ${table}`))[0]!['n']));
    return counts;
  };
  const platform = (service: RunningService) => rig.at(service, rig.world.platform);
  const activeKey = async (service: RunningService): Promise<Body> =>
    (await ok(rig.at(service, rig.world.anonymous).get('/v1/verification-keys')))['data'][0];

  it('signs entries of a record, from its creation to its end, and of the platform chain', () =>
    rig.run(async (service) => {
      const record = await note(service);
      for (let n = 0; n < 3; n++) await ok(refer(service, record['id'], n));
      const entries = await entriesOf(service, record['id']);
      expect(entries.map(({ position }) => position)).toEqual([1, 2, 3, 4]);
      await ok(rig.at(service, rig.world.platform).post('/v1/admin/orgs', { name: 'Another' }));
    }));

  it('does not hold the writers of other chains up while it signs for one', () =>
    rig.run(async (service) => {
      const [slow, other] = [await note(service), await note(service)];
      const isOf = (id: string, bytes: Buffer) => bytes.includes(id);
      transit.mood = ({ bytes }) => (isOf(slow['id'], bytes) ? sleep(1_200) : undefined);
      const begun = performance.now();
      const late = ok(refer(service, slow['id'], 1)).then(() => performance.now() - begun);
      await sleep(100);
      for (let n = 0; n < 5; n++) await ok(refer(service, other['id'], n));
      await note(service);
      const meanwhile = performance.now() - begun;
      expect(await late).toBeGreaterThan(1_150);
      expect(meanwhile).toBeLessThan(1_150);
    }));

  it('lets the writers of one chain follow each other, with a signature each', () =>
    rig.run(async (service) => {
      const { id } = await note(service);
      transit.mood = () => sleep(20);
      const before = transit.signed;
      const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => refer(service, id, n)));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
      const entries = await entriesOf(service, id);
      expect(entries.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
      expect(transit.signed - before).toBe(8);
    }));

  it.each<readonly [string, Mood, number]>([
    ['refuses', () => 503, 0],
    ['breaks', () => 500, 0],
    ['forgot the token', () => 403, 0],
    ['hangs', () => sleep(20_000, undefined, { ref: false }), 1_400],
  ])(
    'answers 503 with Retry-After within 2 s where it %s, and writes nothing',
    (_name, mood, atLeast) =>
      rig.run(async (service) => {
        const { id } = await note(service);
        transit.mood = mood;
        const before = await everything();
        for (const ask of [
          () => client(service).post('/v1/records', { type: 'note', criteria: { text: 'x' } }),
          () => refer(service, id, 1),
          () => platform(service).post('/v1/admin/orgs', { name: 'Yet another' }),
          () => client(service).get(`/v1/records/${id}/audit-export`),
        ]) {
          const begun = performance.now();
          const refused = await ask();
          expect(performance.now() - begun).toBeLessThan(2_000);
          expect(performance.now() - begun).toBeGreaterThanOrEqual(atLeast);
          expect(refused.status).toBe(503);
          expect(refused.body).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryable: true });
          expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
        }
        expect(await everything()).toEqual(before);
        transit.mood = () => undefined;
        expect((await refer(service, id, 1)).status).toBe(201);
      }),
  );

  it('writes nothing of a call where it fails at the second of two signatures', () =>
    rig.run(async (service) => {
      const before = await everything();
      let asked = 0;
      transit.mood = () => (++asked === 2 ? 500 : undefined);
      const body = { name: 'Half', bootstrapAdmin: true };
      expect((await platform(service).post('/v1/admin/orgs', body)).status).toBe(503);
      expect(asked).toBe(2);
      expect(await everything()).toEqual(before);
      await ok(platform(service).post('/v1/admin/orgs', body));
    }));

  it('signs for one chain on two nodes, each entry once, whichever is slower', () =>
    rig.run((one) =>
      rig.run(async (other) => {
        const { id } = await note(one);
        transit.mood = () => sleep(Math.random() * 30);
        const answers = await Promise.all(
          Array.from({ length: 10 }, (_, n) => refer(n % 2 === 0 ? one : other, id, n)),
        );
        const written = answers.filter(({ status }) => status === 201).length;
        expect(written).toBeGreaterThanOrEqual(5);
        for (const { status } of answers) expect([201, 503]).toContain(status);
        const entries = await entriesOf(one, id);
        expect(entries.map(({ position }) => position)).toEqual(
          Array.from({ length: written + 1 }, (_, at) => at + 1),
        );
      }),
    ));

  it('makes checkpoints of a round, and the one that an export needs', () =>
    rig.run(async (service) => {
      const notes = await Promise.all(Array.from({ length: 70 }, (_, n) => note(service, `${n}`)));
      transit.mood = () => sleep(5);
      const round = await service.container.get(CheckpointRound).run();
      expect(round?.covered).toBeGreaterThanOrEqual(70);
      const { id } = notes[0]!;
      await ok(refer(service, id, 1));
      const exported = await ok(client(service).get(`/v1/records/${id}/audit-export`));
      expect(exported['checkpoint']).toMatchObject({ position: 2 });
      const log = await service.container.get(TOKENS.checkpointReads).from(0, 10_000);
      expect(log.map(({ logIndex }) => logIndex)).toEqual(log.map((_leaf, at) => at));
    }));

  it('does not give up a compliance export while it is away', () =>
    rig.run(async (service) => {
      await note(service);
      const admin = rig.at(service, rig.world.admin);
      let refused = 0;
      transit.mood = () => (refused++, 503);
      const { id } = await ok(
        admin.post('/v1/compliance/exports', {
          from: '2020-01-01T00:00:00.000Z',
          to: '2100-01-01T00:00:00.000Z',
        }),
      );
      // The job of the service runs beside these.
      const exports = service.container.get(MakeExports);
      const run = (): Promise<void> =>
        exports.run(new AbortController().signal).catch(() => undefined);
      for (const begun = Date.now(); refused < 6 && Date.now() < begun + 20_000;) await run();
      expect(refused).toBeGreaterThanOrEqual(6);
      transit.mood = () => undefined;
      await vi.waitFor(async () => {
        await run();
        const made = await ok(admin.get(`/v1/compliance/exports/${id}`));
        expect(made).toMatchObject({ state: 'completed', reason: null });
      }, 60_000);
    }));

  it('answers already_active to a rotation while the settings name the active key', () =>
    rig.run(async (service) => {
      const { keyId } = await activeKey(service);
      expect(await ok(platform(service).post(ROTATE))).toMatchObject({
        previousKeyId: keyId,
        newKeyId: keyId,
        status: 'already_active',
        suggestion: expect.stringContaining('SIGNER_PREVIOUS') as string,
      });
    }));

  it('refuses an append that it signed with a key which was retired before the lock', () =>
    rig.run(async (one) => {
      const { id } = await note(one);
      let rotated: () => void = () => undefined;
      const rotation = new Promise<void>((resolve) => (rotated = resolve));
      transit.mood = ({ key, bytes }) =>
        key === 'first' && bytes.includes('REFERENCE_ADDED') ? rotation : undefined;
      const before = (await entriesOf(one, id)).length;
      const late = refer(one, id, 1);
      await sleep(100);
      rig.env = { ...rig.env, ...transit.env('second'), SIGNER_PREVIOUS: 'vault-transit:first' };
      await rig.run(async (other) => {
        rotated();
        const refused = await late;
        expect(refused.status).toBe(503);
        expect(refused.body['suggestion']).toContain('the settings of this node');
        expect(await entriesOf(other, id)).toHaveLength(before);
        // The node without the new key reads on, and knows of the rotation.
        expect(await activeKey(one)).toEqual(await activeKey(other));
        expect((await client(one).get(`/v1/records/${id}`)).status).toBe(200);
        expect(await activeKey(other)).toMatchObject({ algorithm: 'ES256', status: 'active' });
        // The other node holds the new key, and continues the chain.
        await ok(refer(other, id, 1));
        const listed = await ok(rig.at(other, rig.world.anonymous).get('/v1/verification-keys'));
        const statements = listed['keyStatements'].map(({ coseSign1 }: { coseSign1: string }) =>
          Uint8Array.from(Buffer.from(coseSign1, 'base64')),
        );
        expect((await followSuccession(statements)).faults).toEqual([]);
      });
    }));

  it('starts with the new key without its predecessor, and stops where the settings do not fit', async () => {
    const refuses = (env: Record<string, string>, sentence: RegExp) => {
      const kept = rig.env;
      rig.env = { ...kept, ...env };
      return expect(rig.run(() => Promise.resolve()))
        .rejects.toThrow(sentence)
        .finally(() => (rig.env = kept));
    };
    rig.env = { ...rig.env, SIGNER_PREVIOUS: '' };
    await rig.run(async (service) => {
      expect((await activeKey(service))['algorithm']).toBe('ES256');
    });
    await refuses(
      { TRANSIT_KEY: 'first' },
      /SIGNER names vault-transit, whose key [0-9a-f]{32} was retired at \S+\. No key is activated twice/,
    );
    await refuses(
      { TRANSIT_KEY: 'third' },
      /To rotate to vault-transit, name the signer that holds [0-9a-f]{32} in SIGNER_PREVIOUS/,
    );
    await refuses(
      { TRANSIT_KEY: 'third', SIGNER_PREVIOUS: 'vault-transit:first' },
      /SIGNER_PREVIOUS names vault-transit:first, which holds [0-9a-f]{32} and cannot sign for the active key/,
    );
    await refuses(
      { TRANSIT_KEY: 'third', SIGNER_PREVIOUS: 'vault-transit:lost' },
      /SIGNER_PREVIOUS names vault-transit:lost, which cannot sign, and only the active key can name its successor/,
    );
    await refuses({ SIGNER: 'software' }, /SIGNER names software, which holds no such key/);
    await refuses({ TRANSIT_KEY: 'lost' }, /The key lost cannot be read at http/);
  });

  it('rotates to the software signer, and from there to a third key', async () => {
    const kept = rig.env;
    rig.env = { ...kept, SIGNER: 'software', SIGNER_PREVIOUS: 'vault-transit' };
    await rig.run(async (service) => {
      expect((await activeKey(service))['algorithm']).toBe('Ed25519');
      await note(service);
      expect((await ok(platform(service).post(ROTATE)))['status']).toBe('rotated');
    });
    rig.env = { ...kept, TRANSIT_KEY: 'third', SIGNER_PREVIOUS: 'software' };
    await rig.run(async (service) => {
      await note(service);
      expect(await rig.database.raw('SELECT key_id FROM sealed_keys')).toHaveLength(0);
    });
  });
});
