import { execFile } from 'node:child_process';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sequenceItems } from '../../domain/verification/read/read-cose-sequence.ts';
import { faults } from '../support/browsers/axe.ts';
import { hasBrowser, openBrowser, type Browser } from '../support/browsers/browser.ts';
import { ServiceProcess } from '../support/service/service-process.ts';
import { addAgent, createWorld, ok } from '../support/service/world.ts';

const service = new ServiceProcess();
const file = (name: string): string => join(service.directory, name);
let fingerprint: string;
let recordId: string;
let env: { readonly NOTARY_URL: string; readonly NOTARY_API_KEY: string };
let stranger: string;
let browser: Browser;
let phone: Browser;

beforeAll(async () => {
  const first = await service.bootstrap();
  fingerprint = first.signingKeyFingerprint;
  await service.start();
  const world = await createWorld(service.url, first.apiKey);
  const { principal, performer } = world;
  stranger = String((await addAgent(world.admin, world.orgId, 'stranger')).client.key);
  const record = await ok(
    principal.client.post('/v1/records', {
      type: 'job',
      criteria: { goal: '</script><script>alert(1)</script> & <!-- more', threshold: 5 },
      performerAgentId: performer.id,
      autoActivate: true,
    }),
  );
  recordId = String(record['id']);
  const completion = await ok(
    performer.client.post(`/v1/records/${recordId}/completions`, { evidence: { score: 7 } }),
  );
  await ok(
    principal.client.post(`/v1/records/${recordId}/verdict`, {
      verdict: 'accept',
      completionId: completion['id'],
    }),
  );
  env = { NOTARY_URL: service.url, NOTARY_API_KEY: String(principal.client.key) };
  if (hasBrowser)
    [browser, phone] = await Promise.all([openBrowser(), openBrowser({ width: 360, dark: true })]);
});
afterAll(async () => {
  await Promise.all([browser?.close(), phone?.close()]);
  await service.stop();
  rmSync(service.directory, { recursive: true, force: true });
});

/** Of the entries in an attestation. */
const receiptsOf = (attestation: Uint8Array): readonly Uint8Array[] =>
  [...sequenceItems(attestation)].flatMap(({ receipts }) => receipts ?? []);

const exportWith = (
  given: Partial<typeof env>,
  ...args: readonly string[]
): ReturnType<ServiceProcess['run']> =>
  new Promise((done) => {
    execFile(
      process.execPath,
      ['dist/config/main.js', 'export', ...args],
      { env: { PATH: process.env['PATH'], XDG_CONFIG_HOME: service.directory, ...env, ...given } },
      (error, stdout, stderr) => done({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
const exported = (...args: readonly string[]): ReturnType<ServiceProcess['run']> =>
  exportWith({}, ...args);

describe('notary export', () => {
  it('writes the JSON export into a new file, for its owner alone, which verifies', async () => {
    const made = await exported(recordId, '--evidence', '--out', file('record.json'));
    expect([made.code, made.stderr]).toEqual([0, '']);
    expect(statSync(file('record.json')).mode & 0o777).toBe(0o600);
    const verified = await service.run('verify', file('record.json'), '--keys', fingerprint);
    expect(verified.stdout).toContain('VALID: 4 entries');
    expect(verified.stdout).toContain('1 of 1 pieces in the file');
    const again = await exported(recordId, '--out', file('record.json'));
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('EEXIST')]);
  });

  it('writes to standard output, without evidence unless asked, and the tree where asked', async () => {
    const { stdout } = await exported(recordId);
    expect(stdout).not.toContain('"evidence":{');
    expect(JSON.parse(stdout)).toMatchObject({ record: { id: recordId } });
    const tree = await exported(recordId, '--subtree', '--evidence');
    expect(JSON.parse(tree.stdout)).toMatchObject({ records: [{ record: { id: recordId } }] });
  });

  it('says what is wrong, and sends a key to no address in the clear', async () => {
    const said = async (given: Partial<typeof env>, ...args: readonly string[]) => {
      const { code, stdout, stderr } = await exportWith(given, ...args);
      // 3: there is no key, and no profile that has one.
      expect([code, stdout]).toEqual([given.NOTARY_API_KEY === '' ? 3 : 1, '']);
      return stderr;
    };
    expect(await said({ NOTARY_API_KEY: '' }, recordId)).toContain('NOTARY_API_KEY is not set');
    expect(await said({ NOTARY_API_KEY: stranger }, recordId)).toContain('the answer was 404');
    expect(await said({}, '../health')).toContain('is no id of a record');
    expect(await said({}, recordId, '--url', 'http://notary.example')).toContain(
      'use https, or http on this machine',
    );
    expect(await said({}, recordId, '--url', 'http://127.0.0.1.example')).toContain(
      'use https, or http on this machine',
    );
    expect(await said({}, recordId, '--url', 'http://127.0.0.1:1')).toContain('cannot be fetched');
  });
});

describe.skipIf(!hasBrowser)('the one HTML file, opened from the disk without a network', () => {
  const opened = async (name: string, of = browser) => {
    const page = await of.context.newPage();
    await of.context.setOffline(true);
    const noted: string[] = [];
    page.on('console', (message) => noted.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => noted.push(`error: ${error.message}`));
    page.on('request', (request) => noted.push(`request: ${request.url()}`));
    const url = pathToFileURL(file(name)).href;
    await page.goto(url);
    return {
      page,
      noted: () => noted.filter((one) => ![`request: ${url}`, 'request: data:,'].includes(one)),
      give: async (pin: string) => {
        await page.getByLabel('The fingerprint of the signing key that you trust').fill(pin);
        await page.getByRole('button', { name: 'Verify', exact: true }).click();
      },
      verdict: async (wanted: string) => {
        const shown = page.locator(`.verdict[data-verdict=${wanted}]`);
        await shown.waitFor();
        return shown.innerText();
      },
    };
  };

  it('verifies itself under the key that its reader gives, tells the story, and says what it does not prove', async () => {
    const made = await exported(recordId, '--evidence', '--html', '--out', file('record.html'));
    expect([made.code, made.stderr]).toEqual([0, '']);
    expect(readFileSync(file('record.html'), 'utf8')).not.toMatch(
      /https?:\/\/(?!127|localhost|www\.w3\.org)[^"'\s]*\.(js|css)/,
    );
    const { page, noted, give, verdict } = await opened('record.html');
    expect(await verdict('cannot_tell')).toContain('No key that you trust was given');
    await give('ab'.repeat(32));
    await page.getByText('Signed by a different key than the one you trust').first().waitFor();
    expect(await page.locator('#keys-compared').innerText()).toMatch(
      new RegExp(`Signed by\\s+sha256:${fingerprint}\\s+You trust\\s+sha256:(ab){32}`),
    );
    await give(`sha256:${fingerprint}`);
    const said = await verdict('valid');
    expect(said).toContain('4 entries');
    expect(said).toContain('4 of 4 entries have a receipt that holds');
    expect(await page.locator('[data-check=receipts]').innerText()).toMatch(/passed[^]*4 receipts/);
    expect(await page.locator('#timeline').innerText()).toMatch(
      /the performer[^]*delivered the work/,
    );
    expect(await page.locator('main').innerText()).toContain(
      '</script><script>alert(1)</script> & <!-- more',
    );
    expect(await page.getByRole('heading', { name: 'What this does not prove' }).isVisible()).toBe(
      true,
    );
    expect(await page.locator('#file').isVisible()).toBe(false);
    await page.getByText('More checks for experts').click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save the export as JSON' }).click(),
    ]);
    await download.saveAs(file('saved.json'));
    const [receipts] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save the receipts' }).click(),
    ]);
    await receipts.saveAs(file('saved.cose'));
    expect(noted()).toEqual([]);
    await page.close();
    const verified = await service.run('verify', file('saved.json'), '--keys', fingerprint);
    expect(verified.stdout).toContain('VALID: 4 entries');
    writeFileSync(
      file('keys.json'),
      await (await fetch(`${service.url}/v1/verification-keys`)).text(),
    );
    const saved = await service.run('verify', file('saved.cose'), '--keys', file('keys.json'));
    expect(saved.stdout).toMatch(/VALID: 4 entries/);
  });

  it.each(['a desk', 'a phone in the dark'])(
    'opens on %s with what, who, when, how it ended, the verdict and one field',
    async (where) => {
      const of = where === 'a desk' ? browser : phone;
      const { page, noted, give, verdict } = await opened('record.html', of);
      const first = await verdict('cannot_tell');
      expect(first).toMatch(/^\? No key that you trust was given\n[^]*Next: Ask the operator/);
      const summary = page.locator('#summary');
      const today = new Date().getUTCFullYear();
      expect(plain(await summary.innerText())).toMatch(
        new RegExp(
          `^What the file says What job: “</script>.*” Principal “[^”]+”° of “[^”]+”° Performer “[^”]+”° of “[^”]+”° When \\d+ \\w+ ${today}, \\d\\d:\\d\\d .*UTC Outcome FULFILLED: the work was accepted$`,
        ),
      );
      // Nothing else is asked for, and all of it is on the first screen.
      expect(await page.locator('input:visible, textarea:visible, select:visible').count()).toBe(1);
      const screen = page.viewportSize()!;
      for (const part of [summary, page.locator('.verdict'), page.locator('#pin')]) {
        const box = (await part.boundingBox())!;
        expect(box.y).toBeGreaterThanOrEqual(0);
        expect(box.y + box.height).toBeLessThanOrEqual(screen.height);
      }
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
        screen.width,
      );
      expect(await faults(page)).toEqual([]);
      await page.getByText('More checks for experts').click();
      await page.getByLabel('A document of verification keys').waitFor();
      await page.getByLabel('Signed statements that you kept').waitFor();
      await page.getByLabel('The other hub’s export').waitFor();
      expect(await faults(page)).toEqual([]);
      await give(fingerprint);
      await verdict('valid');
      expect(await page.locator('#summary-title').innerText()).toBe('What was recorded');
      await page.locator('#pin').pressSequentially('0');
      expect(await page.locator('.verdict').count()).toBe(0);
      await give('my key');
      await page.getByText('This is not a fingerprint. A fingerprint is').waitFor();
      expect(await page.locator('.verdict').count()).toBe(0);
      expect(await faults(page)).toEqual([]);
      expect(noted()).toEqual([]);
      await page.close();
    },
  );

  it('stays a file that can be sent by mail: less than 370 KB without the record', () => {
    expect(statSync('dist/docs/evidence.html').size).toBeLessThan(370_000);
  });

  it('tells of receipts that the service did not give, and stays valid', async () => {
    const html = readFileSync(file('record.html'), 'utf8');
    const without = html.replace(
      /id="receipts">[^<]*</,
      'id="receipts">{"attestations":[],"missing":"the answer was 409: the log is broken"}<',
    );
    expect(without).not.toBe(html);
    writeFileSync(file('without.html'), without);
    const { page, noted, give, verdict } = await opened('without.html');
    await give(fingerprint);
    expect(await verdict('valid')).toContain('4 of 4 entries have no receipt in this file');
    expect(await page.locator('#missing').innerText()).toContain('the log is broken');
    expect(noted()).toEqual([]);
    await page.close();
  });

  it('shows a receipt that was changed, and receipts that cannot be read', async () => {
    const html = readFileSync(file('record.html'), 'utf8');
    const [whole, base64] = /"attestations":\["([^"]*)"/.exec(html)!;
    const bytes = Buffer.from(base64!, 'base64');
    // The signature of a receipt ends the structure of its entry, which a payload and a signature follow.
    const [receipt] = receiptsOf(bytes);
    bytes[bytes.indexOf(receipt!) + receipt!.length - 1]! ^= 1;
    for (const [name, changed, said] of [
      ['receipt', bytes.toString('base64'), 'CHECKPOINT_SIGNATURE_INVALID'],
      ['cut', base64!.slice(0, 400), 'CHAIN_COSE_DECODE_FAILED'],
    ] as const) {
      writeFileSync(file(`${name}.html`), html.replace(whole, `"attestations":["${changed}"`));
      const { page, give, verdict } = await opened(`${name}.html`);
      await give(fingerprint);
      expect(await verdict('invalid')).toContain(said);
      await page.close();
    }
  });

  it('shows a change of the export in it', async () => {
    const html = readFileSync(file('record.html'), 'utf8');
    const tampered = html.replace('"evidence":{"score":7}', '"evidence":{"score":8}');
    expect(tampered).not.toBe(html);
    writeFileSync(file('tampered.html'), tampered);
    const { page, noted, give, verdict } = await opened('tampered.html');
    await give(fingerprint);
    expect(await verdict('invalid')).toContain('CHAIN_PAYLOAD_BINDING_MISMATCH');
    expect(noted()).toEqual([]);
    await page.close();
  });

  it('runs nothing but its own script', async () => {
    const html = readFileSync(file('record.html'), 'utf8');
    writeFileSync(
      file('injected.html'),
      html.replace(
        '</main>',
        '<img src=x onerror="document.title=1"><script>document.title=1</script></main>',
      ),
    );
    const { page, verdict, noted } = await opened('injected.html');
    await verdict('cannot_tell');
    expect(await page.title()).toBe('A notarized record');
    expect(noted().join()).toMatch(/Content Security Policy/);
    await page.close();
  });
});

/** A page breaks lines where it likes. */
const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();
