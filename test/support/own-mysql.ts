import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { createConnection } from 'mysql2/promise';
import { freePort } from './free-port.ts';

const TOOL = resolve('../shared/tools/mysql-server');
const run = promisify(execFile);

/** Whether a server of its own can be had. */
export const hasOwnMysql = (): boolean => existsSync(TOOL);

/** A MySQL server that nobody else uses, so a test may kill it. TEST_MYSQL_OWN_DIR keeps what was unpacked for the next one. */
export class OwnMysql {
  private constructor(
    private readonly directory: string,
    private readonly isKept: boolean,
    private readonly port: number,
    private server: string,
  ) {}

  static async open(): Promise<OwnMysql> {
    const kept = process.env['TEST_MYSQL_OWN_DIR'];
    const directory = kept ?? mkdtempSync(join(tmpdir(), 'notary-mysql-'));
    const opened = new OwnMysql(directory, kept !== undefined, await freePort(), '');
    // One that an interrupted run left there listens at another port.
    await opened.kill().catch(() => undefined);
    await opened.start();
    return opened;
  }

  async start(): Promise<void> {
    // Its children keep what they inherit: nothing may wait for the end of their output.
    const { stdout } = await run(TOOL, ['start', this.directory, String(this.port)], {
      timeout: 280_000,
    });
    this.server = stdout.trim().split('\n').at(-1)!;
  }

  /** SIGKILL. */
  async kill(): Promise<void> {
    await run(TOOL, ['kill', this.directory]);
  }

  /** The URL of a new database. */
  async database(): Promise<string> {
    const url = new URL(this.server);
    url.pathname = `/notary_test_${randomBytes(8).toString('hex')}`;
    const connection = await createConnection(this.server);
    await connection.query(`CREATE DATABASE ${url.pathname.slice(1)}`);
    await connection.end();
    return url.href;
  }

  async drop(): Promise<void> {
    await this.kill().catch(() => undefined);
    if (!this.isKept) rmSync(this.directory, { recursive: true, force: true });
  }
}
