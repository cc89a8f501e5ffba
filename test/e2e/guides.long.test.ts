import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { fingerprintOf, publicKeyFromSpki } from '../../domain/vault/cose-key.ts';
import { useApi } from '../support/service/api.ts';
import { Guide, Home } from '../support/runner/guide.ts';
import { hasTools } from '../support/runner/tools.ts';
import { TestHub } from '../support/attackers/make-export.ts';

const api = useApi();
const guide = Guide.of('verify-offline');
const home = new Home();
let text: string;
let pin: string;

beforeAll(async () => {
  const hub = await TestHub.start();
  pin = `sha256:${fingerprintOf(publicKeyFromSpki(hub.spki))}`;
  text = JSON.stringify(await hub.export(await hub.gate()));
});

/** Runs the commands of a section, as a reader would paste them, in an empty folder with the export. */
const follow = async (
  heading: string,
  exported = text,
  fingerprint = pin,
): Promise<{ readonly code: number | null; readonly output: string }> => {
  const commands = guide
    .section(heading)
    .blocks('sh')
    .filter((block) => !block.startsWith('NOTARY='));
  expect(commands.length).toBeGreaterThan(1);
  const folder = mkdtempSync(join(home.path, 'reader-'));
  writeFileSync(join(folder, 'export.json'), exported);
  const env = { NOTARY: api.world.url, PIN: fingerprint };
  const { code, stdout, stderr } = await home.bash(commands.join('\n'), env, folder);
  return { code, output: stdout + stderr };
};

describe.skipIf(!hasTools('bash', 'curl', 'sha256sum'))('verify-offline.md, with one file', () => {
  it('fetches the verifier, checks its digest and verifies', async () => {
    const { code, output } = await follow('With one file and Node');
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(/notary-verify.mjs: OK[^]*\nVALID: 3 entries/),
    ]);
    expect((await follow('With one file and Node', text, `sha256:${'ab'.repeat(32)}`)).code).toBe(
      2,
    );
  });
});

describe('the guides', () => {
  const guides = readdirSync('docs/guides').map((name) => name.replace(/\.md$/, ''));

  it('are each a page that runs nothing, and /docs lists them', async () => {
    const index = await (await fetch(`${api.world.url}/docs`)).text();
    for (const name of guides) {
      expect(index).toContain(`<a href="/docs/guides/${name}">`);
      const answer = await fetch(`${api.world.url}/docs/guides/${name}`);
      expect([name, answer.status]).toEqual([name, 200]);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(answer.headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; (?!.*unsafe)/,
      );
      expect(await answer.text()).not.toMatch(/<script|style=|<img/);
    }
  });

  it('link to what is there', async () => {
    for (const path of ['/docs', ...guides.map((name) => `/docs/guides/${name}`)]) {
      const html = await (await fetch(`${api.world.url}${path}`)).text();
      const links = [...html.matchAll(/(?:href)="([^"#]+)/g)].map(([, href]) => href!);
      for (const href of links.filter((one) => !/^(data:|https?:)/.test(one))) {
        const url = new URL(href, `${api.world.url}${path}`);
        const { status } = await fetch(url);
        // The lifecycle asks for a credential.
        expect([path, href, status]).toEqual([
          path,
          href,
          href.startsWith('/lifecycle') ? 401 : 200,
        ]);
      }
    }
  });

  it('404 for another name, and 304 for whoever has the file', async () => {
    for (const name of ['nothing', '..%2Fverify', 'verify-offline.html'])
      expect((await fetch(`${api.world.url}/docs/guides/${name}`)).status).toBeGreaterThanOrEqual(
        400,
      );
    const url = `${api.world.url}/docs/notary-verify.mjs`;
    const first = await fetch(url);
    const etag = first.headers.get('etag')!;
    expect((await fetch(url, { headers: { 'if-none-match': etag } })).status).toBe(304);
    const built = readFileSync('dist/docs/notary-verify.mjs');
    expect(Buffer.from(await first.arrayBuffer()).equals(built)).toBe(true);
  });
});
