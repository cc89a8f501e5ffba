import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { lookup } from 'node:dns/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConnection, type Connection } from 'mysql2/promise';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../support/databases/databases.ts';
import { ServiceProcess } from '../support/service/service-process.ts';
import { freshSecrets, verifyExports } from '../support/databases/stored-chains.ts';
import { Guide } from '../support/runner/guide.ts';
import { Client, createWorld, ok } from '../support/service/world.ts';

const server = process.env['TEST_MYSQL_URL'];
const mysql = databases().find(({ name }) => name === 'mysql');

const services: ServiceProcess[] = [];
const make = (url: string, secrets = freshSecrets()): ServiceProcess => {
  const service = new ServiceProcess({ DATABASE_URL: url, ...secrets });
  services.push(service);
  return service;
};
afterEach(async () => {
  for (const service of services.splice(0)) {
    await service.stop('SIGKILL');
    rmSync(service.directory, { recursive: true, force: true });
  }
});

const asRoot = async <T>(use: (connection: Connection) => Promise<T>): Promise<T> => {
  const connection = await createConnection({ uri: server!, multipleStatements: true });
  try {
    return await use(connection);
  } finally {
    await connection.end();
  }
};

const readme = Guide.of('README.md');

describe.skipIf(!server)('MySQL as the README sets it up', () => {
  let mayGrant = true;
  const name = `notary_test_${randomBytes(6).toString('hex')}`;
  const [migrator, service] = [`m_${name.slice(-12)}`, `s_${name.slice(-12)}`];

  beforeAll(() =>
    asRoot(async (root) => {
      const [grants] = (await root.query('SHOW GRANTS')) as unknown as [Record<string, string>[]];
      mayGrant = grants.some((row) => Object.values(row).join().includes('GRANT OPTION'));
      if (!mayGrant) return;
      const block = readme.blocks('sql').find((text) => text.startsWith('CREATE DATABASE'));
      expect(block, 'the README has no CREATE DATABASE').toBeDefined();
      await root.query(
        block!
          .replaceAll("'notary_migrate'", `'${migrator}'`)
          .replaceAll("'notary'", `'${service}'`)
          .replaceAll(/\bnotary\b(?=\.\*|;| CHARACTER)/g, name),
      );
      const [[row]] = (await root.query(
        'SELECT @@log_bin AND NOT @@log_bin_trust_function_creators AS needed',
      )) as unknown as [[{ needed: number }]];
      // Of the whole server, which other suites use at the same time: a right for this user instead.
      if (row.needed) await root.query(`GRANT SUPER ON *.* TO '${migrator}'@'%'`);
    }),
  );
  afterAll(() =>
    asRoot((root) =>
      root.query(
        `DROP DATABASE IF EXISTS ${name}; DROP USER IF EXISTS '${migrator}'@'%', '${service}'@'%'`,
      ),
    ),
  );

  const urlOf = (user: string): string => {
    const url = new URL(server!);
    [url.username, url.password, url.pathname] = [user, 'change-me', `/${name}`];
    return url.href;
  };

  it('migrates as one user and serves as another, who can neither change the schema nor take back what was sealed (skipped where the user of TEST_MYSQL_URL may not grant)', async (context) => {
    if (!mayGrant) context.skip();
    const secrets = freshSecrets();
    const early = await make(urlOf(service), secrets).run('bootstrap');
    expect(early.code).toBe(1);
    expect(early.stderr).toMatch(
      new RegExp(
        `^notary: DATABASE_URL: MySQL at \\S+ does not let the user ${service} do what the schema takes\\. Run notary migrate`,
      ),
    );

    const migrated = await make(urlOf(migrator), secrets).run('migrate');
    expect(migrated.code, migrated.stderr).toBe(0);

    const node = make(urlOf(service), secrets);
    const { apiKey, signingKeyFingerprint } = await node.bootstrap();
    await node.start();
    const world = await createWorld(node.url, apiKey);
    const { id } = await ok(
      world.principal.client.post('/v1/records', { type: 'note', criteria: {} }),
    );
    expect(
      await verifyExports(world.principal.client, [String(id)], signingKeyFingerprint),
    ).toEqual([]);
    await node.stop();

    const connection = await createConnection(urlOf(service));
    try {
      for (const sql of [
        'DROP TRIGGER chain_entries_no_delete',
        'DROP TABLE chain_entries',
        'TRUNCATE TABLE chain_entries',
        'ALTER TABLE chain_entries ADD COLUMN x INT',
        'CREATE TABLE x (id INT)',
      ])
        await expect(connection.query(sql), sql).rejects.toThrow(/denied/);
      for (const sql of ['DELETE FROM chain_entries', 'UPDATE chain_entries SET position = 9'])
        await expect(connection.query(sql), sql).rejects.toThrow('append-only');
    } finally {
      await connection.end();
    }
  }, 120_000);
});

describe.skipIf(!mysql)('an outage of MySQL', () => {
  it('is one line in the log with its cause, and not one a request; the service goes on when it is over', async () => {
    const database = await mysql!.open({ migrated: false });
    const target = new URL(database.url);
    const relay = new Relay(target.hostname, Number(target.port || 3306));
    const port = await relay.open(0);
    target.port = String(port);
    target.hostname = '127.0.0.1';
    const service = make(target.href);
    try {
      const { apiKey } = await service.bootstrap();
      await service.start();
      const world = await createWorld(service.url, apiKey);
      relay.close();
      const begun = service.logged.length;
      const cut = performance.now();
      const statuses = new Set<number>();
      for (let i = 0; i < 30; i++) {
        const { status } = await world.principal.client.post('/v1/records', {
          type: 'note',
          criteria: {},
        });
        statuses.add(status);
        await sleep(100);
      }
      expect([...statuses]).toEqual([503]);
      const told = () =>
        service.logged
          .slice(begun)
          .filter(({ msg, problem }) => msg === 'request' && problem === 'SERVICE_UNAVAILABLE');
      // A call is answered before its line is read here.
      await expect.poll(() => told().length).toBeGreaterThanOrEqual(30);
      const lines = service.logged.slice(begun);
      const errors = lines.filter(({ level }) => level === 'error');
      expect(errors[0]).toMatchObject({ msg: 'outage', failures: 1, cause: expect.any(String) });
      // And one a minute with the count, if this machine makes it so long.
      expect(errors.slice(1).filter(({ msg }) => msg !== 'outage goes on')).toEqual([]);
      const minutes = (performance.now() - cut) / 60_000;
      expect(errors.length - 1).toBeLessThanOrEqual(minutes);
      expect(JSON.stringify(lines)).not.toContain('    at ');

      await relay.open(port);
      const note = { type: 'note', criteria: {} };
      await expect
        .poll(async () => (await world.principal.client.post('/v1/records', note)).status)
        .toBe(201);
      await expect
        .poll(async () => (await new Client(service.url, null).get('/readyz')).status)
        .toBe(200);
    } finally {
      await service.stop('SIGKILL');
      relay.close();
      await database.drop();
    }
  }, 120_000);
});

/** Between the service and the server, to be cut. */
class Relay {
  private listener: Server | null = null;
  private readonly sockets = new Set<Socket>();

  constructor(
    private readonly host: string,
    private readonly port: number,
  ) {}

  open(port: number): Promise<number> {
    this.listener = createServer((inner) => {
      const outer = connect(this.port, this.host);
      for (const socket of [inner, outer]) {
        this.sockets.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => this.sockets.delete(socket));
      }
      inner.pipe(outer).pipe(inner);
    });
    const { listener } = this;
    return new Promise((resolve) =>
      listener.listen(port, '127.0.0.1', () => resolve((listener.address() as AddressInfo).port)),
    );
  }

  close(): void {
    this.listener?.close();
    this.listener = null;
    for (const socket of this.sockets) socket.destroy();
  }
}

/**
 * The server is given the certificate of the test, for `localhost`, while this runs: its own names no
 * host. Connections in the clear do not notice.
 */
describe.skipIf(!server)('TLS to MySQL', () => {
  const tls = (file: string): string => join('test', 'support', 'peers', 'tls', file);
  const variables = ['ssl_ca', 'ssl_cert', 'ssl_key'] as const;
  let before: readonly string[] = [];
  let canReload = true;

  beforeAll(() => {
    // A missing file is an error and no reason to skip.
    const pems = ['ca.pem', 'server.pem', 'server-key.pem'].map((file) =>
      readFileSync(tls(file), 'utf8'),
    );
    return asRoot(async (root) => {
      try {
        const [[row]] = (await root.query(
          `SELECT ${variables.map((variable) => `@@${variable} AS ${variable}`).join(', ')}`,
        )) as unknown as [[Record<string, string>]];
        const found = variables.map((variable) => row[variable]!);
        // MariaDB refuses this: its certificate is set at the start alone.
        await root.query(`SET GLOBAL ssl_ca = '${found[0]}'`);
        before = found;
        const made = randomBytes(6).toString('hex');
        for (const [i, file] of ['ca.pem', 'server.pem', 'server-key.pem'].entries()) {
          const path = `/tmp/${made}-${file}`;
          await root.query(`SELECT ? INTO DUMPFILE '${path}'`, [pems[i]]);
          await root.query(`SET GLOBAL ${variables[i]} = '${path}'`);
        }
        await root.query('ALTER INSTANCE RELOAD TLS');
      } catch {
        canReload = false; // MariaDB, or a server that writes no files.
      }
    });
  });
  afterAll(() =>
    asRoot(async (root) => {
      if (before.length === 0) return;
      for (const [i, variable] of variables.entries())
        await root.query(`SET GLOBAL ${variable} = '${before[i]}'`);
      await root.query('ALTER INSTANCE RELOAD TLS');
    }),
  );

  const urlOf = (host: string, query: string): string => {
    const url = new URL(server!);
    url.hostname = host;
    return `${url.href}?${query}`;
  };
  const CA = `&ssl-ca=${tls('ca.pem')}`;
  const run = async (
    host: string,
    query: string,
  ): Promise<{ readonly code: number | null; readonly stderr: string }> => {
    const { code, stdout } = await make(urlOf(host, query)).run('config', '--json');
    const { signingKeyUnknown } = JSON.parse(stdout) as { signingKeyUnknown: string };
    return { code, stderr: signingKeyUnknown };
  };
  const EMPTY = 'no service was started on this database yet';

  it('is made where the certificate comes from the authority of the URL and names the host, and the session is encrypted', async (context) => {
    if (!canReload) context.skip();
    expect((await run('localhost', `ssl=true${CA}`)).stderr).toBe(EMPTY);
    expect((await run('127.0.0.1', `ssl=verify-ca${CA}`)).stderr).toBe(EMPTY);
    const { openPool } = await import('../../adapters/sql/mysql/mysql-pool.ts');
    const pool = openPool(urlOf('localhost', `ssl=true${CA}`), 1);
    try {
      const [[cipher]] = (await pool.raw("SHOW STATUS LIKE 'Ssl_cipher'")) as [[{ Value: string }]];
      expect(cipher.Value).toMatch(/^TLS_|AES|CHACHA/);
    } finally {
      await pool.destroy();
    }
  });

  it('is refused, and says why, where the authority is another one or the certificate names another host', async (context) => {
    if (!canReload) context.skip();
    expect((await run('localhost', 'ssl=true')).stderr).toMatch(
      /^DATABASE_URL: MySQL at localhost:\d+ cannot be connected to by TLS as the URL demands\..*certificate/,
    );
    const own = hostname();
    const { address } = await lookup(own).catch(() => ({ address: null }));
    if (address !== new URL(server!).hostname) return;
    expect((await run(own, `ssl=verify-ca${CA}`)).stderr).toBe(EMPTY);
    expect((await run(own, `ssl=true${CA}`)).stderr).toMatch(
      /cannot be connected to by TLS.*altname/i,
    );
  });
});
