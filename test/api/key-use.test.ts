import { DatabaseSync } from '@photostructure/sqlite';
import { expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';
import { databasePath } from '../support/databases/outbox.ts';
import { tellSums } from '../support/databases/tell-sums.ts';
import { mintKey, ok, type Body } from '../support/service/world.ts';
import { dataIn } from '../support/databases/stored-values.ts';

const api = useApi();
/** What was told of the uses of a key. */
const usesOf = (keyId: string): readonly Body[] => {
  const database = new DatabaseSync(databasePath(api), { readOnly: true, timeout: 5_000 });
  try {
    const rows = database
      .prepare("SELECT data, org_id FROM outbox WHERE type = 'key.used' ORDER BY id")
      .all() as Body[];
    return rows
      .map((row): Body => ({ ...dataIn(row), orgId: row['org_id'] }))
      .filter((use) => use['apiKeyId'] === keyId);
  } finally {
    database.close();
  }
};
const mintPlatform = async (extra: Body) =>
  mintKey(
    api.world.platform,
    String((await ok(api.world.platform.get('/v1/auth/me')))['ownerId']),
    { role: 'platform', ...extra },
  );

it.each<[string, Body]>([
  ['without expiry', { allowedIps: ['127.0.0.0/8', '::1/128'] }],
  ['from anywhere', { expiresInSeconds: 3600 }],
])(
  'uses of a platform key %s are told to the platform alone, with from where and how often',
  async (_what, extra) => {
    const { keyId, client } = await mintPlatform(extra);
    for (let use = 0; use < 3; use++) await ok(client.get('/v1/auth/me'));
    await tellSums(api);
    expect(usesOf(keyId).map(({ count }) => count as number)).toEqual([3]);
    expect(usesOf(keyId)[0]).toMatchObject({
      apiKeyId: keyId,
      address: expect.stringMatching(/^(?:127\.0\.0\.1|::1)$/),
      actor: { kind: 'platform' },
      orgId: null,
    });
    expect(JSON.stringify(usesOf(keyId))).not.toContain(String(client.key).slice(8));
  },
);

it('no use of a bounded platform key, of an admin key or of an agent key is', async () => {
  const bounded = await mintPlatform({
    expiresInSeconds: 3600,
    allowedIps: ['127.0.0.0/8', '::1/128'],
  });
  await ok(bounded.client.get('/v1/auth/me'));
  const others = [api.world.admin, api.world.principal.client];
  const keyIds = [
    bounded.keyId,
    ...(await Promise.all(
      others.map(async (client) => String((await ok(client.get('/v1/auth/me')))['apiKeyId'])),
    )),
  ];
  await tellSums(api);
  expect(keyIds.flatMap(usesOf)).toEqual([]);
});
