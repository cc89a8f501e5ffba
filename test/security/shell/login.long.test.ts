import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FlakyService, json } from '../../support/peers/flaky-service.ts';
import { processesOf } from '../../support/service/processes-of.ts';
import { ShellHome, type ShellRun } from '../../support/service/shell-home.ts';

/** An identity provider that lies, and whoever takes the port of a service that `notary init` started. */
let home: ShellHome;
let provider: FlakyService;
beforeAll(async () => {
  provider = await FlakyService.open();
});
afterAll(() => provider.stop());
beforeEach(() => {
  home = new ShellHome();
  provider.seen.length = 0;
});
afterEach(() => home.end());

/** As a provider answers that nobody has signed in at yet, but for this. */
const lying = async (changes: { metadata?: object; device?: object }): Promise<ShellRun> => {
  const { url } = provider;
  provider.behave = (response, _count, { path }) => {
    if (path.startsWith('/.well-known'))
      return json(response, 200, {
        issuer: url,
        device_authorization_endpoint: `${url}/device`,
        token_endpoint: `${url}/token`,
        ...changes.metadata,
      });
    if (path === '/device')
      return json(response, 200, {
        device_code: 'device-code',
        user_code: 'USER-CODE',
        verification_uri: `${url}/page`,
        expires_in: 3,
        ...changes.device,
      });
    return json(response, 400, { error: 'authorization_pending' });
  };
  return home.run(['login', '--url', url, '--issuer', url, '--client-id', 'c']);
};

describe('an identity provider', () => {
  it.each([
    'javascript:alert(1)',
    'http://id.example/page',
    'https://id.example@evil.example/',
    'file:///etc/passwd',
    'open this: https://id.example',
  ])('shows no person %j to sign in at', async (verification_uri) => {
    const { code, stderr } = await lying({ device: { verification_uri } });
    expect([code, stderr]).toEqual([1, expect.stringContaining('no page to sign in at')]);
    expect(stderr).not.toContain('Sign in at');
    expect(provider.seen.filter(({ path }) => path === '/token')).toEqual([]);
  });

  it('has no code sent to another machine in the clear', async () => {
    const { code, stderr } = await lying({ metadata: { token_endpoint: 'http://id.example/t' } });
    expect([code, stderr]).toEqual([3, expect.stringContaining('use https')]);
  });

  it.each([1e9, 1e-6])(
    'that says to ask every %d seconds is not asked without a pause',
    async (interval) => {
      const { code, stderr } = await lying({ device: { interval } });
      expect([code, stderr]).toEqual([3, expect.stringContaining('Nobody signed in')]);
      expect(provider.seen.filter(({ path }) => path === '/token').length).toBeLessThan(6);
    },
  );

  it('that answers without an end is left', async () => {
    provider.behave = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = (): void => {
        while (!response.destroyed && response.write(' '.repeat(65_536)));
      };
      response.on('drain', more);
      more();
    };
    const { url } = provider;
    const { code, stderr } = await home.run([
      'login',
      '--url',
      url,
      '--issuer',
      url,
      '--client-id',
      'c',
    ]);
    expect([code, stderr]).toEqual([3, expect.stringContaining('more than')]);
  });
});

describe('whoever takes the port of a service that ended', () => {
  it('gets neither a key from a watch that goes on nor a token from a login', async () => {
    const { init: first, recordId: id } = await home.openJob();
    const watch = home.spawn(['show', String(id), '--watch']);
    let [told, said] = ['', ''];
    watch.stdout!.on('data', (part: Buffer) => (told += part.toString()));
    watch.stderr!.on('data', (part: Buffer) => (said += part.toString()));
    await expect.poll(() => told).toContain('VALID');

    process.kill(Number(first['pid']), 'SIGTERM');
    const place = join(home.directory, '.local', 'share', 'notary');
    await expect.poll(() => processesOf(place)).toEqual([]);
    const heard: string[] = [];
    const other = createServer((incoming, outgoing) => {
      heard.push(`${incoming.method} ${incoming.url}`);
      outgoing.destroy();
    }).listen(Number(new URL(String(first['url'])).port), '127.0.0.1');
    await once(other, 'listening');
    try {
      await expect.poll(() => said).toContain('does not answer');
      // While this runs, the watch asks on.
      const env = { NOTARY_OIDC_TOKEN: 'e30.eyJzdWIiOiJ4In0.c' };
      const { code, stderr } = await home.run(['login', '--context', 'ci'], { env });
      expect([code, stderr]).toEqual([4, expect.stringContaining('does not run')]);
      for (let turn = 0; turn < 12; turn++) await home.run(['whoami']);
      expect(heard).toEqual([]);
    } finally {
      other.close();
    }
    await home.json(['init']);
    await expect.poll(() => said).toContain('answers again');
    watch.kill('SIGTERM');
    await once(watch, 'close');
  }, 240_000);
});
