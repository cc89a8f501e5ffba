import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TlsIdentity } from './tls-authority.ts';
import type { Body } from '../service/world.ts';

export interface ReceivedBody {
  readonly raw: string;
  readonly body: Body;
  readonly at: number;
}

/** A receiver of webhooks in a process of its own, which can be killed and started again at the same address. */
export class ReceiverProcess {
  private readonly directory = mkdtempSync(join(tmpdir(), 'notary-test-'));
  private readonly file = join(this.directory, 'received.ndjson');
  private child: ChildProcess | null = null;
  private port = 0;

  /** @param delayMs before each answer. */
  constructor(
    private readonly identity: TlsIdentity,
    private readonly delayMs = 0,
  ) {}

  async start(): Promise<this> {
    const { key, cert } = this.identity;
    const child = spawn(
      process.execPath,
      ['test/support/peers/receiver-child.mjs', String(this.port), this.file, String(this.delayMs)],
      {
        env: { PATH: process.env['PATH'], TLS_KEY: key, TLS_CERT: cert },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    this.child = child;
    const [told] = (await Promise.race([
      once(child.stdout, 'data'),
      once(child, 'exit').then(() => Promise.reject(new Error('the receiver did not start'))),
    ])) as [Buffer];
    this.port = Number(told.toString());
    return this;
  }

  get url(): string {
    return `https://localhost:${this.port}`;
  }

  get received(): readonly ReceivedBody[] {
    if (!existsSync(this.file)) return [];
    const lines = readFileSync(this.file, 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => {
      const { raw, at } = JSON.parse(line) as { raw: string; at: number };
      return { raw, at, body: JSON.parse(raw) as Body };
    });
  }

  async kill(): Promise<void> {
    const { child } = this;
    this.child = null;
    if (!child) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  async drop(): Promise<void> {
    await this.kill();
    rmSync(this.directory, { recursive: true, force: true });
  }
}
