import { closeSync, ftruncateSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { databases } from '../support/databases/databases.ts';
import { ownServices } from '../support/service/own-services.ts';
import type { ServiceProcess } from '../support/service/service-process.ts';
import { freshSecrets } from '../support/databases/stored-chains.ts';

const mysql = databases().find(({ name }) => name === 'mysql');

const make = ownServices();

/** What each command that opens the service says on stderr: the same, in a line or two, with exit code 1. */
const refusal = async (
  service: ServiceProcess,
  commands: readonly (readonly string[])[] = [['serve'], ['bootstrap', '--json'], ['migrate']],
): Promise<string> => {
  const said = new Set<string>();
  for (const command of commands) {
    const { code, stderr } = await service.run(...command);
    expect(code, stderr).toBe(1);
    expect(stderr, 'a stack explains nothing').not.toMatch(/\n\s+at /);
    expect(stderr.trim().split('\n').length, stderr).toBe(1);
    expect(stderr.length, stderr).toBeLessThan(500);
    said.add(stderr);
  }
  expect([...said]).toHaveLength(1);
  return [...said][0]!.trim();
};

const onMysql = (url: string): ServiceProcess => make({ DATABASE_URL: url, ...freshSecrets() });

describe('a start that fails', () => {
  it('with MySQL away names the setting, host, port and cause, and not the password', async () => {
    const said = await refusal(onMysql('mysql://app:hidden@127.0.0.1:1/none'));
    expect(said).toBe(
      'notary: DATABASE_URL: MySQL at 127.0.0.1:1 refuses the connection. Start it, or correct the address (connect ECONNREFUSED 127.0.0.1:1).',
    );
  });

  it('with a host of MySQL that nobody knows names it', async () => {
    const said = await refusal(onMysql('mysql://app:hidden@mysql.invalid/none'), [['serve']]);
    expect(said).toMatch(
      /^notary: DATABASE_URL: MySQL at mysql\.invalid:3306 has a host name .*mysql\.invalid/,
    );
    expect(said).not.toContain('hidden');
  });

  it.skipIf(!mysql)(
    'with a wrong password, or without the database, says which of them',
    async () => {
      const database = await mysql!.open({ migrated: false });
      try {
        const wrong = new URL(database.url);
        wrong.password = 'hidden';
        const said = await refusal(onMysql(wrong.href), [['serve']]);
        expect(said).toMatch(
          /^notary: DATABASE_URL: MySQL at \S+:\d+ does not let the user \w+ in\. Correct the name or the password \(.*Access denied/,
        );
        expect(said).not.toContain('hidden');
        const absent = new URL(database.url);
        absent.pathname = '/no_such_database';
        expect(await refusal(onMysql(absent.href), [['serve']])).toMatch(
          /has no database no_such_database\. CREATE DATABASE no_such_database, or correct the name/,
        );
      } finally {
        await database.drop();
      }
    },
  );

  it('with a server that is no MySQL, or hangs, ends by itself and says so', async () => {
    const mute = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => mute.once('listening', resolve));
    const { port } = mute.address() as AddressInfo;
    try {
      const said = await refusal(onMysql(`mysql://app:hidden@127.0.0.1:${port}/none`), [['serve']]);
      expect(said).toContain(`DATABASE_URL: MySQL at 127.0.0.1:${port} does not answer`);
    } finally {
      mute.close();
    }
  });

  it('with parameters of the URL that are not known, or TLS that could not be checked, refuses the setting', async () => {
    for (const [query, expected] of [
      ['ssl-mode=REQUIRED', /the parameter ssl-mode, which is not known/],
      ['ssl=maybe', /ssl=maybe; it takes false, true, verify-identity, verify-ca/],
      ['ssl=true', /an address as host/],
      ['ssl=verify-ca&ssl-cert=a.pem', /both ssl-cert and ssl-key/],
    ] as const) {
      const { code, stderr } = await onMysql(`mysql://app:hidden@127.0.0.1:1/none?${query}`).run(
        'serve',
      );
      expect(code).toBe(1);
      expect(stderr).toMatch(/DATABASE_URL: /);
      expect(stderr).toMatch(expected);
      expect(stderr).not.toContain('hidden');
    }
    expect(
      await refusal(onMysql('mysql://app:hidden@localhost:1/none?ssl-ca=/no/such/ca.pem'), [
        ['serve'],
      ]),
    ).toMatch(/DATABASE_URL: .*\/no\/such\/ca\.pem.*ENOENT/);
  });

  it('with a busy port says what to do', async () => {
    const first = make();
    await first.start();
    const { port } = new URL(first.url);
    expect(await refusal(make({ PORT: port }), [['serve']])).toMatch(
      new RegExp(
        `^notary: PORT: another process listens on port ${port} of 127\\.0\\.0\\.1 already\\. End that process, set PORT to another port, or to 0`,
      ),
    );
  });

  it('with a HOST that is not of this machine names it', async () => {
    for (const PORT of ['0', '34567'])
      expect(await refusal(make({ HOST: '203.0.113.7', PORT }), [['serve']])).toMatch(
        /^notary: HOST: 203\.0\.113\.7 is no address of this machine/,
      );
  });

  it('with a file that is no database names the file, and leaves it as it is', async () => {
    const service = make();
    const file = join(service.directory, 'data', 'notary.sqlite');
    mkdirSync(join(service.directory, 'data'));
    writeFileSync(file, 'not a database at all\n'.repeat(500));
    const said = await refusal(service);
    expect(said).toContain(`notary: DATA_DIR: ${file} is no SQLite database`);
    expect(said).toContain('put a backup in its place');
  });

  it('with a damaged database names the file', async () => {
    const service = make();
    await service.bootstrap();
    const file = join(service.directory, 'data', 'notary.sqlite');
    const open = openSync(file, 'r+');
    // Every page but the first, which holds the header.
    for (let page = 1; page < 60; page++)
      writeSync(open, Buffer.alloc(8192, 0x5a), 0, 8192, page * 8192);
    closeSync(open);
    const said = await refusal(service, [['serve']]);
    expect(said).toContain(`notary: DATA_DIR: ${file} is damaged`);
    const cut = openSync(file, 'r+');
    ftruncateSync(cut, 8192 * 2);
    closeSync(cut);
    expect(await refusal(service, [['serve']])).toContain(`${file} is damaged`);
  });

  it('with a directory that cannot be used names it', async () => {
    const service = make();
    writeFileSync(join(service.directory, 'file'), '');
    for (const [DATA_DIR, named] of [
      [join(service.directory, 'file'), join(service.directory, 'file')],
      [join(service.directory, 'file', 'data'), join(service.directory, 'file', 'data')],
      ['/dev/null/data', '/dev/null/data'],
    ] as const)
      expect(await refusal(make({ DATA_DIR }, service.directory), [['serve']])).toContain(
        `notary: DATA_DIR: ${named} `,
      );
    const directory = join(service.directory, 'a.sqlite');
    mkdirSync(directory);
    expect(
      await refusal(make({ DATABASE_URL: `sqlite://${directory}` }, service.directory), [
        ['serve'],
      ]),
    ).toContain(`notary: DATABASE_URL: ${directory} cannot be opened. It has to be a file`);
  });
});
