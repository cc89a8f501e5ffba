import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ImportOutcome } from '../../adapters/cli/import-config.ts';
import { SCHEMA_NAME } from '../../adapters/sql/schema/migrations.ts';
import { databases, type TestDatabase } from '../support/databases/databases.ts';
import { ServiceProcess } from '../support/service/service-process.ts';
import { freshSecrets, readStored } from '../support/databases/stored-chains.ts';
import {
  Client,
  createWorld,
  NOTE_TYPE,
  ok,
  type Body,
  type World,
} from '../support/service/world.ts';

// Each command is a start of the program, and there are many.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

const PLATFORM = '00000000-0000-0000-0000-000000000000';

/** Notary A, as it was left: two orgs, a claimed label, five agents, one of them gone, types in three states. */
let source: ServiceProcess;
let world: World;
let otherOrg: string;
let leaver: string;
let shown: string;
let fingerprint: string;
let folder: string;
let copies = 0;

const SECRETS = freshSecrets();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'notary-import-'));
  source = new ServiceProcess(SECRETS);
  const first = await source.bootstrap();
  fingerprint = first.signingKeyFingerprint;
  await source.start();
  world = await createWorld(source.url, first.apiKey);
  const { admin, orgId, platform } = world;
  const other = await ok(platform.post('/v1/admin/orgs', { name: 'Other', slug: 'other-one' }));
  otherOrg = String(other['id']);
  await ok(
    platform.patch(`/v1/admin/orgs/${otherOrg}`, { settings: { requireCoSignature: 'body' } }),
  );
  const agent = async (body: Body): Promise<string> =>
    String((await ok(admin.post('/v1/admin/agents', { orgId, ...body })))['id']);
  leaver = await agent({ name: 'leaver' });
  await ok(admin.post(`/v1/admin/agents/${leaver}/deactivate`, { reason: 'left' }));
  shown = await agent({ name: 'shown', displayName: 'Shown As This', capabilities: ['note'] });
  await ok(
    new Client(source.url, admin.key).call('PUT', `/v1/agents/${shown}/capabilities`, {
      types: ['job', 'note'],
    }),
  );
  const claimed = { ...NOTE_TYPE, publisher: 'acme.std', type: 'memo' };
  await ok(admin.post('/v1/schemas', claimed));
  await ok(admin.post('/v1/schemas', { ...claimed, title: 'Second', version: 2 }));
  await ok(admin.patch('/v1/schemas/memo?version=1', { status: 'disabled' }));
  await ok(admin.post('/v1/schemas', { ...NOTE_TYPE, type: 'gone' }));
  await ok(admin.patch('/v1/schemas/gone', { status: 'disabled' }));
  await ok(admin.call('DELETE', '/v1/schemas/gone'));
  // One manifest, in two orgs.
  await ok(
    platform.post(
      `/v1/schemas/import?orgId=${otherOrg}`,
      await ok(admin.get('/v1/schemas/export')),
    ),
  );
  await ok(world.principal.client.post('/v1/records', { type: 'note', criteria: {} }));
  await source.stop();
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  rmSync(source.directory, { recursive: true, force: true });
});

const opened: { readonly service: ServiceProcess; readonly database: TestDatabase | null }[] = [];
afterEach(async () => {
  for (const { service, database } of opened.splice(0)) {
    await service.stop();
    await database?.drop();
    rmSync(service.directory, { recursive: true, force: true });
  }
});

/** A copy of the database of A, changed behind the service. */
const copyOf = (...statements: readonly string[]): string => {
  const file = join(folder, `copy-${++copies}.sqlite`);
  copyFileSync(join(source.directory, 'data', 'notary.sqlite'), file);
  const database = new DatabaseSync(file);
  for (const { name } of database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'")
    .all() as { name: string }[])
    if (statements.length > 0) database.exec(`DROP TRIGGER ${name}`);
  for (const sql of statements) database.exec(sql);
  database.close();
  return file;
};

const bytes = (id: string): string => `x'${id.replaceAll('-', '')}'`;

const empty = (env: Readonly<Record<string, string>> = {}): ServiceProcess => {
  const service = new ServiceProcess({ ...freshSecrets(), ...env });
  opened.push({ service, database: null });
  return service;
};

const secretFile = (): string => {
  const file = join(folder, 'secrets-key');
  writeFileSync(file, `${SECRETS.SECRETS_KEY}\n`);
  return file;
};

const run = async (
  service: ServiceProcess,
  file: string,
  ...args: readonly string[]
): Promise<{ code: number | null; outcome: ImportOutcome }> => {
  const { code, stdout, stderr } = await service.run(
    'import-config',
    '--from',
    file.includes('://') ? file : `sqlite://${file}`,
    '--json',
    ...args,
  );
  if (stdout === '') throw new Error(`it ended with ${code}: ${stderr}`);
  return { code, outcome: JSON.parse(stdout) as ImportOutcome };
};

const refusal = async (
  service: ServiceProcess,
  file: string,
  ...args: readonly string[]
): Promise<string> => {
  const { code, stdout, stderr } = await service.run(
    'import-config',
    '--from',
    `sqlite://${file}`,
    ...args,
  );
  expect([code, stdout]).toEqual([1, '']);
  return stderr;
};

const found = ({ findings }: ImportOutcome): readonly string[] =>
  findings.map(({ code, kind, subject }) => `${code} ${kind} ${subject}`).toSorted();

const isMade = (service: ServiceProcess): boolean =>
  existsSync(join(service.directory, 'data', 'notary.sqlite'));

/** What is carried over, as callers of a notary see it. */
const shownBy = async (service: ServiceProcess, key: string): Promise<Body> => {
  const platform = new Client(service.url, key);
  const all = async (path: string): Promise<readonly Body[]> =>
    (
      (await ok(platform.get(`${path}${path.includes('?') ? '&' : '?'}limit=100`)))[
        'data'
      ] as Body[]
    )
      .filter(({ slug, name }) => slug !== 'system' && name !== 'operator')
      .toSorted((a, b) => String(a['id']).localeCompare(String(b['id'])));
  return {
    orgs: (await all('/v1/admin/orgs')).map(({ id, slug, name, settings }) => ({
      id,
      slug,
      name,
      settings,
    })),
    agents: (await all('/v1/admin/agents')).map(
      ({ id, orgId, name, displayName, capabilities, deactivatedAt, deactivationReason }) => ({
        id,
        orgId,
        name,
        displayName,
        capabilities,
        deactivationReason,
        isDeactivated: deactivatedAt !== null && deactivatedAt !== undefined,
      }),
    ),
    types: (await all('/v1/schemas')).map(
      ({ id, orgId, publisher, type, version, status, manifestDigest }) => ({
        id,
        orgId,
        publisher,
        type,
        version,
        status,
        manifestDigest,
      }),
    ),
  };
};

describe.each(databases())('notary import-config into $name', (kind) => {
  it('makes orgs, agents and record types anew under their ids, and nothing else; it can be run again', async () => {
    const database = await kind.open({ migrated: false });
    const secrets = freshSecrets();
    const service = new ServiceProcess({ DATABASE_URL: database.url, ...secrets });
    opened.push({ service, database });
    const before = readFileSync(join(source.directory, 'data', 'notary.sqlite'));
    const file = join(source.directory, 'data', 'notary.sqlite');
    const args = ['--source-secrets-key', secretFile(), '--fingerprint', `sha256:${fingerprint}`];
    const { code, outcome } = await run(service, file, ...args);
    expect(outcome).toMatchObject({
      dryRun: false,
      source: { signingKeyFingerprint: fingerprint },
      orgs: { created: 2, present: 0 },
      agents: { created: 5, present: 0 },
      recordTypes: { created: 10, present: 0 },
      findings: [],
      operatorsLeftOut: 1,
    });
    expect(code).toBe(0);
    expect(outcome.signingKeyFingerprint).not.toBe(fingerprint);
    expect(readFileSync(file).equals(before)).toBe(true);

    const { apiKey } = await service.bootstrap();
    const again = await run(service, file, ...args);
    expect([
      again.code,
      again.outcome.orgs,
      again.outcome.agents,
      again.outcome.recordTypes,
    ]).toEqual([
      0,
      { created: 0, present: 2 },
      { created: 0, present: 5 },
      { created: 0, present: 10 },
    ]);

    const { chains, faults, records } = await readStored(database);
    expect(faults).toEqual([]);
    expect(records.size).toBe(0);
    const platform = chains.get(PLATFORM)!.map(({ predicate }) => predicate);
    const made = platform.filter(({ entryType }) => entryType === 'ORG_CREATED');
    expect(
      made.map(({ orgId, carriedFrom, actor }) => [orgId, carriedFrom?.hubId, actor.kind]),
    ).toEqual([
      [world.orgId, outcome.source.hubId, 'system'],
      [otherOrg, outcome.source.hubId, 'system'],
      [expect.any(String), undefined, 'system'],
    ]);
    expect(platform.filter(({ entryType }) => entryType === 'PUBLISHER_CLAIMED')).toMatchObject([
      { publisher: 'acme.std', orgId: world.orgId },
    ]);
    expect(platform.filter(({ entryType }) => entryType === 'AGENT_DEACTIVATED')).toMatchObject([
      { agentId: leaver, reason: 'left', actor: { kind: 'system' } },
    ]);

    await service.start();
    await source.start();
    try {
      // A source may be in use.
      expect((await run(empty(SECRETS), file, '--dry-run')).outcome).toMatchObject({
        orgs: { created: 2 },
        findings: [],
      });
      expect(await shownBy(service, apiKey)).toEqual(await shownBy(source, world.platform.key!));
      const there = new Client(service.url, apiKey);
      // No key of the source is known here; a new one of the same agent works, on its old types.
      expect((await new Client(service.url, world.admin.key).get('/v1/auth/me')).status).toBe(401);
      const minted = await ok(
        there.post('/v1/admin/api-keys', {
          role: 'agent',
          ownerType: 'agent',
          ownerId: world.principal.id,
          scopeProfile: 'agent-full',
        }),
      );
      const agent = new Client(service.url, String(minted['apiKey']));
      const record = await ok(agent.post('/v1/records', { type: 'memo', criteria: {} }));
      expect(record).toMatchObject({ type: 'memo', publisher: 'acme.std' });
      // The label is its org's, here too.
      const squat = await there.post(`/v1/schemas?orgId=${otherOrg}`, {
        ...NOTE_TYPE,
        type: 'squat',
        publisher: 'acme.std',
      });
      expect(squat.body).toMatchObject({ code: 'RESERVED_PUBLISHER_LABEL' });
      // It is in use now, and a later run would not know what to do with what has become of it.
      await ok(there.post('/v1/admin/agents', { name: 'newcomer', orgId: otherOrg }));
    } finally {
      await source.stop();
      await service.stop();
    }
    expect(await refusal(service, file, ...args)).toMatch(
      /holds orgs, agents or record types of its own, and nothing was written: the agent [0-9a-f-]+ is not in the source/,
    );
    const scan = await service.run('scan', '--json');
    expect([scan.code, (JSON.parse(scan.stdout) as Body)['broken']]).toEqual([0, 0]);
    // And from there into a third one.
    const third = await run(empty(secrets), database.url);
    expect(third).toMatchObject({
      code: 0,
      outcome: { agents: { created: 6 }, recordTypes: { created: 10 }, findings: [] },
    });
  });
});

describe('notary import-config', () => {
  it('goes by the chains where somebody edited, added or deleted rows of the source, and names each', async () => {
    const stranger = '0190b6f2-5a6e-7c3d-8e4f-2a1b3c4d5e6f';
    const file = copyOf(
      `UPDATE orgs SET name = 'Evil' WHERE id = ${bytes(otherOrg)}`,
      `UPDATE agents SET deactivated_at = NULL, deactivation_reason = NULL WHERE id = ${bytes(leaver)}`,
      `UPDATE agents SET display_name = 'Bank' WHERE id = ${bytes(shown)}`,
      `DELETE FROM api_keys WHERE owner_id = ${bytes(world.performer.id)}`,
      `DELETE FROM agents WHERE id = ${bytes(world.performer.id)}`,
      `CREATE TEMP TABLE one AS SELECT * FROM agents WHERE id = ${bytes(shown)}`,
      `UPDATE one SET id = ${bytes(stranger)}`,
      'INSERT INTO agents SELECT * FROM one',
      `UPDATE record_types SET manifest = REPLACE(manifest, '>=', '<=') WHERE type = 'job' AND org_id = ${bytes(world.orgId)}`,
      `UPDATE record_types SET status = 'active' WHERE type = 'memo'`,
      `UPDATE record_types SET type = 'forged' WHERE type = 'auto-job' AND org_id = ${bytes(otherOrg)}`,
    );
    const service = empty();
    const { code, outcome } = await run(service, file, '--source-secrets-key', secretFile());
    expect(code).toBe(3);
    expect(found(outcome)).toEqual(
      [
        `row-edited agent ${leaver}`,
        `row-edited agent ${shown}`,
        `row-edited org ${otherOrg}`,
        `row-missing agent ${world.performer.id}`,
        `row-unknown agent ${stranger}`,
        'manifest-altered recordType acme/job version 1 of acme',
        'manifest-missing recordType acme/auto-job version 1 of other-one',
        'row-unknown recordType acme/forged version 1',
      ].toSorted(),
    );
    expect(outcome).toMatchObject({
      orgs: { created: 2 },
      agents: { created: 5 },
      recordTypes: { created: 8 },
    });
    const { apiKey } = await service.bootstrap();
    await service.start();
    const { orgs, agents, types } = await shownBy(service, apiKey);
    expect((orgs as Body[]).map(({ name }) => name)).toEqual(['Acme', 'Other']);
    expect((agents as Body[]).find(({ id }) => id === leaver)).toMatchObject({
      isDeactivated: true,
      deactivationReason: 'left',
    });
    expect((agents as Body[]).find(({ id }) => id === shown)).toMatchObject({
      displayName: 'shown',
    });
    expect((agents as Body[]).map(({ id }) => id)).toContain(world.performer.id);
    const memo = (types as Body[]).filter(
      ({ type, orgId }) => type === 'memo' && orgId === world.orgId,
    );
    expect(memo.map(({ version, status }) => `${version} ${status}`).toSorted()).toEqual([
      '1 disabled',
      '2 active',
    ]);
  });

  it('takes no secret of the source: without its SECRETS_KEY display names alone are left', async () => {
    const service = empty();
    const file = copyOf();
    const dry = await run(service, file, '--dry-run');
    // That of the first admin was made of the name of its org.
    expect([dry.code, dry.outcome.findings.length]).toEqual([3, 2]);
    expect(found(dry.outcome)).toContain(`display-name-unproven agent ${shown}`);
    expect(found(dry.outcome).join()).not.toMatch(/row-|manifest/);
    expect(dry.outcome).toMatchObject({
      dryRun: true,
      agents: { created: 5 },
      signingKeyFingerprint: null,
    });
    expect([isMade(service), existsSync(join(service.directory, 'keys'))]).toEqual([false, false]);
    const wrong = join(folder, 'wrong');
    writeFileSync(wrong, 'short');
    expect(await refusal(service, file, '--source-secrets-key', wrong)).toContain(
      'the file holds no key of at least 32 bytes',
    );
    // A vault with the same secrets, such as the next one of a notary that lost its signing key, needs no file.
    const next = empty(SECRETS);
    const made = await run(next, file);
    expect([made.code, made.outcome.findings]).toEqual([0, []]);
  });

  it('goes on where it was interrupted; then there is nothing left to do, and a dry run writes nothing', async () => {
    const service = empty(SECRETS);
    expect((await service.run('migrate')).code).toBe(0);
    const own = new DatabaseSync(join(service.directory, 'data', 'notary.sqlite'));
    const entries = (): unknown =>
      own.prepare('SELECT COUNT(*) AS n FROM chain_entries').all()[0]!['n'];
    own.exec(
      "CREATE TRIGGER stop BEFORE INSERT ON record_types WHEN NEW.type = 'memo' BEGIN SELECT RAISE(ABORT, 'stop'); END",
    );
    const file = copyOf();
    await refusal(service, file);
    own.exec('DROP TRIGGER stop');
    const half = await run(service, file);
    expect(half).toMatchObject({
      code: 0,
      outcome: {
        orgs: { created: 0, present: 2 },
        agents: { created: 0, present: 5 },
        recordTypes: { created: 10, present: 0 },
      },
    });
    const count = entries();
    const again = await run(service, file, '--dry-run');
    expect(again).toMatchObject({ code: 0, outcome: { recordTypes: { created: 0, present: 10 } } });
    expect((await run(service, file)).code).toBe(0);
    expect(entries()).toBe(count);
    own.close();
    const scan = await service.run('scan', '--json');
    expect([scan.code, (JSON.parse(scan.stdout) as Body)['broken']]).toEqual([0, 0]);
  });

  it('refuses before anything is written what is no source: itself, another release, a chain that does not hold', async () => {
    const file = join(source.directory, 'data', 'notary.sqlite');
    expect(await refusal(source, file)).toContain('are of the same notary');
    const copied = empty(SECRETS);
    expect(await refusal(source, copyOf())).toContain('are of the same notary');
    expect(
      await refusal(
        copied,
        copyOf("INSERT INTO schema_migrations (name, applied_at) VALUES ('9999-later', 0)"),
      ),
    ).toContain('newer than this program: it has run 9999-later');
    expect(
      await refusal(copied, copyOf("UPDATE schema_migrations SET name = '0001-schema-0123abcd'")),
    ).toContain('made by a build before 0.1.0 (its schema is 0001-schema-0123abcd');
    expect(await refusal(copied, copyOf('DELETE FROM schema_migrations'))).toContain(
      'it is no database of a notary',
    );
    const platform = `chain_key = '${PLATFORM}'`;
    expect(
      await refusal(
        copied,
        copyOf(`UPDATE chain_entries SET cose_sign1 = x'd2' WHERE ${platform} AND position = 4`),
      ),
    ).toContain('the platform chain of the source does not hold');
    expect(
      await refusal(copied, copyOf(`DELETE FROM chain_entries WHERE ${platform} AND position = 5`)),
    ).toContain('the platform chain of the source does not hold');
    expect(await refusal(copied, file, '--fingerprint', 'ab'.repeat(32))).toContain(
      'it is another notary, or its key was rotated',
    );
    const nothing = join(folder, 'none.sqlite');
    expect(await refusal(copied, nothing)).toContain('there is no database');
    expect(existsSync(nothing)).toBe(false);
    new DatabaseSync(nothing).exec('CREATE TABLE t (a)');
    expect(await refusal(copied, nothing)).toContain('it is no database of a notary');
    expect(isMade(copied)).toBe(false);
  });

  it('leaves the types of an org out whose schema chain does not hold, and carries the rest', async () => {
    const file = copyOf(
      `UPDATE chain_entries SET cose_sign1 = x'd2' WHERE chain_key LIKE '%${otherOrg}%' AND position = 2`,
    );
    const { code, outcome } = await run(empty(SECRETS), file);
    expect(code).toBe(3);
    expect(outcome).toMatchObject({ orgs: { created: 2 }, recordTypes: { created: 5 } });
    expect(found(outcome)[0]).toBe('chain-broken recordType every record type of other-one');
  });

  it('takes the URL from a file, where nobody sees it', async () => {
    const url = join(folder, 'url');
    writeFileSync(url, `sqlite://${copyOf()}\n`);
    const { code, stdout, stderr } = await empty(SECRETS).run('import-config', '--from', `@${url}`);
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/orgs +2 made\nagents +5 made\nrecord types +10 made/);
    expect(stdout).toContain('notary keys mint');
  });
});

it('notary migrate --json names what was still to be run', async () => {
  const service = empty(SECRETS);
  const first = await service.run('migrate', '--json');
  const { migrations } = JSON.parse(first.stdout) as { migrations: readonly string[] };
  expect([first.code, migrations]).toEqual([0, [SCHEMA_NAME]]);
  const again = await service.run('migrate', '--json');
  expect([again.code, JSON.parse(again.stdout)]).toEqual([0, { migrations: [] }]);
});
