import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, open, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '../../../domain/kernel/root-cause.ts';
import { entryPoint, readyLine } from '../own-program.ts';
import { EXIT, ShellError } from './shell-error.ts';

export interface Running {
  readonly url: string;
  /** SIGTERM ends it. */
  readonly pid: number;
}

/** The first platform key, or another one where the first was lost. */
export interface HostKey {
  readonly apiKey: string;
  readonly keyId: string;
  readonly expiresAt?: string | null;
  readonly signingKeyFingerprint: string;
}

const SETTINGS = `# Written by notary init: commands that run in this folder use the database of its service.
DATA_DIR=data
KEYS_DIR=keys
`;

const START_PATIENCE_MS = 60_000;
const POLL_MS = 50;
const ANSWER_MS = 15_000;

/** A service of this machine, in a process and a directory of its own, that outlives the command which starts it. */
export class LocalService {
  private readonly log: string;
  private readonly state: string;
  /** While it is not known to others yet. */
  private starting: ChildProcess | null = null;
  private isOver = false;

  constructor(readonly directory: string) {
    this.log = join(directory, 'notary.log');
    this.state = join(directory, 'service.json');
  }

  /** What runs there, and answers; null where nothing does. */
  async running(): Promise<Running | null> {
    const last = await this.ownProcess();
    return last !== null && (await isAlive(last)) ? last : null;
  }

  /** Whether it is its process that has this address: while it does not run, anybody on this machine may take the port. */
  async isAt(url: string): Promise<boolean> {
    return (await this.ownProcess())?.url === url;
  }

  /** Starts it, at its last address where that is free. Resolves once it answers. */
  async start(): Promise<Running> {
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    await assertOwn(this.directory);
    await this.writeSettings();
    // Of the run before, and no further back: nobody else takes it away.
    await rename(this.log, `${this.log}.1`).catch(() => undefined);
    const last = await this.last();
    const port = last === null ? 0 : Number(new URL(last.url).port);
    const running = (await this.tryStart(port)) ?? (await this.tryStart(0));
    if (running === null)
      throw new ShellError(
        `The service did not start. Its last words: ${(await this.lastWords()).trim()}`,
        1,
      );
    return running;
  }

  /** Lets nothing begin any more, and ends what has begun and is not ready. */
  abandon(): void {
    this.isOver = true;
    this.starting?.kill('SIGTERM');
  }

  /** By the host, with its secrets: no key is needed for it. */
  async platformKey(): Promise<HostKey> {
    const first = await this.run('bootstrap', '--json');
    if (first.code === 0) return JSON.parse(first.stdout) as HostKey;
    const other = await this.run('keys', 'mint', '--label', 'notary init', '--json');
    if (other.code === 0) return JSON.parse(other.stdout) as HostKey;
    throw new ShellError(`No platform key could be made: ${other.stderr.trim()}`, 1);
  }

  private async ownProcess(): Promise<Running | null> {
    const last = await this.last();
    return last !== null && (await isProcess(last.pid, this.directory)) ? last : null;
  }

  private async last(): Promise<Running | null> {
    const text = await readFile(this.state, 'utf8').catch(() => null);
    if (text === null) return null;
    try {
      const { url, pid } = JSON.parse(text) as Partial<Running>;
      return typeof url === 'string' && URL.canParse(url) && Number.isSafeInteger(pid)
        ? { url, pid: pid! }
        : null;
    } catch {
      return null;
    }
  }

  private async remember(running: Running): Promise<void> {
    const beside = `${this.state}.new`;
    await writeFile(beside, JSON.stringify(running), { mode: 0o600 });
    await rename(beside, this.state);
  }

  /** Null where it ends before it is ready: the port may be taken. */
  private async tryStart(port: number): Promise<Running | null> {
    if (this.isOver) throw new ShellError('The service was not started.', 1);
    const begin = (await stat(this.log).catch(() => null))?.size ?? 0;
    const log = await open(this.log, 'a', 0o600);
    let child: ChildProcess;
    try {
      child = spawn(process.execPath, [entryPoint(), 'serve'], {
        cwd: this.directory,
        env: this.environment(port),
        stdio: ['ignore', log.fd, log.fd],
        // Of a group of its own, so that Ctrl-C in this terminal is not for it.
        detached: true,
      });
      this.starting = child;
    } finally {
      await log.close();
    }
    let hasEnded = false;
    for (const event of ['exit', 'error'] as const) child.once(event, () => (hasEnded = true));
    const end = Date.now() + START_PATIENCE_MS;
    try {
      for (;;) {
        const said = (await readFile(this.log)).subarray(begin).toString('utf8');
        const url = said.split('\n').map(readyLine).find(Boolean);
        if (url && child.pid !== undefined) {
          child.unref();
          const running = { url, pid: child.pid };
          await this.remember(running);
          this.starting = null;
          return running;
        }
        if (hasEnded as boolean) return null;
        if (Date.now() > end) throw new ShellError('The service did not get ready in a minute.', 1);
        await sleep(POLL_MS);
      }
    } catch (error) {
      child.kill('SIGTERM');
      throw error;
    }
  }

  private run(
    ...args: readonly string[]
  ): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
    return new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [entryPoint(), ...args], {
        cwd: this.directory,
        env: this.environment(0),
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let stdout = '';
      let stderr = '';
      child.stdout.on('data', (part: Buffer) => (stdout += part.toString()));
      child.stderr.on('data', (part: Buffer) => (stderr += part.toString()));
      child.once('error', reject);
      child.once('close', (code) => resolve({ code: code ?? 1, stdout, stderr }));
    });
  }

  /** Lets the commands of the host find this database when they are run in the folder. A file that is there stays. */
  private async writeSettings(): Promise<void> {
    const file = join(this.directory, '.env');
    await writeFile(file, SETTINGS, { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
    });
  }

  /** Nothing of the caller's settings: the service would be another one from another terminal. */
  private environment(port: number): NodeJS.ProcessEnv {
    return {
      PATH: process.env['PATH'],
      DATA_DIR: join(this.directory, 'data'),
      KEYS_DIR: join(this.directory, 'keys'),
      HOST: '127.0.0.1',
      PORT: String(port),
      GRPC_PORT: 'off',
      NODE_ENV: 'development',
      LOG_LEVEL: 'info',
      NO_COLOR: '1',
    };
  }

  private async lastWords(): Promise<string> {
    return (await readFile(this.log, 'utf8').catch(() => '')).slice(-1_000);
  }
}

/** Whoever can write there decides what runs and which key signs. @throws ShellError */
const assertOwn = async (directory: string): Promise<void> => {
  const { mode, uid } = await stat(directory);
  const user = process.getuid?.();
  if (user === undefined) return;
  if ((uid !== user && uid !== 0) || (mode & 0o022) !== 0)
    throw new ShellError(
      `Others on this machine can write into ${directory}, so no service is started there. Give another --directory, or make it your own: chmod 700 ${directory}`,
      1,
    );
};

/** Ids are given again, and one that ended may stay as a zombie: where the system tells what a process is, it is asked. */
const isProcess = async (pid: number, directory: string): Promise<boolean> => {
  try {
    process.kill(pid, 0);
    if (process.platform !== 'linux') return true;
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8');
    return environment.split('\0').includes(`DATA_DIR=${join(directory, 'data')}`);
  } catch {
    return false;
  }
};

/** @throws ShellError where it hangs: another one on the same database would be no help. */
const isAlive = async ({ url, pid }: Running): Promise<boolean> => {
  try {
    const answer = await fetch(`${url}/livez`, { signal: AbortSignal.timeout(ANSWER_MS) });
    return answer.ok;
  } catch (cause) {
    if (!(cause instanceof Error && cause.name === 'TimeoutError')) return false;
    throw new ShellError(
      `The service at ${url}, process ${pid}, does not answer. End it with: kill ${pid}; then run this again.`,
      EXIT.serviceAway,
      { cause },
    );
  }
};
