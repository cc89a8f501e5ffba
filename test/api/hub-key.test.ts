import { randomBytes } from 'node:crypto';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { HubKeys } from '../../application/federation/hub-keys.ts';
import { MoveHubKeys } from '../../application/federation/move-hub-keys.ts';
import { PlatformLedger } from '../../application/sealing/platform-ledger.ts';
import { SealPlatform } from '../../application/sealing/seal-platform.ts';
import { Vault } from '../../application/sealing/vault.ts';
import { TOKENS as t } from '../../config/tokens.ts';
import { tracesOfAct } from '../support/stories/acts.ts';
import { openHubs, type TestHub } from '../support/hubs/hubs.ts';
import { databasePath } from '../support/databases/outbox.ts';
import { ok } from '../support/service/world.ts';

const SECRET = randomBytes(32).toString('base64');
const NEXT = randomBytes(32).toString('base64');
let hub: TestHub;
beforeAll(async () => {
  [hub] = (await openHubs(['hub'], () => ({ SECRETS_KEY: SECRET }))) as [TestHub];
});
afterAll(() => hub.end());

/** As another process has it. */
const keysOf = (canUse = true): HubKeys => {
  const { container } = hub.service;
  return new HubKeys(
    container.get(t.hubKeyReads),
    container.get(t.hubKeySecrets),
    container.get(t.unitOfWork),
    container.get(SealPlatform),
    container.get(PlatformLedger),
    container.get(Vault),
    { canUse: async () => canUse },
    container.get(t.clock),
    container.get(t.ids),
  );
};

it('is not made where the host cannot compute Ed25519: such a hub does not federate', async () => {
  await expect(keysOf(false).current()).rejects.toMatchObject({ code: 'UNPROCESSABLE' });
  expect(await hub.service.container.get(t.hubKeyReads).all()).toEqual([]);
});

it('is made once, whoever asks first, and sealed with its COSE_Key', async () => {
  const { result, entries } = await tracesOfAct(hub, () =>
    Promise.all([1, 2, 3, 4].map(() => keysOf().current())),
  );
  expect(new Set(result.map(({ thumbprint }) => thumbprint)).size).toBe(1);
  expect(entries).toMatchObject([
    {
      type: 'HUB_KEY_CREATED',
      says: {
        publicKeyThumbprint: result[0]!.thumbprint,
        hubId: hub.service.vault.hubId,
        actor: { kind: 'system' },
      },
    },
  ]);
  const raw = Buffer.from(result[0]!.publicKey.raw);
  expect(Buffer.from(String(entries[0]!.says['coseKey']), 'base64').includes(raw)).toBe(true);
  expect((await hub.identity())['publicKeyThumbprint']).toBe(result[0]!.thumbprint);
});

it('moves to the newest SECRETS_KEY, so that the older one can go', async () => {
  const before = await hub.identity();
  await hub.stop();
  await hub.start({ SECRETS_KEY: `${NEXT},${SECRET}` });
  const { container } = hub.service;
  expect(await container.get(MoveHubKeys).run()).toBe(1);
  expect(await container.get(MoveHubKeys).run()).toBe(0);
  while ((await container.get(t.sql).moveRowsToNewestKey()) > 0);
  await hub.stop();
  await hub.start({ SECRETS_KEY: NEXT });
  expect(await hub.identity()).toEqual(before);
});

it('is followed by a new one for each call, and the former ones are sealed as former', async () => {
  const rotate = '/v1/admin/federation/hub-key/rotate';
  const { result, entries } = await tracesOfAct(hub, async () => [
    await ok(hub.platform.post(rotate, {}, { 'idempotency-key': 'one' })),
    await ok(hub.platform.post(rotate, {}, { 'idempotency-key': 'one' })),
    await ok(hub.platform.post(rotate, {})),
  ]);
  const [first, again, second] = result;
  expect(again).toEqual(first);
  expect(second!['previousThumbprint']).toBe(first!['publicKeyThumbprint']);
  expect(entries.map(({ type, says }) => [type, says['previousThumbprint']])).toEqual([
    ['HUB_KEY_CHANGED', first!['previousThumbprint']],
    ['HUB_KEY_CHANGED', first!['publicKeyThumbprint']],
  ]);
  const keys = await hub.service.container.get(t.hubKeyReads).all();
  expect(keys.map(({ retiredAt }) => retiredAt === null)).toEqual([false, false, true]);
  // Nobody is registered who knows the hub by a former one.
  expect(keys.map(({ sealedPrivateKey }) => sealedPrivateKey === null)).toEqual([
    true,
    true,
    false,
  ]);
});

it('is not made anew where somebody deleted its rows: to every peer it would be a stranger', async () => {
  const database = new DatabaseSync(databasePath(hub), { timeout: 5_000 });
  database.exec('DELETE FROM hub_keys');
  database.close();
  const { status, body } = await hub.platform.get('/federation/v1/identity');
  expect([status, body['reason']]).toEqual([409, 'payload_drift']);
});
