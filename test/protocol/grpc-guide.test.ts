import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SERVICES } from '../../adapters/grpc/grpc-adapter.ts';
import { useApi } from '../support/service/api.ts';
import { Guide, Home } from '../support/runner/guide.ts';
import { ok } from '../support/service/world.ts';

const api = useApi({ GRPC_PORT: '0' });
const guide = Guide.of('grpc');
// In the clone, so that the program finds its packages.
const home = new Home('node_modules');

it('the program of the guide, whose types proto-loader makes, notarizes by a call and by a stream', async () => {
  const [program] = guide.blocks('js') as [string];
  const file = join(home.path, 'first.mjs');
  writeFileSync(file, program);
  const { client } = api.world.principal;
  const env = { TOKEN: String(client.key), GRPC: String(api.service.grpc) };
  const { code, stdout, stderr } = await home.run(process.execPath, [file], env);
  expect([code, stdout + stderr]).toEqual([
    0,
    expect.stringMatching(/^RECORDED [0-9a-f]{64}\n100 receipts\n$/),
  ]);
  expect((await ok(client.get('/v1/records?limit=1')))['total']).toBe(101);
});

it('the guide names every service and method', () => {
  for (const { name, methods } of SERVICES) {
    const [, row] = new RegExp(`^\\| \`${name}\` \\| (.*) \\|$`, 'm').exec(guide.text)!;
    if (name !== 'AdminService') for (const method of methods) expect(row).toContain(method.name);
  }
});
