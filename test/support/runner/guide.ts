import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { processesOf } from '../service/processes-of.ts';

/** A Markdown document, or a part of it, whose blocks of code a test runs. */
export class Guide {
  private constructor(readonly text: string) {}

  /** Reads `docs/guides/NAME.md`, or any file that ends in `.md`. */
  static of(name: string): Guide {
    return new Guide(readFileSync(name.endsWith('.md') ? name : `docs/guides/${name}.md`, 'utf8'));
  }

  /** The section of the second level whose heading starts with these words. It is empty if there is none. */
  section(heading: string): Guide {
    return new Guide(this.text.split(/^## /m).find((part) => part.startsWith(heading)) ?? '');
  }

  /** The text between two marks. */
  between(first: string, last: string): Guide {
    return new Guide(this.text.slice(this.text.indexOf(first), this.text.indexOf(last)));
  }

  /** The blocks of a language, such as `sh`, top to bottom. */
  blocks(language: string): readonly string[] {
    const blocks = this.text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'));
    return [...blocks].map(([, block]) => block!);
  }

  /** The blocks that are files, such as `yaml file=orgs/acme.yaml`, with their names. */
  files(language: string): readonly (readonly [string, string])[] {
    const blocks = new RegExp(`^\`\`\`${language} file=(\\S+)\\n(.*?)^\`\`\`$`, 'gms');
    return [...this.text.matchAll(blocks)].map(([, name, text]) => [name!, text!]);
  }
}

/** The result of a program. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Started {
  readonly output: string;
  readonly ended: Promise<Ended>;
}

/** Defines `notary` as the command of this clone, for a block that expects an installed one. */
export const NOTARY = `notary() { "${process.execPath}" "${join(process.cwd(), 'dist/config/main.js')}" "$@"; }\n`;

/** A home for the programs of a document. It is removed after the file, and its remaining processes are ended. */
export class Home {
  readonly path: string;

  /** @param parent where the home is made, such as `node_modules` for a program that imports a package. */
  constructor(parent = tmpdir()) {
    this.path = mkdtempSync(join(parent, 'notary-guide-'));
    afterAll(() => {
      for (const id of processesOf(this.path)) process.kill(Number(id), 'SIGKILL');
      rmSync(this.path, { recursive: true, force: true });
    });
  }

  /** Runs commands in bash as a reader pastes them. By default they start in this clone. */
  bash(script: string, env: Env = {}, cwd?: string): Promise<Ended> {
    return this.run('bash', ['-euo', 'pipefail', '-c', script], env, cwd);
  }

  /** Runs a program with no other variables than these, and without a network for npm. */
  run(command: string, args: readonly string[], env: Env = {}, cwd?: string): Promise<Ended> {
    return this.start(command, args, env, cwd).ended;
  }

  /** Starts a program and collects what it writes to its standard output. */
  start(command: string, args: readonly string[], env: Env = {}, cwd?: string): Started {
    const child = spawn(command, args, {
      cwd,
      env: {
        PATH: process.env['PATH'],
        HOME: this.path,
        TMPDIR: this.path,
        NO_COLOR: '1',
        npm_config_cache: join(this.path, 'npm'),
        npm_config_offline: 'true',
        npm_config_update_notifier: 'false',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stderr = '';
    const started = {
      output: '',
      ended: new Promise<Ended>((resolve, reject) => {
        child.once('error', reject);
        child.once('close', (code) => resolve({ code, stdout: started.output, stderr }));
      }),
    };
    child.stdout.on('data', (part: Buffer) => (started.output += part.toString()));
    child.stderr.on('data', (part: Buffer) => (stderr += part.toString()));
    return started;
  }
}

type Env = Readonly<Record<string, string>>;
