import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RevokeKeyOnHost } from '../../../application/operations/revoke-key-on-host.ts';
import { quickDatabases, type TestDatabase } from '../../support/databases/databases.ts';
import { EditedHub } from '../../support/attackers/edited-hub.ts';
import { expectProblem } from '../../support/stories/problems.ts';
import { provisioningPlace } from '../../support/service/provisioning.ts';
import { Client, ok, type Body } from '../../support/service/world.ts';

/**
 * Who writes the database keeps a key that its file no longer names: without the row that says which document the key is
 * of, nothing prunes it, and callers are refused because files manage it.
 */
describe.each(quickDatabases())('a key whose provisioning somebody deleted on $name', (kind) => {
  const place = provisioningPlace();
  let database: TestDatabase;
  let hub: EditedHub;
  beforeAll(async () => {
    place.write({
      'orgs/umbrella.yaml': 'slug: umbrella\nname: Umbrella\n',
      'agents/clerk.yaml': 'org: umbrella\nkey: clerk\nname: clerk\n',
      'api-keys/clerk.yaml': 'org: umbrella\nkey: clerk\nagent: clerk\nrole: agent\n',
    });
    database = await kind.open();
    hub = await EditedHub.start(database, { ...place.env, PROVISIONING_PRUNE: 'true' });
  });
  afterAll(async () => {
    await hub?.stop();
    await database?.drop();
  });

  it('is named by every reload for as long as it is in use', async () => {
    const { platform, url } = hub.world;
    const reload = async (): Promise<readonly Body[]> =>
      (await ok(platform.post('/v1/admin/provisioning/reload')))['errors'] as Body[];
    expect(await reload()).toEqual([]);
    const secret = readFileSync(join(place.secrets, 'umbrella.clerk.api-key'), 'utf8').trim();
    const clerk = new Client(url, secret);
    const { apiKeyId } = await ok(clerk.get('/v1/auth/me'));
    await hub.remove('provisioned_rows', `kind = 'api-keys'`);
    place.remove('api-keys/clerk.yaml');
    const keyId = String(apiKeyId);
    expect(await reload()).toEqual([
      {
        file: 'api-keys/',
        pointer: '',
        message: expect.stringContaining(`${keyId} was made by files`) as unknown,
      },
    ]);
    expect((await clerk.get('/v1/auth/me')).status).toBe(200);
    expectProblem(
      await platform.patch(`/v1/admin/api-keys/${keyId}`, { isActive: false }),
      409,
      'PROVISIONING_MANAGED',
    );
    await hub.service.container.get(RevokeKeyOnHost).execute({ keyId });
    expect(await reload()).toEqual([]);
  });
});
