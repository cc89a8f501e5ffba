import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fingerprintOf, publicKeyFromSpki } from '../../domain/vault/cose-key.ts';
import { useApi } from '../support/service/api.ts';
import { faults } from '../support/browsers/axe.ts';
import { hasBrowser, openBrowser, type Browser } from '../support/browsers/browser.ts';
import { TestHub } from '../support/attackers/make-export.ts';
import { TwoHubs } from '../support/hubs/two-hubs.ts';

const api = useApi();
const folder = mkdtempSync(join(tmpdir(), 'notary-page-'));
const file = (name: string): string => join(folder, name);

let browser: Browser;
let phone: Browser;
let pin: string;
let homePin: string;
let mirrorPin: string;

beforeAll(async () => {
  if (!hasBrowser) return;
  const hub = await TestHub.start();
  pin = fingerprintOf(publicKeyFromSpki(hub.spki));
  const chain = await hub.gate();
  const good = await hub.export(chain);
  const text = JSON.stringify(good);
  writeFileSync(file('good.json'), text);
  writeFileSync(file('tampered.json'), text.replace('F-2026-118', 'F-2026-119'));
  writeFileSync(file('keys.json'), JSON.stringify({ data: good.keys }));
  writeFileSync(file('kept.json'), JSON.stringify(hub.kept(await hub.gate(), 2)));
  const first = await hub.notarize();
  const again = { ...first, entries: [], statements: [], checkpoints: [] };
  await hub.append(again, 'RECORD_RECORDED', { action: 'create', from: null, to: 'RECORDED' });
  writeFileSync(file('again.json'), JSON.stringify(await hub.export(again)));
  writeFileSync(file('first-kept.json'), JSON.stringify(hub.kept(first, 1)));
  writeFileSync(file('own-kept.json'), JSON.stringify(hub.kept(chain, 2)));
  writeFileSync(file('other.txt'), 'nothing of ours');
  const hubs = await (await TwoHubs.start()).run();
  [homePin, mirrorPin] = [hubs.mirror, hubs.home].map(({ peerRoot }) => peerRoot) as [
    string,
    string,
  ];
  writeFileSync(file('home.json'), JSON.stringify(await hubs.export(hubs.home)));
  writeFileSync(file('mirror.json'), JSON.stringify(await hubs.export(hubs.mirror)));
  hubs.mirror.out[1] = await hubs.signOther(hubs.mirror, hubs.mirror.out[1]!, { ack: 0 });
  writeFileSync(file('lying.json'), JSON.stringify(await hubs.export(hubs.mirror)));
  [browser, phone] = await Promise.all([openBrowser(), openBrowser({ width: 360, dark: true })]);
});
afterAll(async () => {
  await Promise.all([browser?.close(), phone?.close()]);
  rmSync(folder, { recursive: true, force: true });
});

/** The page, loaded, and then without a network. What it asks for later, and what it complains of, is noted. */
const opened = async (of: Browser = browser) => {
  const page = await of.context.newPage();
  const noted: string[] = [];
  page.on('console', (message) => noted.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => noted.push(`error: ${error.message}`));
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
  await page.goto(`${api.world.url}/docs/verify`, { waitUntil: 'networkidle' });
  expect(loaded).toEqual(['/docs/verify', '/docs/pages.css', '/docs/verify-page.js']);
  page.on('request', (request) => noted.push(`request: ${request.url()}`));
  await of.context.setOffline(true);
  return { page, noted };
};

const verdict = async (page: Page, wanted: string): Promise<string> => {
  const shown = page.locator(`.verdict[data-verdict=${wanted}]`);
  await shown.waitFor();
  return shown.innerText();
};

describe.skipIf(!hasBrowser)('/docs/verify, in a browser without a network', () => {
  it('finds a good export valid under its key, and tells what happened', async () => {
    const { page, noted } = await opened();
    await page
      .getByLabel('The fingerprint of the signing key that you trust')
      .fill(`sha256:${pin}`);
    await page.getByLabel('The file', { exact: true }).setInputFiles(file('good.json'));
    expect(await verdict(page, 'valid')).toMatch(/VALID[^]*3 entries[^]*complete as of 2026-/);
    const steps = page.locator('#timeline > li');
    expect(await steps.count()).toBe(3);
    expect(await steps.nth(1).innerText()).toMatch(
      /#2[^]*the performer “builder”°[^]*delivered the work/,
    );
    expect(await steps.nth(1).getByLabel('name not sealed').count()).toBe(1);
    expect(await page.locator('#outcome').innerText()).toContain('FULFILLED');
    expect(await page.locator('#path').innerText()).toBe('new → ACTIVE → FULFILLED');
    const taken = page.locator('.picture path[marker-end="url(#head-taken)"]');
    expect(await taken.count()).toBe(2);
    expect(await page.locator('#checks tr[data-check=signatures]').innerText()).toContain(
      '✓ passed',
    );
    // Evidence is not there before somebody opens it.
    expect(await page.locator('pre').count()).toBe(0);
    await steps.nth(1).getByText('Evidence', { exact: true }).click();
    expect(await steps.nth(1).locator('pre').innerText()).toContain('"invoice": "F-2026-118"');
    expect(await faults(page)).toEqual([]);
    expect(noted).toEqual([]);
    await page.close();
  });

  it('finds a tampered export invalid, and shows at which step', async () => {
    const { page, noted } = await opened();
    await page.locator('#pin').fill(pin);
    await page.locator('#file').setInputFiles(file('tampered.json'));
    expect(await verdict(page, 'invalid')).toMatch(
      /INVALID[^]*1 failure[^]*CHAIN_PAYLOAD_BINDING_MISMATCH at position 2/,
    );
    expect(await page.locator('#timeline > li.broken').getAttribute('data-position')).toBe('2');
    expect(await page.locator('#checks tr[data-check=evidenceBinding]').innerText()).toContain(
      '✗ FAILED',
    );
    expect(await page.locator('#story-title').innerText()).toBe('What the file says happened');
    expect(await faults(page)).toEqual([]);
    expect(noted).toEqual([]);
    await page.close();
  });

  it('says under another key, without one, and of what is no evidence, what is missing', async () => {
    const { page, noted } = await opened();
    await page.locator('#file').setInputFiles(file('good.json'));
    expect(await verdict(page, 'cannot_tell')).toContain('No key that you trust was given');
    await page.locator('#pin').fill('ab'.repeat(32));
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await page.locator('#keys-compared').waitFor();
    const said = await verdict(page, 'cannot_tell');
    expect(said).toMatch(
      new RegExp(
        `✗ Signed by a different key than the one you trust[^]*sha256:${pin}[^]*sha256:(ab){32}[^]*Next: Compare your fingerprint`,
      ),
    );
    expect(said).not.toMatch(/cannot tell/i);
    expect(await faults(page)).toEqual([]);
    await page.locator('#file').setInputFiles(file('other.txt'));
    await page.getByText('the file is no JSON').waitFor();
    expect(await verdict(page, 'cannot_tell')).toMatch(/The file cannot be read[^]*Next: Fetch/);
    expect(noted).toEqual([]);
    await page.close();
  });

  it('explains at the field what a fingerprint is, and takes its usual spellings', async () => {
    const { page, noted } = await opened();
    await page.locator('#file').setInputFiles(file('good.json'));
    await verdict(page, 'cannot_tell');
    const field = page.getByLabel('The fingerprint of the signing key that you trust');
    await field.fill(pin.slice(1));
    await field.press('Enter');
    await page.getByText('This has 63 digits, and a fingerprint has 64.').waitFor();
    expect(await page.locator('#pin-fault').innerText()).toMatch(/Example: sha256:[0-9a-f]{64}\./);
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await page.evaluate('document.activeElement.id'), 'where to go on').toBe('pin');
    // The verdict was about another key. What the file says stays.
    expect(await page.locator('.verdict').count()).toBe(0);
    expect(await page.locator('#summary').isVisible()).toBe(true);
    expect(await faults(page)).toEqual([]);
    for (const text of [
      pin.toUpperCase(),
      ` SHA256:${pin.match(/../g)!.join(':')} `,
      pin.match(/.{4}/g)!.join(' '),
    ]) {
      await field.fill('');
      await field.press('Enter');
      await verdict(page, 'cannot_tell');
      await field.fill(text);
      await field.press('Enter');
      await verdict(page, 'valid');
      expect(await page.locator('#pin-fault').innerText()).toBe('');
      expect(await field.getAttribute('aria-invalid')).toBeNull();
    }
    await page.getByText('More checks for experts').click();
    await page.getByLabel('and its key, by the fingerprint').fill('not a fingerprint');
    await page.locator('#with').setInputFiles(file('home.json'));
    await page.locator('#with-pin-fault').getByText('This is not a fingerprint.').waitFor();
    await page.locator('#keys').setInputFiles(file('good.json'));
    await page.locator('#keys-fault').getByText('not a document of verification keys').waitFor();
    expect(await faults(page)).toEqual([]);
    expect(noted).toEqual([]);
    await page.close();
  });

  it('takes a file that is dropped, and a document of keys, with which a statement alone verifies', async () => {
    const { page, noted } = await opened();
    await page.locator('#keys').setInputFiles(file('keys.json'));
    const dropped = await page.evaluateHandle(
      `(() => { const data = new DataTransfer(); data.items.add(new File([${JSON.stringify(readFileSync(file('kept.json'), 'utf8'))}], 'kept.json')); return data; })()`,
    );
    await page.dispatchEvent('#drop', 'drop', { dataTransfer: dropped });
    expect(await verdict(page, 'valid')).toMatch(/1 entry[^]*signed, not shown to be on a chain/);
    expect(noted).toEqual([]);
    await page.close();
  });

  it('holds the exports of two hubs against each other, each under its own key, in one time line', async () => {
    const { page, noted } = await opened();
    const both = page.locator('#both');
    await page.locator('#pin').fill(homePin);
    await page.locator('#file').setInputFiles(file('home.json'));
    await verdict(page, 'valid');
    expect(await both.count()).toBe(0);
    await page.getByText('More checks for experts').click();
    await page.locator('#with-pin').fill(mirrorPin);
    await page.locator('#with').setInputFiles(file('mirror.json'));
    await page.locator('#both[data-verdict=valid]').waitFor();
    expect(await both.innerText()).toContain('Both files hold and tell the same');
    const steps = page.locator('#both-timeline > li');
    expect(await steps.count()).toBeGreaterThan(10);
    expect(
      new Set(await steps.evaluateAll((all) => all.map((one) => one.getAttribute('data-file')))),
    ).toEqual(new Set(['first', 'other']));
    expect(await faults(page)).toEqual([]);

    const lying = JSON.stringify(readFileSync(file('lying.json'), 'utf8'));
    const dropped = await page.evaluateHandle(
      `(() => { const data = new DataTransfer(); data.items.add(new File([${lying}], 'lying.json')); return data; })()`,
    );
    await page.dispatchEvent('#with-drop', 'drop', { dataTransfer: dropped });
    await page.locator('#both[data-verdict=invalid]').waitFor();
    expect(await page.locator('#failures').first().innerText()).toMatch(/hub \S+ signed both/);
    // The key of one hub vouches for nothing of the other.
    await page.locator('#with-pin').fill(homePin);
    await page.locator('#with').setInputFiles(file('mirror.json'));
    await page.locator('#both[data-verdict=cannot_tell]').waitFor();
    expect(noted).toEqual([]);
    await page.close();
  });

  it('holds statements that somebody kept against the export: chosen, pasted and dropped', async () => {
    const { page, noted } = await opened();
    const results = page.locator('#kept-results > li');
    await page.locator('#pin').fill(pin);
    await page.locator('#file').setInputFiles(file('good.json'));
    await verdict(page, 'valid');
    expect(await results.count()).toBe(0);
    await page.locator('#kept').setInputFiles([file('own-kept.json'), file('kept.json')]);
    await page.getByText('More checks for experts').click();
    await page.locator('#kept-text').fill('{"no": "statement"}');
    await page.locator('#kept-text').blur();
    await results.nth(2).waitFor();
    expect(await results.allInnerTexts()).toEqual([
      expect.stringMatching(/✓ stands in the chain: own-kept.json: the entry at position 2/),
      expect.stringMatching(/cannot be told: kept.json: .* of another record/),
      expect.stringMatching(/cannot be told: the pasted one: .* no signed statement/),
    ]);
    await verdict(page, 'valid');
    expect(await faults(page)).toEqual([]);

    await page.locator('#kept-text').fill('');
    await page.locator('#file').setInputFiles(file('again.json'));
    const statement = JSON.stringify(readFileSync(file('first-kept.json'), 'utf8'));
    const dropped = await page.evaluateHandle(
      `(() => { const data = new DataTransfer(); data.items.add(new File([${statement}], 'first-kept.json')); return data; })()`,
    );
    await page.dispatchEvent('#kept-drop', 'drop', { dataTransfer: dropped });
    expect(await verdict(page, 'invalid')).toContain('the operator signed both');
    expect(await results.allInnerTexts()).toEqual([
      expect.stringMatching(/✗ CONTRADICTS the chain: first-kept.json/),
    ]);
    expect(await page.locator('#checks tr[data-check=keptStatements]').innerText()).toContain(
      '✗ FAILED',
    );
    expect(noted).toEqual([]);
    await page.close();
  });

  it('works by keyboard alone', async () => {
    const { page } = await opened();
    await page.locator('#file').setInputFiles(file('good.json'));
    await page.locator('body').click({ position: { x: 1, y: 1 } });
    const focused = (): Promise<unknown> => page.evaluate('document.activeElement.id');
    const focusedIn = (): Promise<unknown> =>
      page.evaluate("document.activeElement.closest('[id]').id");
    for (let presses = 0; (await focused()) !== 'pin'; presses++) {
      expect(presses).toBeLessThan(10);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.type(pin);
    await page.keyboard.press('Enter');
    await verdict(page, 'valid');
    expect(await focused(), 'the result is where to go on reading').toBe('result');
    const story = page.locator('#timeline details[open]');
    for (let presses = 0; (await story.count()) === 0; presses++) {
      expect(presses).toBeLessThan(10);
      await page.keyboard.press('Tab');
      if ((await focusedIn()) === 'timeline') await page.keyboard.press('Enter');
    }
    await page.locator('#timeline details[open] pre').waitFor();
    expect(await page.locator('#experts[open]').count(), 'stays closed').toBe(0);
    await page.close();
  });

  it('fits a phone in the dark, and shows hostile text as text', async () => {
    const { page, noted } = await opened(phone);
    const hostile = readFileSync(file('good.json'), 'utf8').replaceAll(
      '"name":"builder"',
      `"name":"<img src=x onerror=alert(1)>\\u202e${'x'.repeat(60)}"`,
    );
    writeFileSync(file('hostile.json'), hostile);
    await page.locator('#pin').fill(pin);
    await page.locator('#file').setInputFiles(file('hostile.json'));
    await verdict(page, 'valid');
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.locator('#timeline').innerText()).toContain(
      '<img src=x onerror=alert(1)>\\u202e',
    );
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect(width, 'nothing stands beside the screen').toBeLessThanOrEqual(360);
    expect(await faults(page)).toEqual([]);
    expect(noted).toEqual([]);
    await page.close();
  });
});
