import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TOKENS } from '../../config/tokens.ts';
import { useApi } from '../support/service/api.ts';
import { provisioningPlace } from '../support/service/provisioning.ts';
import { Client, ok, type Answer, type Body } from '../support/service/world.ts';
import { PLATFORM_CHAIN } from '../../domain/vault/chain-key.ts';
import { parseStatement } from '../../domain/vault/parsed-statement.ts';

const place = provisioningPlace();
const api = useApi({ ...place.env, PROVISIONING_PRUNE: 'true' });

const reload = (): Promise<Body> => ok(api.world.platform.post('/v1/admin/provisioning/reload'));
const FOLDER = {
  'orgs/umbrella.yaml': 'slug: umbrella\nname: Umbrella\n',
  'agents/clerk.yaml': 'org: umbrella\nkey: clerk\nname: clerk\ncapabilities: [report.weekly]\n',
  'agents/admin.json': { org: 'umbrella', key: 'admin', name: 'admin', displayName: 'The admin' },
  'api-keys/clerk.yaml': 'org: umbrella\nkey: clerk\nagent: clerk\nrole: agent\nlabel: clerk\n',
  'api-keys/admin.yaml': 'org: umbrella\nkey: admin\nagent: admin\nrole: admin\n',
  'schemas/report.yaml': [
    'org: umbrella',
    'key: report',
    'type: report.weekly',
    'completionSchema:',
    '  type: object',
    '  required: [pages]',
    '  properties:',
    '    pages: {type: integer}',
    'exampleEvidence: {pages: 3}',
    '',
  ].join('\n'),
  'webhooks/all.yaml':
    'org: umbrella\nkey: all\nurl: https://receiver.example.com/hook\neventTypes: ["record.*"]\n'.replace(
      '"record.*"',
      '"*"',
    ),
  'trusted-issuers/idp.yaml':
    'org: umbrella\nkey: idp\nissuerUrl: https://idp.example.com\nexpectedAudience: notary\n',
};
const NOTHING = { created: 0, updated: 0, pruned: 0 };

describe('a folder', () => {
  it('becomes rows, through the operations, and each secret a file of its own', async () => {
    place.write(FOLDER);
    const report = await reload();
    expect(report['errors']).toEqual([]);
    expect(report).toMatchObject({
      dryRun: false,
      orgs: { created: 1, updated: 0, pruned: 0 },
      agents: { created: 2 },
      schemas: { created: 1 },
      trustedIssuers: { created: 1 },
      webhooks: {
        created: 1,
        generated: [{ file: join(place.secrets, 'umbrella.all.webhook-secret') }],
      },
      apiKeys: { created: 2, skipped: 0, pruned: 0 },
    });
    const { generated } = report['apiKeys'] as { generated: Body[] };
    expect(generated.map(({ label, file }) => [label, file])).toEqual([
      [null, join(place.secrets, 'umbrella.admin.api-key')],
      ['clerk', join(place.secrets, 'umbrella.clerk.api-key')],
    ]);
    expect(readdirSync(place.secrets).sort()).toEqual([
      'umbrella.admin.api-key',
      'umbrella.all.webhook-secret',
      'umbrella.clerk.api-key',
    ]);
    for (const file of readdirSync(place.secrets))
      expect(statSync(join(place.secrets, file)).mode & 0o777).toBe(0o600);
    expect(statSync(place.secrets).mode & 0o777).toBe(0o700);
  });

  it('the keys that were written work, and the rows say who manages them', async () => {
    const admin = keyOf('umbrella.admin.api-key');
    const me = await ok(admin.get('/v1/auth/me'));
    expect(me['role']).toBe('admin');
    const { data } = (await ok(admin.get('/v1/admin/agents'))) as { data: Body[] };
    expect(data.map(({ managedBy }) => managedBy)).toEqual(['provisioning', 'provisioning']);
    const hooks = (await ok(admin.get('/v1/webhooks'))) as { data: Body[] };
    expect(await ok(admin.get(`/v1/webhooks/${String(hooks.data[0]?.['id'])}`))).toMatchObject({
      managedBy: 'provisioning',
      ownerType: 'org',
    });
  });

  it('every view of a record type says whether files manage that version', async () => {
    const admin = keyOf('umbrella.admin.api-key');
    const path = '/v1/schemas/report.weekly';
    const read = await ok(admin.get(path));
    expect(read['managedBy']).toBe('provisioning');
    const manifest = { type: 'report.weekly', exampleEvidence: { pages: 3 } };
    const schemas = { completionSchema: read['completionSchema'] };
    const again = await admin.post('/v1/schemas', { ...manifest, ...schemas, version: 1 });
    expect([again.status, again.body['managedBy']]).toEqual([200, 'provisioning']);
    const own = await admin.post('/v1/schemas', { type: 'caller.own', completionSchema: {} });
    expect([own.status, own.body['managedBy']]).toEqual([201, null]);
    const shown = async (from: string): Promise<unknown> =>
      ((await ok(admin.get(from))) as { data: Body[] }).data.map(({ type, managedBy }) => [
        type,
        managedBy,
      ]);
    expect(await shown('/v1/schemas')).toEqual([
      ['caller.own', null],
      ['report.weekly', 'provisioning'],
    ]);
    expect(await shown(`${path}/versions`)).toEqual([['report.weekly', 'provisioning']]);
    const disabled = await ok(admin.patch('/v1/schemas/caller.own', { status: 'disabled' }));
    expect(disabled['managedBy']).toBeNull();
    await ok(admin.call('DELETE', '/v1/schemas/caller.own'));
  });

  it('a second time it changes nothing, and seals nothing', async () => {
    const before = await events();
    const report = await reload();
    expect(report['errors']).toEqual([]);
    expect(report).toMatchObject({
      orgs: NOTHING,
      agents: NOTHING,
      schemas: NOTHING,
      trustedIssuers: NOTHING,
      webhooks: { ...NOTHING, generated: [] },
      apiKeys: { created: 0, skipped: 2, pruned: 0, generated: [] },
    });
    expect(await events()).toEqual(before);
  });

  it('seals each change as the system, then the folder as a whole, with one event', async () => {
    const told = await events();
    const reconciled = told.filter(({ type }) => type === 'provisioning.reconciled');
    expect(reconciled).toHaveLength(1);
    expect(reconciled[0]).toMatchObject({
      data: { counts: { agents: { created: 2, updated: 0, pruned: 0 } } },
    });
    const entries = await platformEntries();
    const own = entries.filter(({ actor }) => (actor as Body)['kind'] === 'system');
    expect(own.map(({ entryType }) => entryType)).toEqual(
      expect.arrayContaining([
        'ORG_CREATED',
        'AGENT_CREATED',
        'AGENT_CREATED',
        'API_KEY_MINTED',
        'API_KEY_MINTED',
        'WEBHOOK_CREATED',
        'ISSUER_CREATED',
      ]),
    );
    const applied = entries.filter(({ entryType }) => entryType === 'PROVISIONING_APPLIED');
    expect(applied).toHaveLength(1);
    expect(applied[0]).toMatchObject({
      trigger: 'request',
      fileCount: 8,
      counts: { orgs: { created: 1 }, 'api-keys': { created: 2 } },
    });
    const { files } = applied[0] as { files: { file: string; sha256: string }[] };
    expect(files.map(({ file }) => file)).toEqual(Object.keys(FOLDER).sort());
    for (const { file, sha256 } of files)
      expect(sha256).toBe(
        createHash('sha256')
          .update(readFileSync(join(place.path, file)))
          .digest('hex'),
      );
  });
});

describe('rows that files manage', () => {
  const refuses = async (call: Promise<Answer<Body>>): Promise<void> => {
    const { status, body } = await call;
    expect([status, body['code'], body['reason']]).toEqual([
      409,
      'PROVISIONING_MANAGED',
      'PROVISIONING_MANAGED',
    ]);
  };
  const first = async (path: string, client: Client): Promise<Body> =>
    ((await ok(client.get(path))) as { data: Body[] }).data[0]!;

  it('refuse every write but a pause', async () => {
    const admin = keyOf('umbrella.admin.api-key');
    const { platform } = api.world;
    const { orgId } = await ok(admin.get('/v1/auth/me'));
    const agent = await first('/v1/admin/agents?name=clerk', admin);
    const key = await first(`/v1/admin/api-keys?ownerId=${String(agent['id'])}`, admin);
    const hook = `/v1/webhooks/${String((await first('/v1/webhooks', admin))['id'])}`;
    const { data: issuers } = (await ok(
      platform.get(`/v1/admin/trusted-issuers?orgId=${String(orgId)}`),
    )) as { data: Body[] };
    const issuer = `/v1/admin/trusted-issuers/${String(issuers[0]?.['id'])}`;
    const path = `/v1/admin/agents/${String(agent['id'])}`;
    await refuses(
      platform.patch(`/v1/admin/orgs/${String(orgId)}`, {
        settings: { requireCoSignature: 'body' },
      }),
    );
    await refuses(admin.post(`${path}/deactivate`, { reason: 'x' }));
    await refuses(platform.post(`${path}/reactivate`));
    await refuses(
      admin.call('PUT', `/v1/agents/${String(agent['id'])}/capabilities`, { types: [] }),
    );
    await refuses(
      admin.patch(`/v1/admin/api-keys/${String(key['keyId'] ?? key['id'])}`, { isActive: false }),
    );
    await refuses(admin.post('/v1/auth/keys/rotate', {}));
    await refuses(admin.patch(hook, { format: 'cloudevents' }));
    await refuses(admin.post(`${hook}/rotate`, {}));
    await refuses(admin.call('DELETE', hook));
    await refuses(platform.patch(issuer, { enabled: false }));
    await refuses(platform.call('DELETE', issuer));
    await refuses(admin.patch('/v1/schemas/report.weekly', { status: 'disabled' }));
    await refuses(admin.call('DELETE', '/v1/schemas/report.weekly'));
    expect(await ok(admin.post(`${hook}/pause`))).toMatchObject({ isPaused: true });
    expect((await reload())['webhooks']).toMatchObject(NOTHING);
    expect(await ok(admin.post(`${hook}/resume`))).toMatchObject({ isPaused: false });
  });
});

describe('another content of the files', () => {
  it('changes what may change, and says by pointer what may not', async () => {
    place.write({
      'orgs/umbrella.yaml':
        'slug: umbrella\nname: Umbrella\nsettings: {requireCoSignature: none}\n',
      'agents/clerk.yaml': 'org: umbrella\nkey: clerk\nname: clerk\ncapabilities: [job]\n',
      'agents/admin.json': { org: 'umbrella', key: 'admin', name: 'boss' },
      'api-keys/clerk.yaml': 'org: umbrella\nkey: clerk\nagent: clerk\nrole: admin\nlabel: clerk\n',
      'schemas/report.yaml': FOLDER['schemas/report.yaml'].replace('pages: 3', 'pages: 4'),
      'webhooks/all.yaml': FOLDER['webhooks/all.yaml'] + 'format: cloudevents\n',
      'trusted-issuers/idp.yaml': FOLDER['trusted-issuers/idp.yaml'] + 'requireProof: dpop\n',
    });
    const report = await reload();
    expect(report).toMatchObject({
      orgs: NOTHING,
      agents: { created: 0, updated: 1, pruned: 0 },
      schemas: { created: 1, updated: 0, pruned: 0 },
      webhooks: { created: 0, updated: 1 },
      trustedIssuers: { created: 0, updated: 1 },
      apiKeys: { created: 0, skipped: 1, pruned: 0 },
    });
    const errors = report['errors'] as Body[];
    expect(errors.map(({ file, pointer }) => [file, pointer])).toEqual([
      ['agents/admin.json', '/name'],
      ['agents/admin.json', '/displayName'],
      ['api-keys/clerk.yaml', '/role'],
      ['api-keys/clerk.yaml', '/scopeProfile'],
    ]);
    const type = await ok(keyOf('umbrella.admin.api-key').get('/v1/schemas/report.weekly'));
    expect(type['version']).toBe(2);
    const status = await ok(api.world.platform.get('/v1/admin/provisioning/status'));
    expect(status).toMatchObject({
      configured: true,
      configPath: place.path,
      prune: true,
      dryRun: false,
      managed: { orgs: 1, agents: 2, apiKeys: 2, schemas: 1, webhooks: 1, trustedIssuers: 1 },
      loadErrors: errors,
    });
    place.write(FOLDER);
    // The earlier manifest is the next version again.
    expect(await reload()).toMatchObject({ errors: [], schemas: { created: 1 } });
    expect(await reload()).toMatchObject({ errors: [], schemas: NOTHING, agents: NOTHING });
  });

  it('secrets, unknown members, references to nothing and doubled keys are faults of their files', async () => {
    const key = String(readFileSync(join(place.secrets, 'umbrella.clerk.api-key'))).trim();
    place.write({
      'agents/z1.yaml': `org: umbrella\nkey: z1\nname: "${key}"\n`,
      'agents/z2.yaml': 'org: umbrella\nkey: z2\nname: z\nsecret: x\n',
      'agents/z3.yaml': 'org: nowhere\nkey: z3\nname: z\n',
      'agents/z4.yaml': 'org: umbrella\nkey: z4\nname: z\ncapabilites: []\n',
      'agents/z5.yaml': 'org: umbrella\nkey: twice\nname: z\n',
      'agents/z6.yaml': 'org: umbrella\nkey: twice\nname: other\n',
      'api-keys/z7.yaml': 'org: umbrella\nkey: z7\nagent: nobody\nrole: agent\n',
      'orgs/z8.yaml': `slug: acme\nname: x\n`,
      'agents/ok.yaml': 'org: umbrella\nkey: fine\nname: fine\n',
    });
    const report = await reload();
    expect(JSON.stringify(report)).not.toContain(key);
    expect(report['agents']).toEqual({ created: 1, updated: 0, pruned: 0 });
    const errors = (
      report['errors'] as { file: string; pointer: string; message: string }[]
    ).filter(({ file }) => !file.endsWith('/'));
    expect(errors.map(({ file, pointer }) => `${file} ${pointer}`)).toEqual([
      'agents/z1.yaml ',
      'agents/z2.yaml /secret',
      'agents/z3.yaml /org',
      'agents/z4.yaml /capabilites',
      'agents/z5.yaml /key',
      'agents/z6.yaml /key',
      'api-keys/z7.yaml /agent',
      'orgs/z8.yaml /slug',
    ]);
    expect(errors[0]?.message).toContain('holds an API key');
    expect(errors[3]?.message).toContain('capabilities');
  });
});

describe('pruning', () => {
  it('waits while a file of the kind cannot be read', async () => {
    place.remove('agents/clerk.yaml');
    const { agents, errors } = await reload();
    expect(agents).toEqual(NOTHING);
    expect((errors as Body[]).find(({ file }) => file === 'agents/')?.['message']).toContain(
      'Nothing of this kind was pruned',
    );
  });

  it('puts out of use what no file names, but orgs; and what comes back is in use again', async () => {
    place.clear();
    place.write({ 'agents/admin.json': FOLDER['agents/admin.json'] });
    const clerk = keyOf('umbrella.clerk.api-key');
    expect((await clerk.get('/v1/auth/me')).status).toBe(200);
    const report = await reload();
    expect(report).toMatchObject({
      errors: [],
      orgs: NOTHING,
      agents: { created: 0, updated: 0, pruned: 2 },
      // Each version of the one type.
      schemas: { pruned: 3 },
      webhooks: { pruned: 1 },
      trustedIssuers: { pruned: 1 },
      apiKeys: { created: 0, skipped: 0, pruned: 2 },
    });
    expect((await clerk.get('/v1/auth/me')).status).toBe(401);
    expect(await reload()).toMatchObject({ errors: [], agents: NOTHING, schemas: NOTHING });
    place.write(FOLDER);
    const again = await reload();
    expect(again).toMatchObject({
      agents: { created: 0, updated: 1, pruned: 0 },
      webhooks: { updated: 1 },
      trustedIssuers: { updated: 1 },
      schemas: { updated: 1 },
      apiKeys: { created: 0 },
    });
    // A revoked key stays revoked.
    expect((again['errors'] as Body[]).map(({ file, pointer }) => [file, pointer])).toEqual([
      ['api-keys/admin.yaml', '/key'],
      ['api-keys/clerk.yaml', '/key'],
    ]);
    expect((await clerk.get('/v1/auth/me')).status).toBe(401);
  });

  it('leaves a kind alone whose folder is missing', async () => {
    place.remove('agents');
    expect(await reload()).toMatchObject({ agents: NOTHING, webhooks: NOTHING });
    place.write(FOLDER);
  });
});

describe('200 files', () => {
  it('are read again in under 2 s, and change nothing', async () => {
    place.clear();
    place.write({ 'orgs/umbrella.yaml': FOLDER['orgs/umbrella.yaml'] });
    for (let n = 0; n < 120; n++)
      place.write({
        [`agents/a${n}.yaml`]: `org: umbrella\nkey: many-${n}\nname: many ${n}\n`,
      });
    for (let n = 0; n < 60; n++)
      place.write({
        [`api-keys/k${n}.yaml`]: `org: umbrella\nkey: many-${n}\nagent: many-${n}\nrole: agent\n`,
      });
    for (let n = 0; n < 19; n++)
      place.write({
        [`webhooks/w${n}.yaml`]: `org: umbrella\nkey: many-${n}\nurl: https://receiver.example.com/${n}\neventTypes: ["*"]\n`,
      });
    const timed = async (): Promise<readonly [Body, number]> => {
      const begun = performance.now();
      return [await reload(), performance.now() - begun];
    };
    const [report, first] = await timed();
    expect(report).toMatchObject({
      errors: [],
      agents: { created: 120 },
      apiKeys: { created: 60 },
      webhooks: { created: 19 },
    });
    const before = (await platformEntries()).length;
    const [again, second] = await timed();
    expect(again).toMatchObject({ errors: [], agents: NOTHING, apiKeys: { skipped: 60 } });
    expect(await platformEntries()).toHaveLength(before);
    expect(second).toBeLessThan(first);
  });
});

describe('the call', () => {
  it('is for the platform alone, and acts once under an Idempotency-Key', async () => {
    const path = '/v1/admin/provisioning/reload';
    expect((await api.world.admin.post(path)).status).toBe(403);
    expect((await api.world.admin.get('/v1/admin/provisioning/status')).status).toBe(403);
    expect((await api.world.anonymous.post(path)).status).toBe(401);
    place.write({ 'agents/once.yaml': 'org: umbrella\nkey: once\nname: once\n' });
    const headers = { 'Idempotency-Key': 'reload-once' };
    const first = await ok(api.world.platform.post(path, undefined, headers));
    expect(first['agents']).toMatchObject({ created: 1 });
    expect(await ok(api.world.platform.post(path, undefined, headers))).toEqual(first);
  });

  it('several at once follow each other', async () => {
    place.write({ 'agents/race.yaml': 'org: umbrella\nkey: race\nname: race\n' });
    const reports = await Promise.all([reload(), reload(), reload()]);
    expect(reports.map(({ agents }) => (agents as Body)['created']).sort()).toEqual([0, 0, 1]);
  });

  it.each(['orgs', 'agents', 'api-keys', 'schemas', 'webhooks', 'trusted-issuers'])(
    'the JSON Schema of %s is published',
    async (kind) => {
      const schema = await ok(api.world.anonymous.get(`/docs/provisioning/${kind}.json`));
      expect(schema).toMatchObject({ additionalProperties: false, type: 'object' });
      expect((await api.world.anonymous.get('/docs/provisioning/others.json')).status).toBe(404);
    },
  );
});

const keyOf = (file: string): Client =>
  new Client(api.world.url, readFileSync(join(place.secrets, file), 'utf8').trim());
const events = async (): Promise<readonly Body[]> =>
  ((await ok(api.world.platform.get('/v1/events?limit=200'))) as { data: Body[] }).data;
/** The predicates of the platform chain, oldest first. */
const platformEntries = async (): Promise<readonly Body[]> => {
  const found: Body[] = [];
  const { chains } = api.service.container.get(TOKENS.sql).reads;
  for (let from = 1; ;) {
    const page = await chains.entries(PLATFORM_CHAIN, from, 500);
    for (const { coseSign1 } of page) found.push(parseStatement(coseSign1).statement!.predicate);
    if (page.length < 500) return found;
    from += 500;
  }
};
