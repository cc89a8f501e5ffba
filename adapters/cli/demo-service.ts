import { spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeAttackToken } from './attack-token.ts';
import type { DemoPlace } from './demo-place.ts';
import { entryPoint, readyLine } from './own-program.ts';

export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * A service in its own process, with its command line, on a database in the place of the demo. It works there as well: a
 * `.env` where the demo was called may name the database of somebody else.
 */
export class DemoService {
  /** Of this service and of its commands, those that run. */
  private readonly children = new Set<ChildProcess>();
  private isOver = false;
  /** With which the database of a kept service may be attacked; empty where it is not kept. */
  attackToken = '';
  private baseUrl = '';
  private server: ChildProcess | null = null;
  private readonly env: NodeJS.ProcessEnv;
  /** What the service logs. */
  private readonly log: string;

  /** @param isKept the service may outlive the demo, and then clears its temporary directory itself. */
  constructor(
    private readonly place: DemoPlace,
    readonly isKept = false,
  ) {
    this.log = join(place.directory, 'notary.log');
    this.env = {
      PATH: process.env['PATH'],
      DATA_DIR: join(place.directory, 'data'),
      KEYS_DIR: join(place.directory, 'keys'),
      HOST: '127.0.0.1',
      PORT: '0',
      NODE_ENV: 'test',
      NO_COLOR: '1',
    };
  }

  get url(): string {
    return this.baseUrl;
  }

  /** Whether the demo is being ended. */
  get isEnded(): boolean {
    return this.isOver;
  }

  /** Runs one command of this program to its end. */
  run(...args: readonly string[]): Promise<Finished> {
    return new Promise((resolve, reject) => {
      const child = this.spawn(args);
      let stdout = '';
      let stderr = '';
      child.stdout.on('data', (part: Buffer) => (stdout += part.toString()));
      child.stderr.on('data', (part: Buffer) => (stderr += part.toString()));
      child.once('error', reject);
      child.once('close', (code) => resolve({ code: code ?? 1, stdout, stderr }));
    });
  }

  /** Resolves once the service answers. */
  async start(): Promise<void> {
    const child = this.spawnServer();
    this.server = child;
    let failure: string | null = null;
    child.once('error', (error) => (failure = error.message));
    child.once('exit', () => (failure ??= 'the service ended before it was ready'));
    for (;;) {
      const said = await readFile(this.log, 'utf8');
      const ready = said.split('\n').map(readyLine).find(Boolean);
      if (ready) return void (this.baseUrl = ready);
      // Read in the loop: the handlers above write it.
      if (failure as string | null) throw new Error(`${failure}: ${said.slice(-2000).trim()}`);
      await sleep(LOG_POLL_MS);
    }
  }

  /**
   * Lets the service run on after this process.
   *
   * @returns the id of its process; SIGTERM ends it.
   */
  leave(): number {
    const { server } = this;
    if (!this.isKept || server?.pid === undefined) throw new Error('there is no service to leave');
    this.children.delete(server);
    server.unref();
    return server.pid;
  }

  /** Ends the service; commands still run. */
  async stop(): Promise<void> {
    await Promise.all([...this.children].map(ended));
  }

  /** Ends everything that runs, and lets nothing begin. */
  async end(): Promise<void> {
    this.isOver = true;
    await this.stop();
  }

  private spawn(args: readonly string[]): ChildProcessByStdio<null, Readable, Readable> {
    this.assertOn();
    const child = spawn(process.execPath, [entryPoint(), ...args], {
      env: this.env,
      cwd: this.place.directory,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.remember(child);
    return child;
  }

  /** It logs to a file, for a pipe would break when the demo leaves. */
  private spawnServer(): ChildProcess {
    this.assertOn();
    const { directory, isTemporary } = this.place;
    const args = this.isKept
      ? ['kept-demo', directory, ...(isTemporary ? [] : ['--stays'])]
      : ['serve'];
    if (this.isKept) this.attackToken = makeAttackToken(directory);
    const log = openSync(this.log, 'a', 0o600);
    try {
      const child = spawn(process.execPath, [entryPoint(), ...args], {
        env: this.env,
        cwd: directory,
        stdio: ['ignore', log, log],
        // Of a group of its own, so that Ctrl-C in the terminal of the demo is not for it.
        detached: this.isKept,
      });
      this.remember(child);
      return child;
    } finally {
      closeSync(log);
    }
  }

  private assertOn(): void {
    if (this.isOver) throw new Error('the demo is being ended');
  }

  private remember(child: ChildProcess): void {
    this.children.add(child);
    for (const event of ['exit', 'error'] as const)
      child.once(event, () => this.children.delete(child));
  }

  /** One call. Rejects where the status is not `expected`. */
  async call<T>(
    method: string,
    path: string,
    key: string | null,
    body: unknown,
    expected: number,
  ): Promise<T> {
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      headers: {
        ...(key ? { authorization: `Bearer ${key}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as T & { readonly detail?: string };
    if (response.status !== expected)
      throw new Error(
        `${method} ${path} answered ${response.status}, not ${expected}: ${answer.detail ?? ''}`,
      );
    return answer;
  }
}

const KILL_AFTER_MS = 10_000;
const LOG_POLL_MS = 20;

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS);
    child.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    child.kill('SIGTERM');
  });
