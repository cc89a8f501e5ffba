import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { useApi } from '../support/api.ts';
import { hasBrowser, openBrowser, type Browser } from '../support/browser.ts';
import { NOTE_TYPE, type Body } from '../support/world.ts';

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

  it('run where there is nothing of Node: no process, no Buffer, no require', async () => {
    const program = `
const { log } = console;
for (const name of ['process', 'Buffer', 'global', 'setImmediate', 'clearImmediate']) delete globalThis[name];
const { NotaryClient } = await import(${JSON.stringify(resolve(MODULES.client))});
const { verify } = await import(${JSON.stringify(resolve(MODULES.verify))});
const notary = new NotaryClient(${JSON.stringify({ url: api.world.url, credential: api.world.principal.client.key })});
const { id, status } = await notary.notarize(${JSON.stringify(NOTE)});
const { verdict } = await verify(await notary.export(id), { fingerprint: ${JSON.stringify(api.fingerprint)} });
log(typeof process, typeof Buffer, status, verdict);
`;
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--no-warnings',
      '--input-type=module',
      '-e',
      program,
    ]);
    expect(stdout.trim()).toBe('undefined undefined RECORDED valid');
  }, 60_000);
});

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
    const given = {
      modules: MODULES,
      settings: { url: api.world.url, credential: String(api.world.principal.client.key) },
      note: NOTE,
      fingerprint: api.fingerprint,
    };
    const seen = await page.evaluate(async ({ modules, settings, note, fingerprint }) => {
      const { NotaryClient, metaOf } = await import(`/${modules.client}`);
      const { verify } = await import(`/${modules.verify}`);
      const notary = new NotaryClient(settings);
      const record = await notary.notarize(note);
      const ids = [];
      for await (const { id } of notary.records.list({ limit: 2 })) ids.push(id);
      const refusal = await notary
        .notarize({ type: 'nothing', criteria: {} })
        .catch((error: { name: string; status: number }) => `${error.name} ${error.status}`);
      const file = await notary.export(record.id);
      const { verdict } = await verify(file, { fingerprint });
      const pair = (await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify'])) as {
        privateKey: unknown;
      };
      const { coSign } = await import(`/${modules.client}`);
      const proofs = await coSign(
        pair.privateKey,
        { method: 'GET', url: settings.url, body: '' },
        0,
      );
      return {
        status: record.status,
        isListed: ids.includes(record.id),
        requestId: metaOf(record).requestId,
        refusal,
        verdict,
        digest: proofs['content-digest'],
      };
    }, given);
    expect(seen).toEqual({
      status: 'RECORDED',
      isListed: true,
      requestId: expect.stringMatching(/./),
      refusal: 'NotaryProblem 422',
      verdict: 'valid',
      digest: 'sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:',
    });
    await page.close();
  }, 120_000);
});
