import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { runVerify } from '../../../adapters/cli/verify.ts';
import { serveTls } from '../../support/peers/oidc.ts';
import { realFetch } from '../../support/clients/real-fetch.ts';

/** Whoever answers at the URL that an auditor gives. */
describe('a verifier that fetches', () => {
  let server: Server | null = null;
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
    server = null;
  });

  it('reads no refusal without end', async () => {
    let sent = 0;
    const part = Buffer.alloc(64 * 1024, ' ');
    server = createServer((_request, response) => {
      response.writeHead(500, { 'content-type': 'application/problem+json' });
      const more = (): void => {
        while (!response.destroyed && response.write(part)) sent += part.length;
        sent += part.length;
        if (sent < 256 * 1024 * 1024) response.once('drain', more);
        else response.end();
      };
      more();
    });
    await new Promise<void>((done) => server!.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/export`;
    let said = '';
    const io = {
      stdout: (text: string) => void (said += text),
      stderr: (text: string) => void (said += text),
      print: () => Promise.resolve(),
      isTTY: false,
    };
    // What watches the answers in tests reads each of them to its end.
    const watched = globalThis.fetch;
    globalThis.fetch = realFetch();
    try {
      expect(await runVerify({ files: [url], trustEmbedded: true }, io)).toBe(2);
    } finally {
      globalThis.fetch = watched;
    }
    expect(said).toContain('the answer was 500');
    expect(sent).toBeLessThan(32 * 1024 * 1024);
  });

  it('verifies TLS, whatever the environment says', async () => {
    const tls = await serveTls((_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end('{}');
    });
    try {
      const program = resolve(import.meta.dirname, '../../../config/notary-verify.ts');
      const url = `${tls.url}/keys.json`;
      const ran = await promisify(execFile)(
        process.execPath,
        ['--import', 'tsx', program, program, '--keys', url],
        { env: { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: '0' } },
      ).catch((error: unknown) => error as { readonly code: number; readonly stderr: string });
      expect(ran).toMatchObject({ code: 2 });
      expect(tls.asked).toEqual([]);
      expect(ran.stderr).toMatch(/certificate/);
    } finally {
      await tls.close();
    }
  });
});
