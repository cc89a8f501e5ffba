import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { hmacHeader } from '../../domain/delivery/delivery-signature.ts';
import { useApi } from '../support/service/api.ts';
import { useCoSigners } from '../support/clients/co-signing.ts';
import { OIDC_ENV } from '../support/peers/oidc.ts';
import { hasTools } from '../support/runner/tools.ts';
import { Guide, Home } from '../support/runner/guide.ts';
import { ok } from '../support/service/world.ts';

const api = useApi(OIDC_ENV);
const signers = useCoSigners(api, 'records:write records:read');
const home = new Home();
const folder = home.path;
const SECRET = `whsec_${'k'.repeat(43)}`;

beforeAll(async () => {
  // The package as it is built, found as an installed one is.
  mkdirSync(join(folder, 'node_modules', '@types'), { recursive: true });
  symlinkSync(resolve('.'), join(folder, 'node_modules', 'notary-service'));
  symlinkSync(resolve('node_modules/@types/node'), join(folder, 'node_modules', '@types', 'node'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  for (const type of ['deployment', 'python.file'])
    await ok(api.world.admin.post('/v1/schemas', { type, completionSchema: {} }));
});

describe('the guide "TypeScript"', () => {
  const blocks = Guide.of('typescript').blocks('ts');

  it('compiles strictly, for Node and for browsers, with the types of the package', async () => {
    expect(blocks.length).toBe(8);
    const event = JSON.stringify({ id: 'e-1', type: 'record.recorded', data: {} });
    const epilogue = `
const body = ${JSON.stringify(event)};
const headers = { 'X-Service-Signature': process.env['WEBHOOK_HEADER']! };
const sent = { method: 'POST', headers, body };
console.log((await onWebhook(new Request('https://receiver.example/', sent))).status);
console.log((await onWebhook(new Request('https://receiver.example/', { ...sent, body: body + ' ' }))).status);
`;
    writeFileSync(join(folder, 'guide.ts'), `${blocks.join('\n')}\n${epilogue}`);
    const options = {
      target: 'es2023',
      module: 'nodenext',
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: false,
      types: ['node'],
    };
    const project = { compilerOptions: options, files: ['guide.ts'] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project));
    const { stdout } = await home.run(resolve('node_modules/.bin/tsc'), ['-p', folder]);
    expect(stdout).toBe('');
    // Of a page: no Node at all.
    const page = blocks
      .slice(0, 2)
      .join('\n')
      .replaceAll(/process\.env\[('\w+')\]!/g, 'String($1)');
    writeFileSync(join(folder, 'page.ts'), page);
    const browser = { ...options, lib: ['ES2024', 'DOM', 'DOM.Iterable'], types: [] };
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: browser, files: ['page.ts'] }),
    );
    const other = await home.run(resolve('node_modules/.bin/tsc'), ['-p', folder]);
    expect(other.stdout).toBe('');
  }, 180_000);

  it('runs as it stands there, from a record to a captured call', async () => {
    const { world, fingerprint } = api;
    const body = JSON.stringify({ id: 'e-1', type: 'record.recorded', data: {} });
    const at = Math.floor(Date.now() / 1_000);
    const scope = 'records:write records:read';
    const { code, stdout, stderr } = await home.run(
      resolve('node_modules/.bin/tsx'),
      ['guide.ts'],
      {
        // tsx caches compiled modules here.
        TMPDIR: tmpdir(),
        NOTARY_URL: world.url,
        NOTARY_API_KEY: String(world.principal.client.key),
        NOTARY_FINGERPRINT: fingerprint,
        BUILDER_KEY: String(world.performer.client.key),
        ADMIN_KEY: String(world.admin.key),
        OIDC_TOKEN: await signers.oidc.forge({ agent_id: world.principal.id, scope }),
        WEBHOOK_SECRET: SECRET,
        WEBHOOK_HEADER: hmacHeader(at, new TextEncoder().encode(body), [SECRET]),
      },
      folder,
    );
    expect(code, stderr).toBe(0);
    expect(stdout.trim().split('\n')).toEqual([
      expect.stringMatching(/^RECORDED [0-9a-f]{64}$/),
      'valid 1',
      expect.stringMatching(/^FULFILLED \[/),
      expect.stringMatching(/^[0-9a-f-]{36} RECORDED$/),
      expect.stringMatching(/^\w+ .*unknown.* [0-9a-f-]{36}$/),
      '1',
      "{ name: 'ledger', rows: 2 }",
      'record.recorded',
      '204',
      '401',
    ]);
    const { data } = await ok(world.principal.client.get('/v1/records?type=tool.call'));
    expect(data).toMatchObject([{ criteria: { call: 'lookUp', input: { redacted: 1 } } }]);
    expect(JSON.stringify(data)).not.toContain('t-1');
  }, 120_000);
});

describe.skipIf(!hasTools('python3'))('the example in Python', () => {
  const example = 'docs/examples/python/notarize.py';
  const notarize = (env: Readonly<Record<string, string>>) =>
    home.run('python3', [example, 'python.file', 'package.json'], env);

  it('notarizes a file and lists what was notarized, in 40 lines', async () => {
    expect(readFileSync(example, 'utf8').trim().split('\n').length).toBeLessThanOrEqual(40);
    const env = {
      NOTARY_URL: api.world.url,
      NOTARY_API_KEY: String(api.world.principal.client.key),
    };
    for (let n = 1; n <= 3; n++) {
      const { stdout, stderr } = await notarize(env);
      expect(stderr).toBe('');
      const [made, ...listed] = stdout.trim().split('\n');
      expect(made).toMatch(/^RECORDED [0-9a-f-]{36} [0-9a-f]{64}$/);
      expect(listed).toHaveLength(n);
      expect(listed[0]).toContain(made!.split(' ')[1]);
    }
    const refused = await notarize({ ...env, NOTARY_API_KEY: 'nothing' });
    expect(refused.stderr).toContain('"UNAUTHORIZED"');
  });
});
