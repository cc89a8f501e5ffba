import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createConnection } from 'mysql2/promise';
import { canUnpackDebian } from '../debian/can-unpack.ts';
import { freePort } from '../service/free-port.ts';
import { hasMariadb, openMariadb } from './galera.ts';

const TOOL = join(import.meta.dirname, 'mysql-server');
const run = promisify(execFile);

/** Whether a server that a test may kill can be started here. NOTARY_TEST_MYSQL=off leaves it out. */
export const hasOwnMysql = (): boolean =>
  process.env['NOTARY_TEST_MYSQL'] !== 'off' && (canUnpackDebian() || hasMariadb());

/** A server that only its caller uses, so a test may kill it. */
interface Server {
  readonly url: string;
  start(): Promise<void>;
  kill(): Promise<void>;
  drop(): Promise<void>;
}

/**
 * A server that only one test uses, so the test may kill it: MySQL if its packages can be unpacked, otherwise the
 * MariaDB of this machine. TEST_MYSQL_OWN_DIR names a folder that keeps the unpacked packages for the next run.
 */
export class OwnMysql {
  private constructor(private readonly server: Server) {}

  static async open(): Promise<OwnMysql> {
    const server = canUnpackDebian() ? await openMysql().catch(orMariadb) : await openMariadb();
    return new OwnMysql(server);
  }

  start(): Promise<void> {
    return this.server.start();
  }

  /** SIGKILL. */
  kill(): Promise<void> {
    return this.server.kill();
  }

  /** The URL of a new database. */
  async database(): Promise<string> {
    const url = new URL(this.server.url);
    url.pathname = `/notary_test_${randomBytes(8).toString('hex')}`;
    const connection = await createConnection(this.server.url);
    await connection.query(`CREATE DATABASE ${url.pathname.slice(1)}`);
    await connection.end();
    return url.href;
  }

  drop(): Promise<void> {
    return this.server.drop();
  }
}

/** @throws the given reason if MariaDB is not installed either. */
const orMariadb = (reason: unknown): Promise<Server> => {
  if (!hasMariadb()) throw reason;
  process.stderr.write(`MariaDB is killed instead of MySQL, which did not start: ${reason}\n`);
  return openMariadb();
};

const openMysql = async (): Promise<Server> => {
  const kept = process.env['TEST_MYSQL_OWN_DIR'];
  const directory = kept ?? mkdtempSync(join(tmpdir(), 'notary-mysql-'));
  const port = await freePort();
  const start = async (): Promise<void> => {
    await run(TOOL, ['start', directory, String(port)], { timeout: 280_000 });
  };
  const kill = async (): Promise<void> => {
    await run(TOOL, ['kill', directory]);
  };
  const drop = async (): Promise<void> => {
    await kill().catch(() => undefined);
    if (kept === undefined) rmSync(directory, { recursive: true, force: true });
  };
  try {
    // A server that an interrupted run left in a kept folder listens at another port.
    if (existsSync(directory)) await kill();
    await start();
  } catch (error) {
    await drop();
    throw error;
  }
  return { url: `mysql://app:app@127.0.0.1:${port}/test`, start, kill, drop };
};
