import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AjvInputCheck } from '../../adapters/json-schema/ajv-input-check.ts';
import { FolderFiles } from '../../adapters/provisioning/folder-files.ts';
import { LoadDocuments } from '../../application/provisioning/load-documents.ts';
import { useApi } from '../support/service/api.ts';
import { provisioningPlace } from '../support/service/provisioning.ts';
import { Guide } from '../support/runner/guide.ts';
import { Client, ok, type Body } from '../support/service/world.ts';

/** The example of the guide under another slug of the org, because the world of the test has an org of that slug. */
const EXAMPLE = Object.fromEntries(
  Guide.of('provisioning')
    .files('yaml')
    .map(([file, text]) => [file, text.replaceAll(/^(org|slug): acme$/gm, '$1: example')]),
);

const place = provisioningPlace();
place.write(EXAMPLE);
const api = useApi(place.env);

describe('the example of the guide', () => {
  it('is applied when the service starts', async () => {
    expect(Object.keys(EXAMPLE)).toHaveLength(7);
    const status = await ok(api.world.platform.get('/v1/admin/provisioning/status'));
    expect(status).toMatchObject({
      configured: true,
      prune: false,
      managed: { orgs: 1, agents: 2, apiKeys: 1, schemas: 1, webhooks: 1, trustedIssuers: 1 },
      loadErrors: [],
      lastReloadAt: expect.any(String),
    });
    const key = readFileSync(join(place.secrets, 'example.clerk.api-key'), 'utf8').trim();
    expect(await ok(new Client(api.world.url, key).get('/v1/auth/me'))).toMatchObject({
      role: 'agent',
      name: 'clerk',
    });
  });

  it('is the same again when somebody asks', async () => {
    const report = await ok(api.world.platform.post('/v1/admin/provisioning/reload'));
    expect(report).toMatchObject({
      errors: [],
      agents: { created: 0, updated: 0, pruned: 0 },
      apiKeys: { created: 0, skipped: 1 },
    });
  });

  it('without pruning what no file names stays as it is', async () => {
    place.remove('agents/admin.yaml');
    const report: Body = await ok(api.world.platform.post('/v1/admin/provisioning/reload'));
    expect(report).toMatchObject({ errors: [], agents: { pruned: 0 } });
    const status = await ok(api.world.platform.get('/v1/admin/provisioning/status'));
    expect(status).toMatchObject({ managed: { agents: 2 } });
  });
});

it('in whichever order files are read, the same documents are applied in the same order', async () => {
  const load = new LoadDocuments(new AjvInputCheck());
  place.write({
    ...EXAMPLE,
    'agents/one.yaml': 'org: example\nkey: twice\nname: one\n',
    'agents/two.yaml': 'org: example\nkey: twice\nname: two\n',
    'agents/bad.yaml': 'org: example\nkey: bad\n',
  });
  const folder = await new FolderFiles(place.path).read();
  const told = async (files: typeof folder.files) => {
    const { items, faults, named } = await load.load({ ...folder, files });
    return {
      items: items.map(({ file }) => file),
      faults: faults.map((fault) => JSON.stringify(fault)).sort(),
      named: [...named].sort(),
    };
  };
  const expected = await told(folder.files);
  expect(expected.items[0]).toBe('orgs/acme.yaml');
  expect(expected.faults).toHaveLength(3);
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray([...folder.files], { minLength: folder.files.length }),
      async (files) => {
        expect(await told(files)).toEqual(expected);
      },
    ),
  );
});
