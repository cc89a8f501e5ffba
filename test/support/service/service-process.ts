import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { seeFolder } from '../runner/secret-places.ts';
import { secretKeysOf } from '../runner/secret-sources.ts';
import { secretWatch } from '../runner/secret-watch.ts';

/** The service as `npm start` runs it, in a process of its own. Every limit is off unless a test asks for one. */
export class ServiceProcess {
  readonly directory: string;
  private child: ChildProcess | null = null;
  private errors = '';
  url = '';
  /** What it logged since it was made. */
  readonly logged: { readonly [member: string]: unknown }[] = [];

  constructor(
    private readonly env: Readonly<Record<string, string>> = {},
    directory?: string,
    private readonly program: Program = BUILT,
  ) {
    this.directory = directory ?? mkdtempSync(join(tmpdir(), 'notary-test-'));
  }

  get pid(): number {
    return this.child?.pid ?? 0;
  }

  /** Runs one command to its end. */
  run(
    ...args: readonly string[]
  ): Promise<{ code: number | null; stdout: string; stderr: string }> {
    return this.runInto('pipe', ...args);
  }

  /** @param output where standard output goes, as a file descriptor; 'pipe': into the answer. */
  runInto(
    output: number | 'pipe',
    ...args: readonly string[]
  ): Promise<{ code: number | null; stdout: string; stderr: string }> {
    return new Promise((resolve) => {
      const child = spawn(this.program.command, [...this.program.args, ...args], {
        cwd: this.program.cwd,
        env: this.environment(),
        stdio: ['ignore', output, 'pipe'],
      });
      let stdout = '';
      let stderr = '';
      child.stdout?.on('data', (part: Buffer) => (stdout += part.toString()));
      child.stderr?.on('data', (part: Buffer) => (stderr += part.toString()));
      child.once('close', (code) => {
        this.learnSecrets();
        secretWatch.output(
          `notary ${args.join(' ')}`,
          stdout,
          args[0] === 'bootstrap' || args[1] === 'mint',
        );
        secretWatch.output(`the errors of notary ${args.join(' ')}`, stderr, false);
        resolve({ code, stdout, stderr });
      });
    });
  }

  /** The first platform key of an empty database. */
  async bootstrap(): Promise<{ apiKey: string; keyId: string; signingKeyFingerprint: string }> {
    const { code, stdout, stderr } = await this.run('bootstrap', '--json');
    if (code !== 0) throw new Error(`bootstrap ended with ${code}: ${stderr}`);
    return JSON.parse(stdout) as { apiKey: string; keyId: string; signingKeyFingerprint: string };
  }

  /** Resolves once the service is ready to answer, with the milliseconds that took. */
  async start(): Promise<number> {
    const started = performance.now();
    const child = spawn(this.program.command, [...this.program.args, 'serve'], {
      cwd: this.program.cwd,
      env: this.environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child = child;
    child.stderr.on('data', (part: Buffer) => {
      this.errors = (this.errors + part.toString()).slice(-4000);
      secretWatch.see('the errors of notary serve', part);
    });
    this.url = await new Promise<string>((resolve, reject) => {
      child.once('exit', (code) =>
        reject(new Error(`the service ended with ${code}: ${this.errors}`)),
      );
      createInterface({ input: child.stdout }).on('line', (line) => {
        secretWatch.see('a log line of notary serve', line);
        if (!line.startsWith('{')) return;
        const { msg, url } = JSON.parse(line) as { msg?: string; url?: string | null };
        this.logged.push(JSON.parse(line) as { [member: string]: unknown });
        // A worker is ready without an address.
        if (msg === 'ready') resolve(url ?? '');
      });
    });
    this.learnSecrets();
    return performance.now() - started;
  }

  /** SIGTERM by default; resolves with the exit code, null after a SIGKILL. */
  stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<number | null> {
    const { child } = this;
    this.child = null;
    if (!child || child.exitCode !== null || child.signalCode !== null)
      return Promise.resolve(child?.exitCode ?? null);
    return new Promise((resolve, reject) => {
      // What a killed process left is not touched: it is what the next one must cope with.
      const seen = (): Promise<void> =>
        signal === 'SIGKILL'
          ? Promise.resolve()
          : seeFolder(secretWatch, join(this.directory, 'data'));
      child.once('exit', (code) => void seen().then(() => resolve(code), reject));
      child.kill(signal);
    });
  }

  private learnSecrets(): void {
    for (const { kind, value } of secretKeysOf(this.environment(), join(this.directory, 'keys')))
      secretWatch.learn(kind, value);
  }

  private environment(): NodeJS.ProcessEnv {
    return {
      PATH: process.env['PATH'],
      NODE_ENV: 'test',
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'info',
      DATA_DIR: join(this.directory, 'data'),
      KEYS_DIR: join(this.directory, 'keys'),
      // A profile of whoever runs the tests is none of theirs.
      XDG_CONFIG_HOME: join(this.directory, 'config'),
      ...NO_LIMITS,
      ...this.env,
    };
  }
}

/** What is run as `notary`, and from which folder. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
}

const BUILT: Program = { command: process.execPath, args: ['dist/config/main.js'] };

export const NO_LIMITS = {
  RATE_LIMIT_AGENT: '0',
  RATE_LIMIT_ADMIN: '0',
  RATE_LIMIT_PLATFORM: '0',
  RATE_LIMIT_RECORDS_CREATE: '0',
  RATE_LIMIT_ANONYMOUS: '0',
  RATE_LIMIT_EXPORTS: '0',
  RATE_LIMIT_STREAMS: '0',
  RATE_LIMIT_ORG_STREAMS: '0',
  RATE_LIMIT_NODE_STREAMS: '0',
} as const;
