import {
  cpSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ownServices } from '../support/service/own-services.ts';
import type { ServiceProcess } from '../support/service/service-process.ts';
import { createWorld } from '../support/service/world.ts';

const make = ownServices();

const databaseOf = ({ directory }: ServiceProcess): string =>
  join(directory, 'data', 'notary.sqlite');

/** A service that was killed: what it acknowledged last is in the -wal file alone. */
const killed = async (): Promise<ServiceProcess> => {
  const service = make();
  const { apiKey } = await service.bootstrap();
  await service.start();
  await createWorld(service.url, apiKey);
  await service.stop('SIGKILL');
  expect(statSync(`${databaseOf(service)}-wal`).size).toBeGreaterThan(0);
  return service;
};

const LOSSES = [
  ['is missing', (file: string): void => rmSync(file)],
  ['is empty', (file: string): void => writeFileSync(file, '')],
] as const;

const COMMANDS = [
  ['serve'],
  ['migrate'],
  ['bootstrap'],
  ['doctor'],
  ['config'],
  ['keys', 'list'],
  ['scan'],
  ['anchor', 'verify'],
  ['dump', '--out', '/nowhere/dump'],
  ['backup', '/nowhere/copy.sqlite'],
] as const;

describe.each(LOSSES)('a -wal file whose database file %s', (how, lose) => {
  it.each(['with', 'without'])('outlives every command, %s anchors', async (anchors) => {
    const service = await killed();
    const file = databaseOf(service);
    if (anchors === 'without')
      rmSync(join(service.directory, 'data-anchors'), { recursive: true, force: true });
    const whole = `${file}-elsewhere`;
    cpSync(file, whole);
    lose(file);
    const log = readFileSync(`${file}-wal`);
    for (const args of COMMANDS) {
      const { code, stdout, stderr } = await service.run(...args);
      const said = `${stdout}${stderr}`;
      expect(said, args.join(' ')).toContain(`${file} ${how}, but ${file}-wal is there`);
      expect(said).toContain('Put the file back');
      expect(said).not.toMatch(/\n\s+at /);
      expect([args[0], code]).toEqual([args[0], args[0] === 'config' ? 0 : 1]);
      expect(readFileSync(`${file}-wal`).equals(log), `${args[0]} changed the log`).toBe(true);
      expect(existsSync(file)).toBe(how === 'is empty');
    }
    renameSync(whole, file);
    await service.start();
    expect(service.logged.at(-1)).toMatchObject({ msg: 'ready' });
  });
});

describe('the note of a backup whose database file is missing', () => {
  it('keeps a new notary from being begun, and allows a restore', async () => {
    const service = make();
    await service.bootstrap();
    const backup = join(service.directory, 'copy.sqlite');
    expect((await service.run('backup', backup)).code).toBe(0);
    const file = databaseOf(service);
    for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
    for (const args of [['bootstrap'], ['migrate'], ['keys', 'list']]) {
      const { code, stderr } = await service.run(...args);
      expect([args[0], code]).toEqual([args[0], 1]);
      expect(stderr).toContain(`${file} is missing, but ${file}-last-backup is there`);
    }
    expect(existsSync(file)).toBe(false);
    expect((await service.run('restore', backup)).code).toBe(0);
    expect((await service.run('keys', 'list')).code).toBe(0);
  });
});
