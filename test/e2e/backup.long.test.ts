import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it } from 'vitest';
import { PinoLog } from '../../adapters/system/pino-log.ts';
import { AnchorSweep } from '../../application/vault/anchor-sweep.ts';
import { CheckpointRound } from '../../application/vault/checkpoint-round.ts';
import { openService } from '../../config/service.ts';
import { loadSettings } from '../../config/settings.ts';
import { databases } from '../support/databases/databases.ts';
import { ownServices } from '../support/service/own-services.ts';
import type { ServiceProcess } from '../support/service/service-process.ts';
import { SickNotary } from '../support/service/sick-notary.ts';
import { verifyExports } from '../support/databases/stored-chains.ts';
import { Guide, Home, NOTARY } from '../support/runner/guide.ts';
import { hasTools } from '../support/runner/tools.ts';
import {
  Client,
  createWorld,
  mintKey,
  ok,
  type Body,
  type World,
} from '../support/service/world.ts';

const make = ownServices();

const at = (service: ServiceProcess, ...names: readonly string[]): string =>
  join(service.directory, ...names);

const note = async (world: World, url: string): Promise<string> => {
  const client = new Client(url, world.principal.client.key);
  return String((await ok(client.post('/v1/records', { type: 'note', criteria: { url } })))['id']);
};

/** A round of checkpoints and a sweep, by the very code of the jobs, while the service is stopped. */
const anchor = async (service: ServiceProcess): Promise<void> => {
  const { settings } = loadSettings({
    NODE_ENV: 'test',
    PORT: '0',
    DATA_DIR: at(service, 'data'),
    KEYS_DIR: at(service, 'keys'),
  });
  const open = await openService(settings, new PinoLog('silent', { write: () => undefined }));
  try {
    await open.container.get(CheckpointRound).run();
    await open.container.get(AnchorSweep).run();
  } finally {
    await open.close();
  }
};

const moveDataAway = (service: ServiceProcess): void =>
  renameSync(at(service, 'data'), at(service, `data.${Date.now()}`));

const edit = (file: string, ...statements: readonly string[]): void => {
  const database = new DatabaseSync(file);
  for (const sql of statements) database.exec(sql);
  database.close();
};

describe('notary backup and restore', () => {
  it('bring a database back that verifies and goes on; a newer copy heals, an older one is found by the anchors', async () => {
    const service = make();
    const { apiKey, signingKeyFingerprint } = await service.bootstrap();
    await service.start();
    const world = await createWorld(service.url, apiKey);
    const first = await note(world, service.url);
    const older = at(service, 'older.sqlite');
    const taken = await service.run('backup', '--out', older, '--json');
    expect(taken.code, taken.stderr).toBe(0);
    expect(JSON.parse(taken.stdout)).toMatchObject({
      file: older,
      bytes: statSync(older).size,
      misplaced: [],
    });
    const second = await note(world, service.url);
    await ok(world.platform.post('/v1/admin/orgs', { name: 'Later', slug: 'later' }));
    await service.stop();
    await anchor(service);
    const newer = at(service, 'newer.sqlite');
    expect((await service.run('backup', newer)).code).toBe(0);
    expect(
      JSON.parse(readFileSync(at(service, 'data', 'notary.sqlite-last-backup'), 'utf8')),
    ).toEqual({ at: expect.any(String) as unknown, file: newer });

    moveDataAway(service);
    const restored = await service.run('restore', older, '--json');
    expect(restored.code, restored.stderr).toBe(0);
    expect(JSON.parse(restored.stdout)).toMatchObject({
      file: older,
      database: at(service, 'data', 'notary.sqlite'),
      warnings: [],
    });
    expect(statSync(at(service, 'data', 'notary.sqlite')).mode & 0o777).toBe(0o600);
    await service.start();
    const client = new Client(service.url, world.principal.client.key);
    const platform = new Client(service.url, apiKey);
    expect(await client.post('/v1/records', { type: 'note', criteria: {} })).toMatchObject({
      status: 409,
      body: { code: 'CHAIN_REWIND_DETECTED' },
    });
    const found = await ok(platform.get('/v1/admin/vault/rewind'));
    expect((found['data'] as Body[]).length).toBeGreaterThan(0);
    expect((await client.get(`/v1/records/${second}`)).status).toBe(404);
    await service.stop();

    moveDataAway(service);
    expect((await service.run('restore', newer)).code).toBe(0);
    await service.start();
    const again = new Client(service.url, world.principal.client.key);
    expect(await verifyExports(again, [first, second], signingKeyFingerprint)).toEqual([]);
    expect(await note(world, service.url)).toMatch(/^[0-9a-f-]{36}$/);
  }, 120_000);

  it('list what was revoked since, in restore and doctor, until it is revoked again', async () => {
    const service = make();
    const { apiKey } = await service.bootstrap();
    await service.start();
    const world = await createWorld(service.url, apiKey);
    const { keyId, client } = await mintKey(world.platform, world.principal.id, { label: 'x' });
    const copy = at(service, 'copy.sqlite');
    expect((await service.run('backup', copy)).code).toBe(0);
    const revoke = (url: string) =>
      ok(new Client(url, apiKey).patch(`/v1/admin/api-keys/${keyId}`, { isActive: false }));
    await revoke(service.url);
    await service.stop();
    await anchor(service);

    moveDataAway(service);
    const revokeBy = `PATCH /v1/admin/api-keys/${keyId} with {"isActive": false}`;
    const told = await service.run('restore', copy);
    expect([told.code, told.stderr]).toEqual([0, '']);
    expect(told.stdout).toMatch(/1 thing that was revoked after this backup can be used again/);
    expect(told.stdout).toContain(`api_key ${keyId} (API_KEY_REVOKED at `);
    expect(told.stdout).toContain(revokeBy);
    expect(told.stdout).toMatch(/The list reaches to 20.* compare by hand/);
    moveDataAway(service);
    const restored = await service.run('restore', copy, '--json');
    expect((JSON.parse(restored.stdout) as Body)['lostRevocations']).toMatchObject({
      data: [{ kind: 'api_key', id: keyId, entryType: 'API_KEY_REVOKED', revokeBy }],
      knownFrom: null,
    });
    const diagnosis = async (): Promise<readonly Body[]> =>
      (
        (JSON.parse((await service.run('doctor', '--json')).stdout) as Body)['findings'] as Body[]
      ).filter(({ code }) => code === 'revocation-lost');
    expect(await diagnosis()).toMatchObject([
      {
        severity: 'fault',
        subject: `api_key ${keyId}`,
        message: expect.stringContaining(revokeBy),
      },
    ]);

    await service.start();
    const platform = new Client(service.url, apiKey);
    expect((await new Client(service.url, client.key).get('/v1/auth/me')).status).toBe(200);
    expect((await platform.get('/readyz')).status).toBe(200);
    expect(await ok(platform.post('/v1/admin/vault/rewind/acknowledge', {}))).toMatchObject({
      lostRevocations: { data: [{ id: keyId }], total: 1 },
      suggestion: expect.stringMatching(/^Revoke what lostRevocations lists again/) as unknown,
    });
    await revoke(service.url);
    expect((await new Client(service.url, client.key).get('/v1/auth/me')).status).toBe(401);
    await service.stop();
    expect(await diagnosis()).toEqual([]);
  }, 120_000);

  it('restore nothing over a database, beside a running service, or a left -wal, and say what to do', async () => {
    const service = make();
    await service.bootstrap();
    const copy = at(service, 'copy.sqlite');
    expect((await service.run('backup', copy)).code).toBe(0);
    const before = readFileSync(at(service, 'data', 'notary.sqlite'));
    const over = await service.run('restore', copy);
    expect([over.code, over.stderr]).toEqual([
      1,
      expect.stringContaining('notary.sqlite exists already; a restore replaces no file'),
    ]);
    expect(readFileSync(at(service, 'data', 'notary.sqlite')).equals(before)).toBe(true);

    await service.start();
    const beside = await service.run('restore', copy);
    expect([beside.code, beside.stderr]).toEqual([
      1,
      expect.stringContaining(
        `a service runs on ${at(service, 'data', 'notary.sqlite')} (process ${service.pid})`,
      ),
    ]);
    await service.stop();

    moveDataAway(service);
    mkdirSync(at(service, 'data'));
    writeFileSync(at(service, 'data', 'notary.sqlite-wal'), 'of another database');
    expect((await service.run('restore', copy)).stderr).toContain(
      'notary.sqlite-wal exists already',
    );
    expect(readdirSync(at(service, 'data'))).toEqual(['notary.sqlite-wal']);
  });

  it('restore no file that is damaged, cut off, newer, of an earlier build, edited, in use or no notary, and leave nothing behind', async () => {
    const service = make();
    await service.bootstrap();
    const copy = at(service, 'copy.sqlite');
    expect((await service.run('backup', copy)).code).toBe(0);
    moveDataAway(service);
    const bytes = readFileSync(copy);
    const damage = Buffer.from(bytes);
    damage.fill(0xff, 8192, 3 * 8192);
    const bad: readonly (readonly [string, (file: string) => void, RegExp])[] = [
      ['damaged', (file) => writeFileSync(file, damage), /damaged|malformed/],
      [
        'cut',
        (file) => writeFileSync(file, bytes.subarray(0, bytes.length / 2)),
        /cannot be restored/,
      ],
      ['text', (file) => writeFileSync(file, 'no database at all, but text'), /not a database/],
      ['other', (file) => edit(file, 'CREATE TABLE x (y)'), /no database of a notary/],
      [
        'newer',
        (file) => {
          copyFileSync(copy, file);
          edit(file, "INSERT INTO schema_migrations (name, applied_at) VALUES ('9999-later', 0)");
        },
        /newer than this program: it has run 9999-later/,
      ],
      [
        'earlier',
        (file) => {
          copyFileSync(copy, file);
          edit(file, "UPDATE schema_migrations SET name = '0001-schema-0123abcd'");
        },
        /made by a build before 0\.1\.0 \(its schema is 0001-schema-0123abcd/,
      ],
      [
        'edited',
        (file) => {
          copyFileSync(copy, file);
          edit(file, 'UPDATE chain_heads SET hash = zeroblob(32) WHERE position > 0');
        },
        /heads of 1 chains are not their last entries/,
      ],
      [
        'used',
        (file) => {
          copyFileSync(copy, file);
          writeFileSync(`${file}-wal`, '');
        },
        /is no backup but a database in use/,
      ],
    ];
    for (const [name, make, says] of bad) {
      const file = at(service, `${name}.sqlite`);
      make(file);
      const { code, stderr } = await service.run('restore', file);
      expect([name, code, stderr]).toEqual([name, 1, expect.stringMatching(says)]);
      expect([name, existsSync(at(service, 'data', 'notary.sqlite'))]).toEqual([name, false]);
      rmSync(at(service, 'data'), { recursive: true, force: true });
    }
    expect((await service.run('restore', at(service, 'nowhere'))).stderr).toContain(
      'there is no backup at',
    );
  });

  it('a backup of a database whose heads were edited is kept, and said to be so', async () => {
    const service = make();
    await service.bootstrap();
    edit(at(service, 'data', 'notary.sqlite'), 'UPDATE chain_heads SET position = position + 1');
    const copy = at(service, 'copy.sqlite');
    const { code, stdout, stderr } = await service.run('backup', '--out', copy, '--json');
    expect([code, stderr]).toEqual([1, expect.stringContaining('changed behind the service')]);
    expect((JSON.parse(stdout) as Body)['misplaced']).toHaveLength(1);
    expect(existsSync(copy)).toBe(true);
  });

  it('restore warns where no anchors are at hand, and takes one file alone', async () => {
    const service = make();
    await service.bootstrap();
    const copy = at(service, 'copy.sqlite');
    expect((await service.run('backup', copy)).code).toBe(0);
    moveDataAway(service);
    rmSync(at(service, 'data-anchors'), { recursive: true, force: true });
    const { code, stderr } = await service.run('restore', copy);
    expect([code, stderr]).toEqual([0, expect.stringContaining('There are no anchors at')]);
    for (const args of [['backup'], ['backup', copy, '--out', copy], ['restore']])
      expect((await service.run(...args)).code, args.join(' ')).toBe(2);
  });
});

const guide = Guide.of('backup');
const home = new Home();
const bash = async (
  cwd: string,
  script: string,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | null; readonly said: string }> => {
  const { code, stdout, stderr } = await home.bash(script, env, cwd);
  return { code, said: stdout + stderr };
};

describe('backup.md', () => {
  it('backs up, restores and ends in a doctor that finds nothing wrong with it', async () => {
    const sick = await new SickNotary().prepare();
    try {
      const [backUp] = guide.section('Back up the embedded database').blocks('sh');
      const [restore] = guide.section('Restore the embedded database').blocks('sh');
      const script = `${NOTARY}${backUp}${restore}`;
      const ended = await bash(
        sick.directory,
        script
          .replaceAll('/backups/', `${sick.directory}/`)
          .replace('notary doctor', 'notary doctor || test $? = 1'),
        sick.env,
      );
      expect(ended.code, ended.said).toBe(0);
      expect(ended.said).toMatch(/holds what .*notary\.sqlite held, checked: \d+ entries/);
      expect(ended.said).toContain('0 faults');
    } finally {
      sick.remove();
    }
  });
});

describe
  .skipIf(!hasTools('mysqldump', 'mysql'))
  .each(databases().filter(({ name }) => name === 'mysql'))('backup.md on $name', (kind) => {
  it('dumps and restores a database that verifies, and whose sealed rows stay', async () => {
    const database = await kind.open({ migrated: false });
    const sick = new SickNotary();
    try {
      sick.env['DATABASE_URL'] = database.url;
      await sick.prepare();
      const url = new URL(database.url);
      const name = url.pathname.slice(1);
      const [dump, restore] = guide.section('MySQL').blocks('bash');
      const isMariaDb = /MariaDB/.test(
        execFileSync('mysqldump', ['--version'], { encoding: 'utf8' }),
      );
      const script = `${dump}${restore}`
        .replace(' notary > ', ` ${name} > `)
        .replaceAll(/\brestored\b/g, `${name}_r`)
        // As the guide says of MariaDB.
        .replace(isMariaDb ? ' --set-gtid-purged=OFF' : /$^/, '');
      const ended = await bash(sick.directory, script, {
        HOST: url.hostname,
        PORT: url.port,
        ADMIN: url.username,
        MYSQL_PWD: decodeURIComponent(url.password),
      });
      expect(ended.code, ended.said).toBe(0);
      url.pathname = `/${name}_r`;
      const service = make({ ...sick.secrets, DATABASE_URL: url.href });
      const scan = await service.run('scan', '--json');
      expect(scan.code, scan.stderr).toBe(0);
      expect(JSON.parse(scan.stdout)).toMatchObject({ broken: 0, signatureErrors: 0 });
      const refused = await bash(
        sick.directory,
        `mysql -h ${url.hostname} -P ${url.port} -u ${url.username} ${name}_r -e 'DELETE FROM chain_entries'`,
        { MYSQL_PWD: decodeURIComponent(url.password) },
      );
      expect(refused.said).toContain('append-only');
      await database.raw(`DROP DATABASE ${name}_r`);
    } finally {
      sick.remove();
      await database.drop();
    }
  }, 120_000);
});
