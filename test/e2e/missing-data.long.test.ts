import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it } from 'vitest';
import { databases } from '../support/databases/databases.ts';
import { freshSecrets } from '../support/databases/stored-chains.ts';
import { ownServices } from '../support/service/own-services.ts';
import type { ServiceProcess } from '../support/service/service-process.ts';

const make = ownServices();
const mysql = databases().find(({ name }) => name === 'mysql');

const refusal = async (service: ServiceProcess): Promise<string> => {
  const error = await service.start().then(
    () => null,
    (cause: Error) => cause,
  );
  expect(error, 'it started').not.toBeNull();
  expect(error!.message).toMatch(/^the service ended with 1: notary: /);
  expect(error!.message, 'a stack trace is no explanation').not.toMatch(/\n\s+at /);
  return error!.message;
};

/** A service that has run until its vault is anchored. */
const anchored = async (service: ServiceProcess, anchors: string): Promise<string> => {
  const { signingKeyFingerprint } = await service.bootstrap();
  await service.start();
  await expect
    .poll(() => existsSync(anchors) && readdirSync(anchors, { recursive: true }).length)
    .toBeGreaterThan(2);
  await service.stop();
  return signingKeyFingerprint;
};

const codes = async (service: ServiceProcess): Promise<readonly string[]> => {
  const { stdout } = await service.run('doctor', '--json');
  const { findings } = JSON.parse(stdout) as { findings: { code: string }[] };
  return findings.map(({ code }) => code);
};

describe('a start whose data folder is missing', () => {
  it('begins no vault beside the anchors of an earlier one, and says how to restore it', async () => {
    const service = make();
    const data = join(service.directory, 'data');
    const anchors = join(service.directory, 'data-anchors');
    const fingerprint = await anchored(service, anchors);
    const backup = join(service.directory, 'backup.sqlite');
    expect((await service.run('backup', backup)).code).toBe(0);
    renameSync(data, `${data}-away`);

    const told = await refusal(service);
    expect(told).toContain(`DATA_DIR: ${join(data, 'notary.sqlite')} holds no vault`);
    expect(told).toContain(`${anchors} holds anchors of an earlier one, such as anchors/`);
    expect(told).toContain(`Secrets are at ${join(service.directory, 'keys')}`);
    expect(told).toContain('notary restore FILE');
    expect(told).toContain(
      'To begin a new vault on purpose, set ANCHOR_PATH to an empty directory',
    );
    for (const args of [
      ['bootstrap'],
      ['migrate'],
      ['keys', 'list'],
      ['scan'],
      ['anchor', 'verify'],
    ]) {
      const { code, stderr } = await service.run(...args);
      expect([args[0], code]).toEqual([args[0], 1]);
      expect(stderr).toContain(`${anchors} holds anchors of an earlier one`);
      expect(stderr).not.toContain('begin with: notary bootstrap');
      expect(stderr).not.toContain('notary bootstrap, then notary serve');
    }
    expect(existsSync(data), 'something was made').toBe(false);
    expect(await codes(service)).toContain('vault-missing');

    // A database that was made, and never held a vault, changes nothing.
    const other = make({ ANCHOR_PATH: join(service.directory, 'no-anchors') }, service.directory);
    expect((await other.run('migrate')).code).toBe(0);
    for (const args of [['migrate'], ['keys', 'list'], ['scan'], ['anchor', 'verify']]) {
      const { code, stderr } = await service.run(...args);
      expect([args[0], code]).toEqual([args[0], 1]);
      expect(stderr).toContain(`${anchors} holds anchors of an earlier one`);
      expect(stderr).not.toContain('begin with: notary bootstrap');
    }
    expect(await refusal(service)).toContain('holds no vault');
    expect(await codes(service)).toContain('vault-missing');
    rmSync(data, { recursive: true });

    expect((await service.run('restore', backup)).code).toBe(0);
    await service.start();
    const { stdout } = await service.run('config');
    expect(stdout).toContain(`# signing key sha256:${fingerprint}`);
  });

  it('begins a new vault on purpose once the anchors are elsewhere, and warns that the secrets are older', async () => {
    const service = make();
    const first = await anchored(service, join(service.directory, 'data-anchors'));
    rmSync(join(service.directory, 'data'), { recursive: true });
    const anew = make({ ANCHOR_PATH: join(service.directory, 'new-anchors') }, service.directory);
    await anew.start();
    const warning = anew.logged.find(({ msg }) => /older|before it/.test(String(msg)));
    expect(warning?.['files']).toContainEqual(join(service.directory, 'keys', 'signer-kek'));
    const { stdout } = await anew.run('config');
    expect(stdout).not.toContain(first);
  });

  it('goes on with the secrets of a first start that was interrupted before its vault', async () => {
    const service = make();
    await service.bootstrap();
    rmSync(join(service.directory, 'data'), { recursive: true });
    mkdirSync(join(service.directory, 'data'));
    await service.start();
    expect(service.logged.at(-1)).toMatchObject({ msg: 'ready' });
  });

  it.runIf(mysql)('on MySQL whose schema is empty begins no vault beside anchors', async () => {
    const [full, none] = [
      await mysql!.open({ migrated: false }),
      await mysql!.open({ migrated: false }),
    ];
    const secrets = freshSecrets();
    const service = make({ DATABASE_URL: full.url, ...secrets });
    const anchors = join(service.directory, 'data-anchors');
    await anchored(service, anchors);
    const empty = make({ DATABASE_URL: none.url, ...secrets }, service.directory);
    const told = await refusal(empty);
    expect(told).toContain(`DATABASE_URL: the database holds no vault, but ${anchors} holds`);
    expect(told).not.toContain('notary restore FILE');
    expect(await codes(empty)).toContain('vault-missing');
    expect((await empty.run('migrate')).stderr).toContain('holds no vault');
    await full.drop();
    await none.drop();
  });
});

describe('a SQLite file of another program', () => {
  it('is refused by a start, migrate, bootstrap, doctor and the commands, and no byte of it changes', async () => {
    const service = make();
    const file = join(service.directory, 'data', 'notary.sqlite');
    mkdirSync(join(service.directory, 'data'));
    const other = new DatabaseSync(file);
    other.exec('CREATE TABLE customers (name TEXT)');
    other.close();
    const before = readFileSync(file);
    for (const args of [['serve'], ['migrate'], ['bootstrap'], ['keys', 'list'], ['doctor']]) {
      const { code, stdout, stderr } = await service.run(...args);
      expect([args[0], code]).toEqual([args[0], 1]);
      expect(`${stdout}${stderr}`).toContain(
        'This file holds tables of another program, such as customers, and none of a notary.',
      );
      expect(`${stdout}${stderr}`).not.toMatch(/\n\s+at /);
      expect(readFileSync(file).equals(before), `${args[0]} changed it`).toBe(true);
    }
    expect(existsSync(join(service.directory, 'keys'))).toBe(false);
  });
});

describe('a command of the host, in a folder without a database', () => {
  it('says that there is none and what to do, and makes nothing', async () => {
    const service = make();
    const file = join(service.directory, 'data', 'notary.sqlite');
    for (const args of [
      ['keys', 'list'],
      ['keys', 'mint'],
      ['scan'],
      ['dump', '--out', join(service.directory, 'dump')],
      ['anchor', 'verify'],
      ['backup', join(service.directory, 'copy.sqlite')],
    ]) {
      const { code, stderr } = await service.run(...args);
      expect([args[0], code]).toEqual([args[0], 1]);
      expect(stderr).toContain(`notary: There is no database at ${file}. `);
      expect(stderr).toContain('set DATA_DIR or DATABASE_URL as the service has them');
    }
    expect(existsSync(join(service.directory, 'data'))).toBe(false);
  });
});
