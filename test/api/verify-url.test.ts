import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { runShow } from '../../adapters/cli/show.ts';
import { runVerify } from '../../adapters/cli/verify.ts';
import { useApi } from '../support/service/api.ts';
import { serveTls, type TlsServer } from '../support/peers/oidc.ts';
import { ok } from '../support/service/world.ts';

const api = useApi();

describe('notary verify of a URL', () => {
  let exportUrl: string;
  let said: { out: string; err: string };
  const io = {
    stdout: (text: string) => void (said.out += text),
    stderr: (text: string) => void (said.err += text),
    print: () => Promise.resolve(),
    isTTY: false,
  };
  let apiKey: string | null;
  const verify = (url: string, keys = [api.fingerprint]) =>
    runVerify({ files: [url], keys, apiKey }, io);

  beforeAll(async () => {
    const { principal } = api.world;
    const { id } = await ok(
      principal.client.post('/v1/records', { type: 'note', criteria: { text: 'n' } }),
    );
    exportUrl = `${api.world.url}/v1/records/${id}/audit-export`;
  });
  beforeEach(() => {
    said = { out: '', err: '' };
    apiKey = api.world.principal.client.key;
  });
  afterEach(() => {
    // Whatever happens, the key is told to nobody who reads the output.
    expect(said.out + said.err).not.toContain(api.world.principal.client.key);
  });

  it.each([
    ['JSON', '', /\nVALID: 1 entry, /],
    ['NDJSON', '?format=ndjson', /\nVALID: 1 entry, /],
  ])('fetches %s with the key in NOTARY_API_KEY', async (_form, query, expected) => {
    expect(await verify(`${exportUrl}${query}`), said.err).toBe(0);
    expect(said.out).toMatch(expected);
  });

  it('beside a file gives a line for each', async () => {
    expect(
      await runVerify({ files: [exportUrl, exportUrl], keys: [api.fingerprint], apiKey }, io),
    ).toBe(0);
    expect(said.out.split(exportUrl)).toHaveLength(3);
  });

  it('shows it as well', async () => {
    expect(await runShow({ file: exportUrl, keys: [api.fingerprint], apiKey }, io)).toBe(0);
    expect(said.out).toMatch(/\nVALID: 1 entry, /);
  });

  it('says what to do where no key was given, or the service refuses', async () => {
    apiKey = null;
    expect(await verify(exportUrl)).toBe(2);
    expect(said.err).toMatch(
      /the answer was 401: .* NOTARY_API_KEY holds the key to fetch it with/,
    );
    apiKey = api.world.principal.client.key;
    said.err = '';
    expect(
      await verify(exportUrl.replace(/records\/[^/]+/, `records/${crypto.randomUUID()}`)),
    ).toBe(2);
    expect(said.err).toMatch(/the answer was 404: \w/);
  });

  it.each([
    ['http elsewhere', 'http://192.0.2.1/export', 'use https, or http on this machine'],
    [
      'http by a name that only begins like this machine',
      'http://localhost.example/x',
      'use https',
    ],
    ['a password', 'https://user:secret@localhost/export', 'put the key into NOTARY_API_KEY'],
  ])('fetches nothing over %s', async (_what, url, expected) => {
    const asked = vi.spyOn(globalThis, 'fetch');
    expect(await verify(url)).toBe(2);
    expect(asked).not.toHaveBeenCalled();
    asked.mockRestore();
    expect(said.err).toContain(expected);
    expect(await verify(exportUrl, [url])).toBe(2);
  });

  describe('at an address that means ill', () => {
    const servers: (Server | TlsServer)[] = [];
    const serve = async (listener: RequestListener): Promise<string> => {
      const server = createServer(listener).listen(0, '127.0.0.1');
      servers.push(server);
      await new Promise((resolve) => server.once('listening', resolve));
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    };
    afterAll(() => {
      for (const server of servers) void server.close();
    });

    it('does not follow a redirect, so the key stays where it was meant to go', async () => {
      const authorizations: unknown[] = [];
      const elsewhere = await serve(({ headers }, answer) => {
        authorizations.push(headers.authorization);
        answer.end('{}');
      });
      const first = await serve((_, answer) =>
        answer.writeHead(302, { location: elsewhere }).end(),
      );
      expect(await verify(first)).toBe(2);
      expect(said.err).toContain(`leads to ${elsewhere}`);
      expect(authorizations).toEqual([]);
    });

    it('sends no key to where the trusted keys are fetched from', async () => {
      const authorizations: unknown[] = [];
      const listing = await ok(api.world.anonymous.get('/v1/verification-keys'));
      const keys = await serve(({ headers }, answer) => {
        authorizations.push(headers.authorization);
        answer.end(JSON.stringify(listing));
      });
      expect(await verify(exportUrl, [keys]), said.err).toBe(0);
      expect(authorizations).toEqual([undefined]);
    });

    it('does not believe a certificate that nobody vouches for', async () => {
      const server = await serveTls((_, answer) => void answer.end('{}'));
      servers.push(server);
      expect(await verify(server.url)).toBe(2);
      expect(said.err).toMatch(/cannot be fetched: .*certificate/);
      expect(server.asked).toEqual([]);
    });

    it('says where an answer breaks off', async () => {
      const url = await serve((_, answer) => {
        answer.writeHead(200, { 'content-length': '1000' }).write('{"formatVersion"');
        setTimeout(() => answer.destroy(), 20);
      });
      expect(await verify(url)).toBe(2);
      expect(said.err).toMatch(/cannot be read: /);
    });
  });
});
