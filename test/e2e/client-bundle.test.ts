import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { useApi } from '../support/service/api.ts';
import { hasBrowser, openBrowser, type Browser } from '../support/browsers/browser.ts';
import { NOTE_TYPE, type Body } from '../support/service/world.ts';

const api = useApi({ CORS_ORIGINS: '*' });
const MODULES = { client: 'dist/client/client.js', verify: 'dist/client/verify.js' };
const NOTE = { type: NOTE_TYPE.type, criteria: { text: 'ü' } };

describe('the modules that the package exports', () => {
  it('are those of package.json, with their types', () => {
    const exported = packageJson.exports as Readonly<Record<string, Body | string>>;
    expect(Object.keys(exported)).toEqual(['./client', './client/verify', './package.json']);
    for (const [name, at] of [
      ['client', './client'],
      ['verify', './client/verify'],
    ] as const) {
      const { types, default: module } = exported[at] as Body;
      expect(module).toBe(`./${MODULES[name]}`);
      expect(readFileSync(String(types), 'utf8')).toContain('export');
    }
  });

  it('of which the main one has under 20 KB, compressed', () => {
    expect(gzipSync(readFileSync(MODULES.client), { level: 9 }).length).toBeLessThan(20_000);
    expect(gzipSync(readFileSync(MODULES.verify), { level: 9 }).length).toBeLessThan(150_000);
  });

  it('import nothing of Node, nor anything else', async () => {
    for (const entry of Object.values(MODULES)) {
      const { metafile } = await build({
        entryPoints: [entry],
        bundle: true,
        write: false,
        metafile: true,
        format: 'esm',
        platform: 'neutral',
        logLevel: 'silent',
      });
      expect(Object.keys(metafile.inputs)).toEqual([entry]);
      expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).toEqual([]);
    }
  });

  it('of which the main one is made of the client, and of no library', async () => {
    const { metafile } = await build({
      entryPoints: ['adapters/client/client.ts'],
      bundle: true,
      write: false,
      metafile: true,
      format: 'esm',
      platform: 'browser',
    });
    const others = Object.keys(metafile.inputs).filter(
      (one) => !one.startsWith('adapters/client/'),
    );
    expect(others.toSorted()).toEqual([
      'domain/kernel/base64.ts',
      'domain/kernel/canonical-json.ts',
    ]);
  });

  it('run where there is nothing but what edge runtimes have', async () => {
    const settings = { url: api.world.url, credential: api.world.principal.client.key };
    const program = `
import { readFileSync } from 'node:fs';
import vm from 'node:vm';
const context = vm.createContext(Object.fromEntries(${JSON.stringify(AT_THE_EDGE)}.map((name) => [name, globalThis[name]])));
const load = async (file) => {
  const module = new vm.SourceTextModule(readFileSync(file, 'utf8'), { context });
  await module.link((name) => { throw new Error(name); });
  await module.evaluate();
  return module.namespace;
};
const { NotaryClient } = await load(${JSON.stringify(MODULES.client)});
const { verify } = await load(${JSON.stringify(MODULES.verify)});
const notary = new NotaryClient(${JSON.stringify(settings)});
const { id, status } = await notary.notarize(${JSON.stringify(NOTE)});
const { verdict } = await verify(await notary.export(id), { fingerprint: ${JSON.stringify(api.fingerprint)} });
console.log(vm.runInContext('typeof process + typeof Buffer + typeof require', context), status, verdict);
`;
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--no-warnings',
      '--experimental-vm-modules',
      '--input-type=module',
      '-e',
      program,
    ]);
    expect(stdout.trim()).toBe('undefinedundefinedundefined RECORDED valid');
  });
});

/** Of the Minimum Common Web Platform API what the modules use. */
const AT_THE_EDGE = [
  'AbortController',
  'Headers',
  'TextDecoder',
  'TextEncoder',
  'URL',
  'URLSearchParams',
  'clearTimeout',
  'crypto',
  'fetch',
  'setTimeout',
];

describe.skipIf(!hasBrowser)('the modules in a browser', () => {
  let browser: Browser;
  let server: Server;
  let origin: string;
  beforeAll(async () => {
    browser = await openBrowser();
    server = createServer(({ url = '/' }, response) => {
      const file = Object.values(MODULES).find((name) => url === `/${name}`);
      response.setHeader('content-type', file ? 'text/javascript' : 'text/html');
      response.end(file ? readFileSync(file) : '<!doctype html><title>a page</title>');
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await browser?.close();
    await new Promise((done) => server.close(done));
  });

  it('notarize from another origin, list, are refused in words, and verify', async () => {
    const page = await browser.context.newPage();
    await page.goto(origin);
    const settings = { url: api.world.url, credential: String(api.world.principal.client.key) };
    // As text: what the test runner makes of an import, a page does not know.
    const seen = await page.evaluate(`(async () => {
      const { NotaryClient, metaOf, coSign } = await import('/${MODULES.client}');
      const { verify } = await import('/${MODULES.verify}');
      const settings = ${JSON.stringify(settings)};
      const notary = new NotaryClient(settings);
      const record = await notary.notarize(${JSON.stringify(NOTE)});
      const ids = [];
      for await (const { id } of notary.records.list({ limit: 2 })) ids.push(id);
      const refusal = await notary
        .notarize({ type: 'nothing', criteria: {} })
        .catch((error) => error.name + ' ' + error.status);
      const file = await notary.export(record.id);
      const { verdict } = await verify(file, { fingerprint: '${api.fingerprint}' });
      const { privateKey } = await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify']);
      const proofs = await coSign(privateKey, { method: 'GET', url: settings.url, body: '' }, 0);
      return {
        status: record.status,
        isListed: ids.includes(record.id),
        requestId: metaOf(record).requestId,
        refusal,
        verdict,
        digest: proofs['content-digest'],
      };
    })()`);
    expect(seen).toEqual({
      status: 'RECORDED',
      isListed: true,
      requestId: expect.stringMatching(/./),
      refusal: 'NotaryProblem 422',
      verdict: 'valid',
      digest: 'sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:',
    });
    await page.close();
  });
});
