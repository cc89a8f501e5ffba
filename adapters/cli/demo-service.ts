import { spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';
import { createInterface } from 'node:readline';
import { join } from 'node:path';

export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A service in its own process, with its command line, on a database in a temporary directory. */
export class DemoService {
  /** Of this service and of its commands, those that run. */
  private readonly children = new Set<ChildProcess>();
  private isOver = false;
  private baseUrl = '';
  private readonly env: NodeJS.ProcessEnv;

  constructor(directory: string) {
    this.env = {
      PATH: process.env['PATH'],
      DATA_DIR: join(directory, 'data'),
      KEYS_DIR: join(directory, 'keys'),
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
    const child = this.spawn(['serve']);
    let said = '';
    child.stderr.on('data', (part: Buffer) => (said = (said + part.toString()).slice(-2000)));
    this.baseUrl = await new Promise<string>((resolve, reject) => {
      child.once('exit', () =>
        reject(new Error(`the service ended before it was ready: ${said.trim()}`)),
      );
      createInterface({ input: child.stdout }).on('line', (line) => {
        const ready = readyLine(line);
        if (ready) resolve(ready);
      });
    });
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
    if (this.isOver) throw new Error('the demo is being ended');
    const child = spawn(process.execPath, [entryPoint(), ...args], {
      env: this.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.children.add(child);
    for (const event of ['exit', 'error'] as const)
      child.once(event, () => this.children.delete(child));
    return child;
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

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS);
    child.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    child.kill('SIGTERM');
  });

const entryPoint = (): string => {
  const [, path] = process.argv;
  if (!path) throw new Error('the program does not know its own path');
  return path;
};

const readyLine = (line: string): string | null => {
  try {
    const { msg, url } = JSON.parse(line) as { msg?: string; url?: string };
    return msg === 'ready' && url ? url : null;
  } catch {
    return null;
  }
};
