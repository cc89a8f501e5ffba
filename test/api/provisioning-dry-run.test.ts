import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningService } from '../../config/service.ts';
import { TOKENS } from '../../config/tokens.ts';
import { useApi } from '../support/service/api.ts';
import { provisioningPlace } from '../support/service/provisioning.ts';
import { startWatched } from '../support/service/watched-service.ts';
import { Client, ok, type Body } from '../support/service/world.ts';

const place = provisioningPlace();
const NOTHING = { created: 0, updated: 0, pruned: 0 };
const FILES = {
  'orgs/umbrella.yaml': 'slug: umbrella\nname: Umbrella\n',
  'agents/clerk.yaml': 'org: umbrella\nkey: clerk\nname: clerk\n',
  'agents/porter.yaml': 'org: umbrella\nkey: porter\nname: porter\n',
  'api-keys/clerk.yaml': 'org: umbrella\nkey: clerk\nagent: clerk\nrole: agent\n',
  'schemas/report.yaml': 'org: umbrella\nkey: report\ntype: report.weekly\ncompletionSchema: {}\n',
  'webhooks/all.yaml':
    'org: umbrella\nkey: all\nurl: https://receiver.example.com/hook\neventTypes: ["*"]\n',
  'trusted-issuers/idp.yaml':
    'org: umbrella\nkey: idp\nissuerUrl: https://idp.example.com\nexpectedAudience: notary\n',
};
place.write(FILES);
/** Applies its files. */
const api = useApi({ ...place.env, PROVISIONING_PRUNE: 'true' });

/** What a reload may change; what clients do to a key by using it is no part of it. */
const TABLES = {
  orgs: '*',
  agents: '*',
  api_keys: 'id, is_active, label, scopes, managed_by',
  record_types: '*',
  webhook_subscriptions: '*',
  trusted_issuers: '*',
  provisioned_rows: '*',
  chain_entries: '*',
};

describe('a dry run', () => {
  /** On the same database, with a folder of its own for secrets, which is not there. */
  let dry: RunningService;
  let client: Client;
  const dryPlace = provisioningPlace();
  const reload = (): Promise<Body> => ok(client.post('/v1/admin/provisioning/reload'));
  const stored = (): unknown => {
    const path = /^sqlite:\/\/(.+)$/.exec(api.service.settings.DATABASE_URL)![1]!;
    const db = new DatabaseSync(path, { readOnly: true });
    try {
      return Object.entries(TABLES).map(([table, columns]) => [
        table,
        db.prepare(`SELECT ${columns} FROM ${table} ORDER BY 1, 2`).all(),
      ]);
    } finally {
      db.close();
    }
  };

  beforeAll(async () => {
    dry = await startWatched({
      ...api.service.container.get(TOKENS.settings),
      PORT: 0,
      PROVISIONING_DRY_RUN: 'true',
      PROVISIONING_SECRETS_DIR: dryPlace.secrets,
    });
    client = new Client(String(dry.url), api.world.platform.key);
  });
  afterAll(() => dry.stop());

  it('of what agrees with the files shows nothing to do', async () => {
    const report = await reload();
    expect(report).toMatchObject({
      dryRun: true,
      errors: [],
      orgs: NOTHING,
      agents: NOTHING,
      schemas: NOTHING,
      trustedIssuers: NOTHING,
      webhooks: { ...NOTHING, generated: [] },
      apiKeys: { created: 0, skipped: 1, pruned: 0, generated: [] },
    });
  });

  it('shows what would be made, changed, pruned and refused, and does nothing of it', async () => {
    const before = stored();
    const secrets = readdirSync(place.secrets);
    place.write({
      'orgs/hooli.yaml': 'slug: hooli\nname: Hooli\n',
      'agents/new.yaml': 'org: hooli\nkey: new\nname: new\n',
      // Of an agent and an org that would be there by then.
      'api-keys/new.yaml': 'org: hooli\nkey: new\nagent: new\nrole: agent\nlabel: new\n',
      'schemas/report.yaml':
        'org: umbrella\nkey: report\ntype: report.weekly\ntitle: Weekly\ncompletionSchema: {}\n',
      'webhooks/all.yaml':
        'org: umbrella\nkey: all\nurl: https://receiver.example.com/hook\neventTypes: [record.created]\n',
      'webhooks/second.yaml':
        'org: umbrella\nkey: second\nurl: https://receiver.example.com/second\neventTypes: ["*"]\n',
      'api-keys/nobody.yaml': 'org: umbrella\nkey: nobody\nagent: nobody\nrole: agent\n',
    });
    place.remove('agents/porter.yaml', 'trusted-issuers/idp.yaml');
    const report = await reload();
    expect(report).toMatchObject({
      dryRun: true,
      orgs: { created: 1, updated: 0, pruned: 0 },
      agents: { created: 1, updated: 0, pruned: 1 },
      schemas: { created: 1, updated: 0, pruned: 0 },
      trustedIssuers: { created: 0, updated: 0, pruned: 1 },
      webhooks: { created: 1, updated: 1, pruned: 0, generated: [] },
      apiKeys: { created: 1, skipped: 1, pruned: 0, generated: [] },
      errors: [{ file: 'api-keys/nobody.yaml', pointer: '/agent' }],
    });
    expect(await reload(), 'twice').toEqual(report);
    expect(stored()).toEqual(before);
    expect(readdirSync(place.secrets)).toEqual(secrets);
    expect(existsSync(dryPlace.secrets)).toBe(false);
    const status = await ok(client.get('/v1/admin/provisioning/status'));
    expect(status).toMatchObject({
      dryRun: true,
      managed: { orgs: 1, agents: 2, apiKeys: 1, schemas: 1, webhooks: 1, trustedIssuers: 1 },
      loadErrors: [{ file: 'api-keys/nobody.yaml' }],
    });
  });

  it('leaves alone what a crash left of a secret', async () => {
    const left = `.held-${randomUUID()}-umbrella.all.webhook-secret`;
    mkdirSync(dryPlace.secrets, { mode: 0o700 });
    const file = join(dryPlace.secrets, left);
    writeFileSync(file, 'whsec_left\n', { mode: 0o600 });
    // So old that its row was never committed.
    utimesSync(file, 0, 0);
    await reload();
    expect(readdirSync(dryPlace.secrets)).toEqual([left]);
  });

  it('said the truth: the same files, applied, come to the same counts, and the second time to none', async () => {
    const shown = await reload();
    const applied = await ok(api.world.platform.post('/v1/admin/provisioning/reload'));
    const countsOf = ({
      orgs,
      agents,
      schemas,
      trustedIssuers,
      webhooks,
      apiKeys,
    }: Body): unknown =>
      [orgs, agents, schemas, trustedIssuers, webhooks, apiKeys].map((counts) => ({
        ...(counts as object),
        generated: undefined,
      }));
    expect(applied['dryRun']).toBe(false);
    expect(applied['errors']).toEqual(shown['errors']);
    expect(countsOf(shown)).toEqual(countsOf(applied));
    const before = stored();
    const again = await ok(api.world.platform.post('/v1/admin/provisioning/reload'));
    expect(again).toMatchObject({
      orgs: NOTHING,
      agents: NOTHING,
      schemas: NOTHING,
      trustedIssuers: NOTHING,
      webhooks: { ...NOTHING, generated: [] },
      apiKeys: { created: 0, skipped: 2, pruned: 0, generated: [] },
    });
    expect(stored()).toEqual(before);
  });
});
