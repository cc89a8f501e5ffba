import pixelmatch from 'pixelmatch';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';
import { hasBrowser, openBrowser, type Browser } from '../support/browsers/browser.ts';
import { expectFit, goTo, openConsole, signIn } from '../support/browsers/console.ts';
import { openDisputed } from '../support/stories/disputes.ts';
import { openChild } from '../support/stories/tree.ts';
import { mintKey, ok, openDecided, openJob, unknownKey } from '../support/service/world.ts';

const api = useApi();
const HOSTILE = '<img src=x onerror="document.title=`owned`"><b>\u202e</b>';

let desk: Browser;
let phone: Browser;
let decided: string;
let disputed: string;
let root: string;
const children: string[] = [];

beforeAll(async () => {
  if (!hasBrowser) return;
  const { world } = api;
  decided = (await openDecided(world, 'accept', { criteria: { goal: HOSTILE, threshold: 5 } })).id;
  await openDecided(world, 'reject');
  disputed = (await openDisputed(world, {}, { statement: HOSTILE.replace('\u202e', '') })).id;
  root = String((await openJob(world))['id']);
  for (let index = 0; index < 3; index++)
    children.push(String((await openChild(world, root, world.principal))['id']));
  for (let index = 0; index < 30; index++)
    await ok(world.principal.client.post('/v1/records', { type: 'note', criteria: { index } }));
  [desk, phone] = await Promise.all([openBrowser(), openBrowser({ width: 360, dark: true })]);
});
afterAll(() => Promise.all([desk?.close(), phone?.close()]));

const keyOf = (client: { readonly key: string | null }): string => client.key!;
const principalKey = (): string => keyOf(api.world.principal.client);
const platformKey = (): string => keyOf(api.world.platform);

const signedIn = async (key: string, hash = '', pins = '', of = desk) => {
  const opened = await openConsole(of, api.world.url, hash);
  await signIn(opened.page, key, pins);
  return opened;
};

const examined = async (page: Page, verdict: string): Promise<void> =>
  page.locator(`#examined[data-verdict=${verdict}]`).waitFor();

describe.skipIf(!hasBrowser)('the console, in a browser', () => {
  it('loads less than 150 KB before the first list, and nothing of others', async () => {
    const page = await desk.context.newPage();
    let bytes = 0;
    const paths: string[] = [];
    page.on('response', async (response) => {
      paths.push(new URL(response.url()).pathname);
      bytes += (await response.body().catch(() => Buffer.alloc(0))).length;
    });
    await page.goto(`${api.world.url}/console`, { waitUntil: 'networkidle' });
    expect(paths).toEqual(['/console', '/console/console.css', '/console/console.js']);
    await signIn(page, principalKey());
    await page.getByRole('table').waitFor();
    expect(paths.slice(3)).toEqual(['/v1/auth/me', '/v1/records']);
    // Decoded, so of what is sent it is a multiple.
    expect(bytes).toBeLessThan(150_000);
    await page.close();
  });

  it('lets no text become markup or a script, and nothing frame it', async () => {
    const answer = await fetch(`${api.world.url}/console`);
    const policy = answer.headers.get('content-security-policy') ?? '';
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ])
      expect(policy).toContain(rule);
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    const { page } = await openConsole(desk, api.world.url);
    expect(
      await page.evaluate(
        `(() => { try { document.body.innerHTML = '<b>owned</b>'; return 'taken'; } catch (error) { return error.name; } })()`,
      ),
    ).toBe('TypeError');
    await page.close();
  });

  it('says in a sentence that the service is away, or that something else answers', async () => {
    const { page } = await openConsole(desk, api.world.url);
    await page.route(/auth\/me/, (route) => route.abort());
    await page.getByLabel('API key').fill(principalKey());
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('The service does not answer.').waitFor();
    await page.unroute(/auth\/me/);
    await page.route(/auth\/me/, (route) => route.fulfill({ body: '<html>', status: 200 }));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Something other than the service answers there.').waitFor();
    await page.close();
  });

  it('tells in a sentence what is wrong with a key, and signs in by keyboard', async () => {
    const { page, noted } = await openConsole(desk, api.world.url);
    const key = page.getByLabel('API key');
    await key.fill('not a key, but words with ü');
    await key.press('Enter');
    await page.getByText('This is no API key: a key is one word').waitFor();
    await key.fill(unknownKey());
    await key.press('Enter');
    await page.getByText('The service does not take this key').waitFor();
    // The browser itself says that an answer was 401.
    expect(noted.filter((text) => !text.includes('401'))).toEqual([]);
    await key.fill(principalKey());
    await key.press('Enter');
    await page.getByRole('table').waitFor();
    await page.locator('tbody a').first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: /^Record / }).waitFor();
    await page.close();
  });

  it('keeps the key in memory alone, and forgets it with the page, the button and the time', async () => {
    const page = await desk.context.newPage();
    await page.clock.install();
    await page.goto(`${api.world.url}/console`);
    await signIn(page, principalKey(), api.fingerprint);
    await page.getByRole('table').waitFor();
    const places = await page.evaluate<string>(
      `JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, history.state, document.documentElement.outerHTML, [...document.querySelectorAll('input')].map(({ value }) => value)])`,
    );
    expect(places).not.toContain(principalKey());
    expect(JSON.parse(places).slice(0, 3)).toEqual([{}, {}, '']);
    expect(await page.evaluate('indexedDB.databases()')).toEqual([]);
    expect((await desk.context.cookies()).length).toBe(0);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API key').waitFor();
    expect(await page.locator('table').count()).toBe(0);
    await signIn(page, principalKey());
    await page.clock.fastForward('16:00');
    await page.getByText('signed out after 15 minutes').waitFor();
    await signIn(page, principalKey());
    await page.reload();
    await page.getByLabel('API key').waitFor();
    await page.close();
  });

  it('lists records by filters and cursors, and says what is wrong with a filter', async () => {
    const { page, noted } = await signedIn(principalKey());
    await page.getByText(/Page 1; 3\d in all/).waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText(/Page 2; /).waitFor();
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByText(/Page 1; /).waitFor();
    await page.getByLabel('Status', { exact: true }).selectOption('FULFILLED');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByText('Page 1; 2 in all').waitFor();
    expect(await page.locator('tbody .status').allInnerTexts()).toEqual(['FULFILLED', 'FULFILLED']);
    await page.getByLabel('Disputed').selectOption('true');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByText('Page 1; 1 in all').waitFor();
    expect(noted).toEqual([]);
    await page.getByLabel('Performer, by id').fill('nobody');
    await page.getByRole('button', { name: 'Show' }).click();
    expect(await page.getByRole('alert').innerText()).toMatch(/^[A-Z].*\.$/s);
    await page.close();
  });

  it('verifies every entry of a record under the fingerprint of its reader, and draws its path', async () => {
    const { page, noted } = await signedIn(principalKey(), `#/records/${decided}`, api.fingerprint);
    await examined(page, 'valid');
    const rows = page.locator('#chain tbody tr');
    expect(await rows.count()).toBeGreaterThanOrEqual(3);
    expect(await page.locator('#chain [data-found=verified]').count()).toBe(await rows.count());
    expect(await page.locator('#trust-basis').innerText()).toContain(
      'the fingerprint that you gave',
    );
    expect(await page.locator('#path').innerText()).toBe('new → ACTIVE → FULFILLED');
    expect(await page.locator('.picture path[marker-end="url(#head-taken)"]').count()).toBe(2);
    // What others wrote is text, whatever it looks like.
    expect(await page.locator('main img').count()).toBe(0);
    expect(await page.title()).toBe('Record · Console');
    await page.getByText('Criteria', { exact: true }).first().click();
    expect(await page.getByLabel('Criteria').innerText()).toContain('\\u{202e}');
    await expectFit(page, 'record');
    expect(noted).toEqual([]);
    await page.close();
  });

  it('claims nothing without a fingerprint, and refuses what is none', async () => {
    const { page, noted } = await signedIn(principalKey(), `#/records/${decided}`);
    await examined(page, 'cannot_tell');
    expect(await page.locator('#trust-basis').innerText()).toMatch(/Trust: none.*sha256:/s);
    expect(await page.locator('#chain [data-found=verified]').count()).toBe(0);
    const pin = page.getByLabel('The fingerprint of the signing key that you trust').first();
    await pin.fill('abc');
    await pin.press('Enter');
    await page.getByText('This has 3 digits, and a fingerprint has 64.').waitFor();
    expect(await pin.getAttribute('aria-invalid')).toBe('true');
    // What was verified before stays, because the text changed nothing.
    await examined(page, 'cannot_tell');
    await pin.fill(api.fingerprint);
    await pin.press('Enter');
    await examined(page, 'valid');
    expect(noted).toEqual([]);
    await page.close();
  });

  it('shows a chain that was changed on its way as not valid, at its entry', async () => {
    const { page, noted } = await openConsole(desk, api.world.url, `#/records/${decided}`);
    await page.route(/audit-export/, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace('"score":9', '"score":8');
      await route.fulfill({ response, body });
    });
    await signIn(page, principalKey(), api.fingerprint);
    await examined(page, 'invalid');
    const broken = page.locator('#chain [data-found=broken]');
    expect(await broken.count()).toBe(1);
    expect(await broken.innerText()).toContain('CHAIN_PAYLOAD_BINDING_MISMATCH');
    expect(noted).toEqual([]);
    await page.close();
  });

  it('holds what the service says against what its chain says', async () => {
    const { page } = await openConsole(desk, api.world.url, `#/records/${decided}`);
    await page.route(/\/v1\/records\/[0-9a-f-]+$/, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace('"status":"FULFILLED"', '"status":"FAILED"');
      await route.fulfill({ response, body });
    });
    await signIn(page, principalKey(), api.fingerprint);
    await page.getByText('The service says FAILED, and its signed chain says FULFILLED').waitFor();
    await page.unroute(/\/v1\/records\/[0-9a-f-]+$/);
    await page.route(/audit-export/, async (route) => {
      const other = route.request().url().replace(decided, disputed);
      await route.fulfill({ response: await route.fetch({ url: other }) });
    });
    await goTo(page, '#/records');
    await page.getByRole('table').waitFor();
    await goTo(page, `#/records/${decided}`);
    await page.getByText(`the chain of another record, ${disputed}`).waitFor();
    await page.close();
  });

  it('draws the delegation tree, each record where its parent is above it, and leads to a child', async () => {
    const { page, noted } = await signedIn(principalKey(), `#/records/${root}`);
    const boxes = page.locator('svg.tree a');
    await expect.poll(() => boxes.count()).toBe(4);
    expect(await page.locator('svg.tree path').count()).toBe(3);
    const places = await page
      .locator('svg.tree rect')
      .evaluateAll((all) =>
        all.map((one) => [Number(one.getAttribute('x')), Number(one.getAttribute('y'))] as const),
      );
    const [top, ...below] = places as [readonly [number, number], ...(readonly [number, number])[]];
    const xs = below.map(([x]) => x).sort((a, b) => a - b);
    expect(new Set(below.map(([, y]) => y)).size).toBe(1);
    expect(below[0]![1]).toBeGreaterThan(top[1]);
    // The root stands above the middle of three that do not overlap.
    expect(xs[1]).toBe(top[0]);
    expect(xs[1]! - xs[0]!).toBeGreaterThan(200);
    await boxes.last().click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(children.some((id) => page.url().endsWith(`#/records/${id}`))).toBe(true);
    expect(noted).toEqual([]);
    await page.close();
  });

  it('draws the same picture of the same record, and another one of another', async () => {
    const pictureOf = async (id: string): Promise<PNG> => {
      const { page } = await signedIn(principalKey(), `#/records/${id}`, api.fingerprint);
      await page.locator('figure.picture svg').waitFor();
      const picture = await page
        .locator('figure.picture svg')
        .screenshot({ animations: 'disabled' });
      await page.close();
      return PNG.sync.read(picture);
    };
    const differing = ({ data, width, height }: PNG, other: PNG): number => {
      expect([other.width, other.height]).toEqual([width, height]);
      return pixelmatch(data, other.data, undefined, width, height, { threshold: 0.2 });
    };
    const first = await pictureOf(decided);
    // Drawn once more by the same browser; what is compared is never a picture of another machine.
    expect(differing(first, await pictureOf(decided))).toBeLessThan(50);
    expect(differing(first, await pictureOf(root))).toBeGreaterThan(1_000);
  });

  it('shows disputes, and of a record its dispute', async () => {
    const { page, noted } = await signedIn(principalKey(), '#/disputes');
    await page.locator(`tbody a[href$="${disputed}"]`).click();
    await page.getByRole('heading', { name: 'Dispute', exact: true }).waitFor();
    const section = page.locator('section[aria-labelledby=dispute-title]');
    await expect.poll(() => section.innerText()).toContain('EVIDENCE_WINDOW');
    expect(await page.locator('main img').count()).toBe(0);
    await goTo(page, '#/disputes');
    await page.getByLabel('Which').selectOption('ended');
    await page.getByText('There is no such dispute.').waitFor();
    expect(noted).toEqual([]);
    await page.close();
  });

  it('plots how an agent does, with the values beside the picture', async () => {
    const { page, noted } = await signedIn(
      keyOf(api.world.admin),
      `#/agents/${api.world.performer.id}`,
    );
    await expect.poll(() => page.locator('.plot canvas').count()).toBe(2);
    expect(
      await page.locator('section[aria-labelledby=reputation-title] tbody tr').first().innerText(),
    ).toMatch(/all[^]*2\s+1\s/);
    // A canvas on which nothing was drawn has no point that is not clear.
    const drawn = await page.locator('.plot canvas').evaluateAll((all) =>
      (all as { getContext(kind: '2d'): any; width: number; height: number }[]).map((one) =>
        one
          .getContext('2d')
          .getImageData(0, 0, one.width, one.height)
          .data.some((value: number) => value > 0),
      ),
    );
    expect(drawn).toEqual([true, true]);
    expect(noted).toEqual([]);
    await page.close();
  });

  it('shows the health of the vault to a platform key, and says to others that it does not', async () => {
    const operator = await signedIn(platformKey(), '#/health');
    await operator.page.getByRole('heading', { name: 'Vault' }).waitFor();
    const main = operator.page.locator('main');
    await expect.poll(() => main.innerText()).toContain(api.fingerprint);
    await operator.page.close();
    const { page } = await signedIn(principalKey(), '#/health');
    await page.getByText('is shown to a platform key').waitFor();
    await page.close();
  });

  it('shows a key what it may read, and says what it may not', async () => {
    const { client } = await mintKey(api.world.admin, api.world.principal.id, {
      scopes: ['records:read'],
    });
    const { page, noted } = await signedIn(keyOf(client), `#/records/${decided}`);
    await page.getByText('This key may not export the chain').waitFor();
    expect(await page.getByRole('navigation').innerText()).toMatch(/^Records\s+Health$/);
    await goTo(page, '#/records/00000000-0000-7000-8000-000000000000');
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').innerText()).toMatch(/^[A-Z].*\.$/s);
    expect(noted.filter((text) => !text.includes('404'))).toEqual([]);
    await page.close();
  });

  it('is accessible and fits a phone, every view of it', async () => {
    for (const of of [desk, phone]) {
      const { page, noted } = await openConsole(of, api.world.url);
      const size = of === desk ? 'desk' : 'phone';
      await expectFit(page, `sign-in-${size}`);
      await signIn(page, platformKey(), api.fingerprint);
      for (const [name, hash, shown] of [
        ['records', '#/records', 'table'],
        ['one', `#/records/${root}`, '#checks'],
        ['disputed', `#/records/${disputed}`, 'section[aria-labelledby=dispute-title] dl'],
        ['disputes', '#/disputes', 'table'],
        ['agents', '#/agents', 'table'],
        ['agent', `#/agents/${api.world.performer.id}`, '.plot canvas >> nth=1'],
        ['health', '#/health', 'dl'],
      ] as const) {
        await goTo(page, hash);
        await page.locator(shown).first().waitFor();
        await expectFit(page, `${name}-${size}`);
      }
      expect(noted).toEqual([]);
      await page.close();
    }
  }, 240_000);
});
