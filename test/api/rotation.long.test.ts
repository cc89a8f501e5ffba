import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { RunningService } from '../../config/service.ts';
import { TOKENS } from '../../config/tokens.ts';
import { PLATFORM_CHAIN } from '../../domain/vault/chain-key.ts';
import { readEntry } from '../../domain/vault/open-entry.ts';
import { followSuccession } from '../../domain/vault/key-succession.ts';
import { databases } from '../support/databases/databases.ts';
import { VaultRig } from '../support/service/vault-rig.ts';
import { ok, type Body } from '../support/service/world.ts';
import { dataIn } from '../support/databases/stored-values.ts';

const ROTATE = '/v1/admin/vault/signing-keys/rotate';
const BUSY = 'due_at IS NOT NULL OR lease_token IS NOT NULL';

const platformEntries = ({ container }: RunningService) =>
  container.get(TOKENS.chainReads).entries(PLATFORM_CHAIN, 1, 10_000);

describe.each(databases())('rotation of the signing key on $name', (kind) => {
  const rig = new VaultRig(kind, { CHECKPOINT_INTERVAL: '1440' });

  beforeAll(() => rig.prepare());
  afterAll(() => rig.end());

  const note = (service: RunningService): Promise<Body> =>
    ok(
      rig.at(service, rig.world.principal.client).post('/v1/records', {
        type: 'note',
        criteria: { text: 'a note' },
      }),
    );
  const rotate = (service: RunningService, body?: object): Promise<Body> =>
    ok(rig.at(service, rig.world.platform).post(ROTATE, body));

  it('seals KEY_ACTIVATED by the old key and KEY_RETIRED by the new one right after it', () =>
    rig.run(async (service) => {
      const before = await note(service);
      const rotated = await rotate(service, { reason: 'compromised' });
      const after = await note(service);
      expect(rotated).toMatchObject({
        previousKeyId: before['signedStatement'].signingKeyId,
        newKeyId: after['signedStatement'].signingKeyId,
        status: 'rotated',
      });
      const entries = await platformEntries(service);
      const at = entries.findIndex(
        ({ entryType, position }) => entryType === 'KEY_ACTIVATED' && position > 1,
      );
      const [activated, retired] = entries.slice(at, at + 2);
      expect(activated).toMatchObject({ signingKeyId: rotated['previousKeyId'] });
      expect(retired).toMatchObject({
        entryType: 'KEY_RETIRED',
        signingKeyId: rotated['newKeyId'],
      });
      const log = await service.container.get(TOKENS.checkpointReads).from(0, 10_000);
      const last = log.findLast(({ signingKeyId }) => signingKeyId === rotated['previousKeyId'])!;
      expect(last).toMatchObject({ chainKey: PLATFORM_CHAIN, position: activated!.position });
      expect(readEntry(retired!.coseSign1)?.predicate).toMatchObject({
        keyId: rotated['previousKeyId'],
        reason: 'compromised',
        treeSize: last.logIndex + 1,
        uncovered: 0,
      });
      const listed = await ok(rig.at(service, rig.world.anonymous).get('/v1/verification-keys'));
      expect(listed['data']).toMatchObject([
        { keyId: rotated['newKeyId'], status: 'active' },
        { keyId: rotated['previousKeyId'], status: 'retired' },
      ]);
      const statements = listed['keyStatements'].map(({ coseSign1 }: { coseSign1: string }) =>
        Uint8Array.from(Buffer.from(coseSign1, 'base64')),
      );
      expect((await followSuccession(statements)).faults).toEqual([]);
      expect(await rig.database.raw('SELECT key_id FROM sealed_keys')).toHaveLength(1);
      const [event] = await rig.database.raw(
        "SELECT data FROM outbox WHERE type = 'vault.key_rotated'",
      );
      expect(dataIn(event!)).toMatchObject({
        previousKeyId: rotated['previousKeyId'],
        newKeyId: rotated['newKeyId'],
        reason: 'compromised',
      });
    }));

  it(
    'goes unnoticed by callers of two nodes that write without a pause, and no retired key signs after it',
    () =>
      rig.run((one) =>
        rig.run(async (other) => {
          let isOver = false;
          const records: Body[] = [];
          const write = async (service: RunningService): Promise<void> => {
            const client = rig.at(service, rig.world.principal.client);
            while (!isOver) {
              const record = await note(service);
              const reference = { kind: 'ticket', uri: `https://example.org/${records.length}` };
              await ok(client.post(`/v1/records/${record['id']}/references`, reference));
              records.push(record);
            }
          };
          const writers = [one, one, one, other, other, other].map(write);
          const ended = Promise.allSettled(writers);
          const statuses: string[] = [];
          try {
            for (let round = 0; round < 3; round++) {
              const both = await Promise.all([rotate(one), rotate(other)]);
              expect(new Set(both.map(({ newKeyId }) => newKeyId)).size).toBe(1);
              statuses.push(...both.map(({ status }) => status));
              const known = records.length;
              await expect.poll(() => records.length).toBeGreaterThan(known + 3);
            }
          } finally {
            isOver = true;
            await ended;
          }
          await Promise.all(writers);
          expect(statuses.filter((status) => status === 'rotated')).toHaveLength(3);
          expect(records.length).toBeGreaterThan(10);

          const listed = await ok(rig.at(other, rig.world.anonymous).get('/v1/verification-keys'));
          const windows = new Map<string, { activatedAt: string; retiredAt: string | null }>(
            listed['data'].map((key: { keyId: string }) => [key.keyId, key]),
          );
          const used = new Set<string>();
          for (const { id } of records) {
            const entries = await one.container.get(TOKENS.chainReads).entries(id, 1, 10);
            expect(entries).toHaveLength(2);
            for (const { signingKeyId, at } of entries) {
              used.add(signingKeyId);
              const { activatedAt, retiredAt } = windows.get(signingKeyId)!;
              expect(at >= activatedAt && (retiredAt === null || at <= retiredAt)).toBe(true);
            }
          }
          expect(used.size).toBeGreaterThan(1);
          // The root in a KEY_RETIRED covers the chains that its key signed.
          const log = await one.container.get(TOKENS.checkpointReads).from(0, 100_000);
          for (const { id } of records)
            for (const entry of await one.container.get(TOKENS.chainReads).entries(id, 1, 10))
              if (windows.get(entry.signingKeyId)!.retiredAt !== null)
                expect(
                  log.some(
                    (leaf) =>
                      leaf.chainKey === id &&
                      leaf.signingKeyId === entry.signingKeyId &&
                      leaf.position >= entry.position,
                  ),
                ).toBe(true);
        }),
      ),
    300_000,
  );

  it('of several calls at one node one rotates, and the others find it done', () =>
    rig.run(async (service) => {
      const answers = await Promise.all([rotate(service), rotate(service), rotate(service)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([
        'already_active',
        'already_active',
        'rotated',
      ]);
      expect(new Set(answers.map(({ newKeyId }) => newKeyId)).size).toBe(1);
    }));

  it('a key that somebody retired in the database signs nothing: the call is refused as drift', () =>
    rig.run(async (service) => {
      const status = (from: string, to: string) =>
        rig.database.raw(`UPDATE vault_signing_keys SET status = '${to}' WHERE status = '${from}'`);
      const [{ key_id: active }] = (await rig.database.raw(
        "SELECT key_id FROM vault_signing_keys WHERE status = 'active'",
      )) as [{ key_id: string }];
      await status('active', 'withdrawn');
      const refused = await rig
        .at(service, rig.world.principal.client)
        .post('/v1/records', { type: 'note', criteria: { text: 'a note' } });
      await status('withdrawn', 'active');
      expect(refused).toMatchObject({ status: 409, body: { reason: 'payload_drift' } });
      expect((await note(service))['signedStatement'].signingKeyId).toBe(active);
    }));

  it('403 for whoever is not the platform', () =>
    rig.run(async (service) => {
      const { status } = await rig.at(service, rig.world.admin).post(ROTATE);
      expect(status).toBe(403);
    }));

  it('removes at the next start what a rotation left that never came to its end', () =>
    rig.run(async (service) => {
      const { signer, sealed } = await service.container.get(TOKENS.keySource).generate('Ed25519');
      await service.container.get(TOKENS.unitOfWork).transaction(async (stores) => {
        await stores.sealedKeys.insert(sealed);
        await stores.vaultKeys.insertPending(signer, sealed.createdAt);
      });
      const listed = await ok(rig.at(service, rig.world.anonymous).get('/v1/verification-keys'));
      expect(JSON.stringify(listed)).not.toContain(signer.keyId);
      await rig.run(() => Promise.resolve());
      expect(await rig.database.raw('SELECT key_id FROM sealed_keys')).toHaveLength(1);
      expect(
        await rig.database.raw("SELECT key_id FROM vault_signing_keys WHERE status = 'pending'"),
      ).toEqual([]);
    }));

  it('says how many deliveries the key of another algorithm cannot sign', () =>
    rig.run(async (first) => {
      rig.env = { ...rig.env, VAULT_ALGORITHM: 'ES256' };
      await rig.run(async (second) => {
        const admin = rig.at(second, rig.world.admin);
        for (const [signingAlg, waiting] of [
          ['ecdsa-p256-sha256', 3],
          ['hmac', 2],
        ] as const) {
          const { id } = await ok(
            admin.post('/v1/webhooks', {
              url: 'https://receiver.example/hook',
              eventTypes: ['record.failed'],
              signingAlg,
            }),
          );
          await ok(admin.post(`/v1/webhooks/${String(id)}/pause`));
          // No worker looks at it any more.
          await vi.waitFor(
            async () =>
              expect(await rig.database.raw(`SELECT 1 FROM webhook_readers WHERE ${BUSY}`)).toEqual(
                [],
              ),
            60_000,
          );
          const work = second.container.get(TOKENS.unitOfWork);
          await work.transaction(({ deliveries }) =>
            deliveries.enqueue(
              Array.from({ length: waiting }, (_, n) => ({
                id: crypto.randomUUID(),
                subscriptionId: String(id),
                eventId: crypto.randomUUID(),
                eventType: 'record.failed',
                number: n + 1,
                eventSequence: n + 1,
                attempt: 1,
                createdAt: new Date().toISOString(),
              })),
            ),
          );
        }
        expect(await rotate(second)).not.toHaveProperty('hint');
      });
      const { hint } = await rotate(first);
      expect(hint).toContain('ecdsa-p256-sha256: 3.');
      rig.env = { CHECKPOINT_INTERVAL: '1440' };
    }));
});
