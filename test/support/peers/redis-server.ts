import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../service/free-port.ts';

/** Whether a Redis server can be started here. @throws Error where REQUIRE_REDIS=1 and it cannot. */
export const hasRedis = (): boolean => {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    if (process.env['REQUIRE_REDIS'] === '1')
      throw new Error('REQUIRE_REDIS=1, but redis-server is not installed');
    process.stderr.write('Redis suites: they did not run (apt-get install redis-server).\n');
    return false;
  }
};

/** A Redis server that nobody else uses, so a test may freeze it or kill it. It keeps nothing. */
export class RedisServer {
  private child: ChildProcess | null = null;

  private constructor(
    private readonly directory: string,
    readonly port: number,
  ) {}

  static async open(): Promise<RedisServer> {
    const directory = mkdtempSync(join(tmpdir(), 'notary-redis-'));
    const server = new RedisServer(directory, await freePort());
    await server.start();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    this.child = spawn(
      'redis-server',
      [
        ...['--port', String(this.port), '--bind', '127.0.0.1', '--dir', this.directory],
        ...['--save', '', '--appendonly', 'no', '--daemonize', 'no'],
      ],
      { stdio: 'ignore' },
    );
    for (let tries = 0; this.tell('PING') !== 'PONG'; tries++) {
      if (tries > 100) throw new Error('redis-server does not answer');
      await sleep(50);
    }
  }

  /** What redis-cli says to a command; empty where the server does not answer. */
  tell(...command: readonly string[]): string {
    try {
      return execFileSync('redis-cli', ['-p', String(this.port), ...command], {
        encoding: 'utf8',
        timeout: 2_000,
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim();
    } catch {
      return '';
    }
  }

  freeze(): void {
    this.child?.kill('SIGSTOP');
  }

  thaw(): void {
    this.child?.kill('SIGCONT');
  }

  async kill(): Promise<void> {
    const { child } = this;
    this.child = null;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }

  async drop(): Promise<void> {
    await this.kill();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** Resolves once `work` does, which it has a minute for. */
export const until = async (work: () => Promise<unknown>): Promise<void> => {
  for (let tries = 1; ; tries++) {
    try {
      await work();
      return;
    } catch (error) {
      if (tries === 1_200) throw error;
      await sleep(50);
    }
  }
};
