import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createVerifyProgram } from '../../adapters/cli/verify-program.ts';
import type { AuditExport } from '../../domain/verification/read/audit-export.ts';
import type { VerificationReport } from '../../domain/verification/report/report.ts';
import { useApi } from '../support/service/api.ts';
import { hasBrowser, openBrowser, type Browser } from '../support/browsers/browser.ts';
import { TwoHubs } from '../support/hubs/two-hubs.ts';

interface Pair {
  readonly hubs: TwoHubs;
  readonly home: AuditExport;
  readonly mirror: AuditExport;
}
const exported = async (hubs: TwoHubs): Promise<Pair> => ({
  hubs,
  home: await hubs.export(hubs.home),
  mirror: await hubs.export(hubs.mirror),
});

/** What somebody hands over as the files of two hubs, and how that ends. */
const ATTACKED: readonly (readonly [string, 0 | 1 | 2, () => Promise<Pair>])[] = [
  [
    'a mirror that signed one sequence twice',
    1,
    async () => {
      const hubs = await (await TwoHubs.start()).run();
      await hubs.equivocate(hubs.mirror, 2, { ack: 99 });
      return exported(hubs);
    },
  ],
  [
    'a home that says it refused what it applied',
    1,
    async () => {
      const attestation = (predicate: object, { name }: { readonly name: string }) =>
        (name === 'home' ? { ...predicate, outcome: 'refused', code: 'NO' } : predicate) as never;
      return exported(await (await TwoHubs.start({ attestation })).run());
    },
  ],
  [
    'a file of the mirror that lacks the last answer of home',
    2,
    async () => {
      const { hubs, home, mirror } = await exported(await (await TwoHubs.start()).run());
      const federation = mirror.federation!;
      const last = federation.statements.findLastIndex(({ direction }) => direction === 'out');
      const statements = federation.statements.map((one, index) =>
        index === last ? { ...one, attestation: null } : one,
      );
      return { hubs, home, mirror: { ...mirror, federation: { ...federation, statements } } };
    },
  ],
];

describe.skipIf(!hasBrowser)('/docs/verify and notary verify, of the files of two hubs', () => {
  const api = useApi();
  const folder = mkdtempSync(join(tmpdir(), 'notary-pairs-'));
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** What the command line says as JSON: the first file's report, with the other one's in `peer`. */
  const byCommand = async (args: readonly string[]) => {
    let out = '';
    const program = createVerifyProgram(
      { gateEvaluator: () => Promise.reject(new Error('no gates here')), apiKey: null },
      {
        stdout: (text) => void (out += text),
        print: () => Promise.resolve(),
        stderr: () => undefined,
        isTTY: false,
      },
      '0.0.0',
    );
    const code = await program.run([...args, '--json']);
    const report = JSON.parse(out) as VerificationReport & { readonly peer: VerificationReport };
    return { code, report };
  };

  it.each(ATTACKED)('say the same of %s', async (_name, code, attack) => {
    const { hubs, home, mirror } = await attack();
    const files = { home: join(folder, 'home.json'), mirror: join(folder, 'mirror.json') };
    writeFileSync(files.home, JSON.stringify(home));
    writeFileSync(files.mirror, JSON.stringify(mirror));
    const [homePin, mirrorPin] = [hubs.mirror.peerRoot, hubs.home.peerRoot];
    const said = await byCommand([
      files.home,
      '--with',
      files.mirror,
      '--keys',
      homePin,
      '--with-keys',
      mirrorPin,
    ]);
    expect(said.code).toBe(code);

    const page = await browser.context.newPage();
    await page.goto(`${api.world.url}/docs/verify`, { waitUntil: 'networkidle' });
    await page.locator('#pin').fill(homePin);
    await page.locator('#file').setInputFiles(files.home);
    await page.getByText('More checks for experts').click();
    await page.locator('#with-pin').fill(mirrorPin);
    await page.locator('#with').setInputFiles(files.mirror);
    const both = page.locator(`#both[data-verdict=${['valid', 'invalid', 'cannot_tell'][code]!}]`);
    await both.waitFor({ timeout: 60_000 });
    const shown = plain(await page.locator('main').innerText());
    for (const { reasons, failures, notes } of [said.report, said.report.peer]) {
      for (const text of [...reasons, ...notes])
        expect(shown).toContain(plain(text.replace('cannot tell: ', '')));
      for (const failure of failures) {
        expect(shown).toContain(failure.class);
        expect(shown).toContain(plain(failure.detail));
      }
    }
    expect(said.report.failures.length + said.report.reasons.length).toBeGreaterThan(0);
    await page.close();
  });
});

/** A page breaks lines where it likes. */
const plain = (text: string): string => text.replace(/\s+/g, ' ');
