import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { hmacHeader } from '../../domain/delivery/delivery-signature.ts';
import { until } from '../support/receiver.ts';
import { hasTools } from '../support/tools.ts';

const guide = readFileSync('docs/guides/webhooks.md', 'utf8');
const codeIn = (language: string): string =>
  new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(guide)![1]!;
const directory = mkdtempSync(join(tmpdir(), 'notary-guide-'));
const running: ChildProcess[] = [];
afterAll(() => {
  for (const child of running) child.kill();
  rmSync(directory, { recursive: true, force: true });
});
const SECRET = `whsec_${'k'.repeat(43)}`;

describe.each([
  ['node', 'js', 'receiver.mjs'],
  ['python3', 'python', 'receiver.py'],
] as const)('the receiver of the guide, in %s', (command, language, name) => {
  it.skipIf(!hasTools(command))(
    'takes what is genuine, once, and nothing that is old, of the future, or changed',
    async () => {
      const file = join(directory, name);
      const code = codeIn(language);
      expect(code.trim().split('\n').length).toBeLessThanOrEqual(26);
      writeFileSync(file, code);
      const port = await freePort();
      const child = spawn(command, [file], {
        env: { PATH: process.env['PATH'], PORT: String(port), WEBHOOK_SECRET: SECRET },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      running.push(child);
      let output = '';
      child.stdout.on('data', (part: Buffer) => (output += part.toString()));
      const post = async (body: string, header: string): Promise<number> =>
        (
          await fetch(`http://127.0.0.1:${port}/`, {
            method: 'POST',
            body,
            headers: { 'X-Service-Signature': header },
          })
        ).status;
      const now = Math.floor(Date.now() / 1000);
      const body = JSON.stringify({ id: 'e-1', type: 'record.fulfilled', data: {} });
      const signed = (at: number, secrets = [SECRET]): string =>
        hmacHeader(at, new TextEncoder().encode(body), secrets);
      await until(() =>
        post(body, 't=1,v1=00').then(
          () => true,
          () => false,
        ),
      );
      expect(await post(body, signed(now))).toBe(200);
      expect(await post(body, signed(now, ['whsec_other', SECRET]))).toBe(200);
      expect(await post(body, signed(now - 400))).toBe(401);
      expect(await post(body, signed(now + 400))).toBe(401);
      expect(await post(body.replace('e-1', 'e-2'), signed(now))).toBe(401);
      expect(await post(body, signed(now, ['whsec_other']))).toBe(401);
      await until(() => output.includes('e-1'));
      expect(output.trim()).toBe('record.fulfilled e-1');
    },
  );
});
