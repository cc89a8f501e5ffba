import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { SERVICES } from '../../adapters/grpc/grpc-adapter.ts';
import { useApi } from '../support/api.ts';
import { ok } from '../support/world.ts';

const api = useApi({ GRPC_PORT: '0' });
const guide = readFileSync('docs/guides/grpc.md', 'utf8');
// In the clone, so that the program finds its packages.
const folder = mkdtempSync(join(process.cwd(), 'node_modules', '.grpc-guide-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('the program of the guide, whose types proto-loader makes, notarizes by a call and by a stream', async () => {
  const program = /^```js\n([^]*?)^```$/m.exec(guide)![1]!;
  const file = join(folder, 'first.mjs');
  writeFileSync(file, program);
  const { client } = api.world.principal;
  const env = {
    PATH: process.env['PATH'],
    TOKEN: String(client.key),
    GRPC: String(api.service.grpc),
  };
  const { code, said } = await new Promise<{ code: number; said: string }>((done) => {
    execFile(process.execPath, [file], { env }, (error, stdout, stderr) =>
      done({ code: Number(error?.code ?? 0), said: stdout + stderr }),
    );
  });
  expect([code, said]).toEqual([
    0,
    expect.stringMatching(/^RECORDED [0-9a-f]{64}\n100 receipts\n$/),
  ]);
  expect((await ok(client.get('/v1/records?limit=1')))['total']).toBe(101);
});

it('the guide names every service and method', () => {
  for (const { name, methods } of SERVICES) {
    const [, row] = new RegExp(`^\\| \`${name}\` \\| (.*) \\|$`, 'm').exec(guide)!;
    if (name !== 'AdminService') for (const method of methods) expect(row).toContain(method.name);
  }
});
