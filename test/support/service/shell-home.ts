import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { processesOf } from './processes-of.ts';
import { secretWatch } from '../runner/secret-watch.ts';
import type { Body } from './world.ts';

export interface ShellRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The home directory by default. */
  readonly cwd?: string;
}

/** A home directory with a profile of its own, and the built command, run in it as a person runs it. */
export class ShellHome {
  readonly directory = mkdtempSync(join(tmpdir(), 'notary-shell-'));
  readonly profilePath = join(this.directory, '.config', 'notary', 'profile.json');

  constructor(private readonly env: Readonly<Record<string, string>> = {}) {}

  run(args: readonly string[], { input = '', env, cwd }: RunOptions = {}): Promise<ShellRun> {
    return new Promise((done) => {
      const child = this.spawn(args, env, cwd);
      let stdout = '';
      let stderr = '';
      child.stdout!.on('data', (part: Buffer) => (stdout += part.toString()));
      child.stderr!.on('data', (part: Buffer) => (stderr += part.toString()));
      // Whoever ends before reading is no fault of the test.
      child.stdin!.on('error', () => undefined).end(input);
      child.once('close', (code) => {
        this.learnKeys();
        // No command of the client shows a key, so one in its output is found at the end of the file.
        secretWatch.output(`notary ${args.join(' ')}`, stdout, false);
        secretWatch.output(`the errors of notary ${args.join(' ')}`, stderr, false);
        done({ code, stdout, stderr });
      });
    });
  }

  spawn(
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
    cwd = this.directory,
  ): ChildProcess {
    return spawn(process.execPath, [resolve('dist/config/main.js'), ...args], {
      cwd,
      env: {
        PATH: process.env['PATH'],
        HOME: this.directory,
        TMPDIR: this.directory,
        ...this.env,
        ...env,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  }

  /** Runs a command that has to succeed, and gives what `--json` printed. */
  async json(args: readonly string[], options?: RunOptions): Promise<Body> {
    const { code, stdout, stderr } = await this.run([...args, '--json'], options);
    if (code !== 0)
      throw new Error(`notary ${args.join(' ')} ended with ${code}: ${stderr}${stdout}`);
    return JSON.parse(stdout) as Body;
  }

  /** A service of this machine with two agents, of whom one opened a record of the type `job` that the other is to do. */
  async openJob(): Promise<{ readonly init: Body; readonly recordId: string }> {
    const init = await this.json(['init']);
    await this.json(['init', '--context', 'builder']);
    const manifest = {
      type: 'job',
      completionSchema: { type: 'object', required: ['done'] },
    };
    await this.json(['types', 'register', '-', '--context', 'local-admin'], {
      input: JSON.stringify(manifest),
    });
    const open = ['open', '-t', 'job', '-', '--performer', 'builder'];
    const { id } = await this.json(open, { input: '{}' });
    return { init, recordId: String(id) };
  }

  file(name: string, content: string | object): string {
    const path = join(this.directory, name);
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  }

  get profile(): Body {
    return JSON.parse(readFileSync(this.profilePath, 'utf8')) as Body;
  }

  /** Ends what was started in this home, and takes it away. */
  end(): void {
    for (const id of processesOf(this.directory)) process.kill(Number(id), 'SIGKILL');
    rmSync(this.directory, { recursive: true, force: true });
  }

  private learnKeys(): void {
    try {
      for (const { credential } of Object.values(this.profile['contexts'] as Body)) {
        if (credential.apiKey) secretWatch.learn('an API key', String(credential.apiKey));
        if (credential.certificate)
          secretWatch.learn('a certificate token', String(credential.certificate));
        if (credential.privateKey)
          secretWatch.learn('the key of a certificate', String(credential.privateKey.d));
      }
    } catch {
      // There is none, or a test made it unreadable.
    }
  }
}
