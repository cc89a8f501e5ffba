import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TOKENS } from '../../config/tokens.ts';
import { useApi } from '../support/api.ts';
import { expectProblem } from '../support/problems.ts';
import { provisioningPlace } from '../support/provisioning.ts';
import { Client, ok, type Body } from '../support/world.ts';

const place = provisioningPlace();
const api = useApi({ ...place.env, PROVISIONING_PRUNE: 'true' });

const reload = (): Promise<Body> =>
  ok(api.world.platform.post('/v1/admin/provisioning/reload')) as Promise<Body>;
const platformEntries = (): Promise<readonly Body[]> =>
  api.service.container.get(TOKENS.unitOfWork).transaction(async (stores) => {
    const entries: Body[] = [];
    for await (const entry of stores.chains.upFrom(
      '00000000-0000-0000-0000-000000000000',
      0,
    ) as never as AsyncIterable<Body>)
      entries.push(entry);
    return entries;
  });

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
    const types = (await events()).map(({ type }) => type);
    expect(types.filter((type) => type === 'provisioning.reconciled')).toHaveLength(1);
    const told = (await events()).find(({ type }) => type === 'agent.created');
    expect(told).toBeDefined();
  });
});

const keyOf = (file: string): Client =>
  new Client(api.world.url, readFileSync(join(place.secrets, file), 'utf8').trim());
const events = async (): Promise<readonly Body[]> =>
  ((await ok(api.world.platform.get('/v1/events?limit=200'))) as { data: Body[] }).data;

describe('who may', () => {
  it('403 for an admin', async () => {
    expectProblem(await api.world.admin.post('/v1/admin/provisioning/reload'), 403);
  });
});
void platformEntries;
