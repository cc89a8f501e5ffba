import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { linesOf } from '../../../adapters/cli/mcp/lines.ts';
import { secretWatch } from '../runner/secret-watch.ts';
import type { Body } from '../service/world.ts';

export const NOTARY = ['dist/config/main.js', 'mcp'] as const;

/** A host of a tool server: writes lines to it, and keeps what it says. */
export class McpHost {
  readonly lines: string[] = [];
  errors = '';
  readonly ended: Promise<number | null>;
  private readonly child: ChildProcess;

  constructor(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    this.child = spawn(process.execPath, [...args], {
      env: { PATH: process.env['PATH'], HOME: env['HOME'] ?? '/nonexistent', ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.child.stdin!.on('error', () => undefined);
    this.child.stderr!.on('data', (part: Buffer) => {
      this.errors += part.toString();
      secretWatch.see('the errors of notary mcp', part);
    });
    this.ended = new Promise((resolve) => this.child.once('close', (code) => resolve(code)));
    void this.read();
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  say(message: Body | string): void {
    const line = typeof message === 'string' ? message : JSON.stringify(message);
    this.child.stdin!.write(`${line}\n`);
  }

  /** The answer to the request with this id. */
  async answer(id: unknown): Promise<Body> {
    for (let waited = 0; waited < 60_000; waited += 10) {
      const found = this.messages().find((message) => message['id'] === id);
      if (found) return found;
      await sleep(10);
    }
    throw new Error(`no answer to ${String(id)}: ${this.errors}`);
  }

  async ask(id: unknown, method: string, params: Body = {}): Promise<Body> {
    this.say({ jsonrpc: '2.0', id, method, params });
    return this.answer(id);
  }

  /** As a host of 2025 begins. */
  async initialize(): Promise<Body> {
    const answer = await this.ask('init', 'initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'host', version: '1' },
    });
    this.say({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return answer;
  }

  call(id: unknown, name: string, given: Body = {}): Promise<Body> {
    return this.ask(id, 'tools/call', { name, arguments: given });
  }

  /** As a host ends: it closes its end, and waits. */
  end(): Promise<number | null> {
    this.child.stdin!.end();
    return this.ended;
  }

  kill(signal: NodeJS.Signals = 'SIGKILL'): void {
    this.child.kill(signal);
  }

  messages(): readonly Body[] {
    return this.lines.flatMap((line) => {
      try {
        return [JSON.parse(line) as Body];
      } catch {
        return [];
      }
    });
  }

  private async read(): Promise<void> {
    for await (const line of linesOf(this.child.stdout!, 64 * 1024 * 1024))
      this.lines.push(Buffer.from(line).toString());
  }
}
