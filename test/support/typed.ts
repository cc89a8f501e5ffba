import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** The blocks of one language in a Markdown document, top to bottom. */
export const blocksOf = (text: string, language: string): readonly string[] =>
  [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .filter(([, name]) => name === language)
    .map(([, , block]) => block!);

/** What came of a script. */
export interface Typed {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs commands of a document as a reader would type them in the clone, with a home of their own. Nobody types for it: what
 * is not in the blocks is not there. `npx` must find the command of this clone, so it gets no network.
 */
export const typed = (script: string, home: string): Promise<Typed> =>
  new Promise((resolve, reject) => {
    const env = {
      PATH: process.env['PATH'],
      HOME: home,
      TMPDIR: home,
      NO_COLOR: '1',
      npm_config_cache: join(home, 'npm'),
      npm_config_offline: 'true',
      npm_config_update_notifier: 'false',
    };
    const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (part: Buffer) => (stdout += part.toString()));
    child.stderr.on('data', (part: Buffer) => (stderr += part.toString()));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
