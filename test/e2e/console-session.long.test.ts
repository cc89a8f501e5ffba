import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faults } from '../support/browsers/axe.ts';
import { useApi } from '../support/service/api.ts';
import { hasBrowser, openBrowser, type Browser } from '../support/browsers/browser.ts';
import { goTo, openConsole, signIn } from '../support/browsers/console.ts';
import { ok, openDecided } from '../support/service/world.ts';

const api = useApi();
let desk: Browser;
let decided: string;

beforeAll(async () => {
  if (!hasBrowser) return;
  decided = (await openDecided(api.world, 'accept')).id;
  for (let index = 0; index < 55; index++)
    await ok(api.world.principal.client.post('/v1/records', { type: 'note', criteria: { index } }));
  desk = await openBrowser();
});
afterAll(() => desk?.close());

const principalKey = (): string => api.world.principal.client.key!;
const focused = (page: Page) =>
  page.evaluate<string>(
    `(document.activeElement.id || document.activeElement.textContent || document.activeElement.localName).trim()`,
  );

describe.skipIf(!hasBrowser)('the session of the console', () => {
  it('is over where a machine slept through the time, and a first sign does not bring it back', async () => {
    // A clock is that of all pages of a browser.
    const own = await openBrowser();
    const page = await own.context.newPage();
    await page.clock.install();
    await page.goto(`${api.world.url}/console`);
    await signIn(page, principalKey(), api.fingerprint);
    await page.getByRole('table').waitFor();
    // The clock goes on and no timer runs, as with a lid that was closed; then somebody touches the machine.
    await page.clock.pauseAt(new Date(Date.now() + 60_000));
    await page.clock.setSystemTime(new Date(Date.now() + 3_600_000));
    await page.mouse.down();
    await page.mouse.up();
    await page.getByText('signed out after 15 minutes').waitFor();
    expect(await page.locator('table').count()).toBe(0);
    await own.close();
  });

  it('leaves nothing behind: not the key, not what was read, also not for the button "back"', async () => {
    const { page } = await openConsole(desk, api.world.url, `#/records/${decided}`);
    await signIn(page, principalKey(), api.fingerprint);
    await page.locator('#examined[data-verdict=valid]').waitFor();
    await goTo(page, '#/records');
    await page.getByRole('table').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API key').waitFor();
    await page.goBack();
    await page.getByLabel('API key').waitFor();
    const left = await page.evaluate<string>(
      `JSON.stringify([document.documentElement.outerHTML, window.name, history.state, [...document.querySelectorAll('input')].map(({ value }) => value), Object.keys(window).filter((name) => typeof window[name] === 'string').map((name) => window[name])])`,
    );
    for (const gone of [principalKey(), api.fingerprint, 'FULFILLED'])
      expect(left).not.toContain(gone);
    expect(
      await page.evaluate('navigator.serviceWorker.getRegistrations().then((all) => all.length)'),
    ).toBe(0);
    expect(await page.evaluate('caches.keys().then((all) => all.length)')).toBe(0);
    await page.close();
  });

  it('keeps no key that was typed and not sent, for who comes back to a page that was left', async () => {
    const { page } = await openConsole(desk, api.world.url);
    await page.getByLabel('API key').fill(principalKey());
    await page.goto(`${api.world.url}/docs`);
    await page.goBack();
    await page.getByLabel('API key').waitFor();
    expect(await page.getByLabel('API key').inputValue()).toBe('');
    // Where the browser kept no page, as it was asked when it was left.
    await page.getByLabel('API key').fill(principalKey());
    await page.evaluate(`dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))`);
    expect(await page.getByLabel('API key').inputValue()).toBe('');
    await page.close();
  });

  it("is nobody else's: of a page that opens it, that frames it, or that sends it messages", async () => {
    const evil = await desk.context.newPage();
    await evil.route('https://evil.example/**', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<!doctype html><title>evil</title><iframe src="${api.world.url}/console"></iframe>`,
      }),
    );
    await evil.goto('https://evil.example/');
    const [opened] = await Promise.all([
      evil.context().waitForEvent('page'),
      evil.evaluate(`void (window.opened = window.open('${api.world.url}/console', 'named'))`),
    ]);
    await opened.getByLabel('API key').waitFor();
    await signIn(opened, principalKey());
    await opened.getByRole('table').waitFor();
    expect(await opened.evaluate('window.opener')).toBeNull();
    expect(await evil.evaluate('window.opened.closed')).toBe(true);
    const [, frame] = evil.frames();
    expect(await frame?.locator('#key').count()).toBe(0);
    await opened.evaluate(`postMessage({ type: 'signOut', key: 'x' }, '*')`);
    await opened.getByRole('table').waitFor();
    expect(opened.url()).toBe(`${api.world.url}/console`);
    await opened.close();
    await evil.close();
  });
});

describe.skipIf(!hasBrowser)('the fingerprint at the sign-in', () => {
  const opened = async () => {
    const { page, noted, asked } = await openConsole(desk, api.world.url);
    const field = page.getByLabel('The fingerprint of the signing key that you trust (optional)');
    await page.getByLabel('API key').fill(principalKey());
    const submit = async (text: string) => {
      await field.fill(text);
      await page.getByRole('button', { name: 'Sign in' }).click();
    };
    return { page, noted, asked, field, submit };
  };

  it('is explained next to the field if it is not one, and nothing is sent before', async () => {
    const { page, noted, asked, field, submit } = await opened();
    await submit('my fingerprint');
    await page.getByText('This is not a fingerprint. A fingerprint is a SHA-256').waitFor();
    const fault = page.locator('#pins-fault');
    expect(await fault.innerText()).toMatch(
      /Example: sha256:[0-9a-f]{64}\..*leave the field empty/,
    );
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await field.getAttribute('aria-describedby')).toContain('pins-fault');
    expect(await page.evaluate('document.activeElement.id')).toBe('pins');
    expect(await page.locator('#key-fault').innerText(), 'the key is not at fault').toBe('');
    expect(asked).not.toContain('/v1/auth/me');
    expect(await faults(page)).toEqual([]);
    await submit(api.fingerprint.slice(2));
    await page.getByText('This has 62 digits, and a fingerprint has 64.').waitFor();
    // Somebody put the key into the wrong field: it is not shown again.
    await submit(principalKey());
    await page.getByText('This is not a fingerprint.').waitFor();
    expect(await fault.innerText()).not.toContain(principalKey());
    await submit('');
    await page.getByRole('table').waitFor();
    expect(noted).toEqual([]);
    await page.close();
  });

  it.each([
    ['capitals', (hex: string) => hex.toUpperCase()],
    ['colons and the prefix', (hex: string) => `SHA256:${hex.match(/../g)!.join(':')}`],
    ['spaces', (hex: string) => ` ${hex.match(/.{8}/g)!.join(' ')} `],
  ])('may have %s', async (_what, spelled) => {
    const { page, noted, submit } = await opened();
    await submit(spelled(api.fingerprint));
    await page.getByRole('table').waitFor();
    await goTo(page, `#/records/${decided}`);
    await page.locator('#examined[data-verdict=valid]').waitFor();
    expect(noted).toEqual([]);
    await page.close();
  });
});

describe.skipIf(!hasBrowser)('the console, by keyboard and by ear', () => {
  it('keeps the focus where pages of a list are turned, and says which one is shown', async () => {
    const { page, noted } = await openConsole(desk, api.world.url);
    await signIn(page, principalKey());
    await page.getByText('Page 1; 56 in all').waitFor();
    await page.getByRole('button', { name: 'Next' }).focus();
    for (const number of [2, 3]) {
      await page.keyboard.press('Enter');
      await page.getByText(`Page ${number}; 56 in all`).waitFor();
      expect(await focused(page)).toBe('Next');
    }
    // The last one: the button is off, and still where it was.
    await page.keyboard.press('Enter');
    expect(await page.getByRole('button', { name: 'Next' }).getAttribute('aria-disabled')).toBe(
      'true',
    );
    expect(await focused(page)).toBe('Next');
    await page.getByText('Page 3; 56 in all').waitFor();
    expect(await faults(page)).toEqual([]);
    expect(noted).toEqual([]);
    await page.close();
  });

  it('turns no page by what the page before it said', async () => {
    const { page, noted } = await openConsole(desk, api.world.url);
    await signIn(page, principalKey());
    await page.getByText('Page 1; 56 in all').waitFor();
    // Somebody presses at each sign of the second page, also before its records are there.
    await page.evaluate(`{
      const pager = document.querySelector('.pager');
      const [, next] = pager.querySelectorAll('button');
      new MutationObserver(() => {
        if (pager.textContent.includes('Page 2')) next.click();
      }).observe(pager, { subtree: true, childList: true, characterData: true, attributes: true });
      next.click();
    }`);
    await page.getByText('Page 3; 56 in all').waitFor();
    expect(await page.locator('table tbody tr').count()).toBe(6);
    expect(noted).toEqual([]);
    await page.close();
  });

  it('names each view in its title, and begins where it begins', async () => {
    const { page } = await openConsole(desk, api.world.url);
    expect(await page.title()).toBe('Console');
    await signIn(page, principalKey());
    for (const [hash, title] of [
      ['#/disputes', 'Disputes · Console'],
      [`#/records/${decided}`, 'Record · Console'],
      ['#/attack', 'Records · Console'],
      ['#/health', 'Health · Console'],
    ] as const) {
      await goTo(page, hash);
      await expect.poll(() => page.title()).toBe(title);
      expect(await focused(page)).toBe('main');
    }
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API key').waitFor();
    await expect.poll(() => focused(page)).toBe('main');
    expect(await page.title()).toBe('Console');
    await page.close();
  });

  it('is accessible with colours of the reader, without motion, and at four times its size', async () => {
    const { page, noted } = await openConsole(desk, api.world.url);
    await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 320, height: 256 });
    await signIn(page, api.world.platform.key!, api.fingerprint);
    for (const [hash, shown] of [
      ['#/records', 'table'],
      [`#/records/${decided}`, '#checks'],
      [`#/agents/${api.world.performer.id}`, '.plot canvas'],
      ['#/health', 'dl'],
    ] as const) {
      await goTo(page, hash);
      await page.locator(shown).first().waitFor();
      expect(await faults(page), hash).toEqual([]);
      const [wide, seen] = await page.evaluate<readonly [number, number]>(
        '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
      );
      expect(wide, hash).toBeLessThanOrEqual(seen);
    }
    expect(noted).toEqual([]);
    await page.close();
  });
});

describe('the addresses of the console', () => {
  it('answer under a policy, whatever is asked of them', async () => {
    for (const [method, path] of [
      ['GET', '/console'],
      ['HEAD', '/console'],
      ['GET', '/console/'],
      ['GET', '/Console'],
      ['GET', '//console'],
      ['GET', '/console/..%2fv1'],
      ['GET', '/console/%2e%2e/v1/records'],
      ['GET', '/console/console.html'],
      ['GET', '/console/console.js.map'],
      ['GET', '/console/<script>alert(1)</script>'],
      ['POST', '/console'],
      ['PUT', '/console/console.js'],
      ['GET', '/console/console.js'],
    ] as const) {
      const answer = await fetch(`${api.world.url}${path}`, {
        method,
        headers: { range: 'bytes=0-5' },
        redirect: 'manual',
      });
      const name = `${method} ${path}: ${answer.status}`;
      expect([200, 304, 308, 400, 401, 404, 405], name).toContain(answer.status);
      expect(answer.headers.get('x-content-type-options'), name).toBe('nosniff');
      if (/html|javascript|css/.test(answer.headers.get('content-type') ?? '')) {
        expect(answer.headers.get('content-security-policy'), name).toMatch(/^default-src 'none'/);
        expect(answer.headers.get('cache-control'), name).toBe('no-cache');
      } else
        expect(answer.headers.get('content-type') ?? 'application/problem+json', name).toMatch(
          /^application\/problem\+json/,
        );
    }
  });
});
