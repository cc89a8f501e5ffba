import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';
import { faults } from '../support/browsers/axe.ts';
import { hasBrowser, openBrowser, type Browser } from '../support/browsers/browser.ts';

const api = useApi();
const PAGES = [
  '/docs',
  '/docs/guides/quick-start',
  '/docs/guides/concepts',
  '/docs/guides/errors',
  '/docs/reference',
  '/docs/reference/records',
  '/docs/reference/components',
  '/docs/search?q=verdict',
];

let desk: Browser;
let phone: Browser;

beforeAll(async () => {
  if (hasBrowser)
    [desk, phone] = await Promise.all([openBrowser(), openBrowser({ width: 360, dark: true })]);
});
afterAll(() => Promise.all([desk?.close(), phone?.close()]));

const opened = async (of: Browser, path: string) => {
  const page = await of.context.newPage();
  const noted: string[] = [];
  page.on('console', (message) => noted.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => noted.push(`error: ${error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(api.world.url) && !request.url().startsWith('data:'))
      noted.push(`request: ${request.url()}`);
  });
  await page.goto(`${api.world.url}${path}`, { waitUntil: 'networkidle' });
  return { page, noted };
};

describe.skipIf(!hasBrowser)('the pages of the documentation, in a browser', () => {
  it.each(PAGES)(
    '%s is accessible, fits a phone, and asks nobody else for anything',
    async (path) => {
      for (const of of [desk, phone]) {
        const { page, noted } = await opened(of, path);
        expect(await faults(page)).toEqual([]);
        expect(noted).toEqual([]);
        const [wide, shown] = await page.evaluate<readonly [number, number]>(
          '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
        );
        expect(wide, path).toBeLessThanOrEqual(shown);
        if (process.env['NOTARY_PICTURES']) {
          mkdirSync(process.env['NOTARY_PICTURES'], { recursive: true });
          const name = path.replace(/\W+/g, '-').slice(1);
          await page.screenshot({
            path: `${process.env['NOTARY_PICTURES']}/${name}-${of === desk ? 'desk' : 'phone'}.png`,
          });
        }
        await page.close();
      }
    },
  );

  it('lead from a search to the operation that was looked for', async () => {
    const { page, noted } = await opened(desk, '/docs');
    await page.getByLabel('Words to look for').fill('render verdict');
    await page.getByRole('button', { name: 'Search' }).click();
    await page
      .getByRole('link', { name: /verdict/i })
      .first()
      .click();
    expect(new URL(page.url()).pathname).toMatch(/^\/docs\/(reference|guides)\//);
    const anchor = new URL(page.url()).hash;
    if (anchor !== '') expect(await page.locator(anchor).count()).toBe(1);
    expect(noted).toEqual([]);
    await page.close();
  });
});
