import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';
import { hasBrowser, openBrowser, type Browser } from '../support/browsers/browser.ts';
import { Guide } from '../support/runner/guide.ts';
import { addAgent, openDecided } from '../support/service/world.ts';

const api = useApi();
const guide = Guide.of('console').text;

let browser: Browser;
let planner: Awaited<ReturnType<typeof addAgent>>;

beforeAll(async () => {
  if (!hasBrowser) return;
  // As the demo has it: the planner opens a record that ends well.
  planner = await addAgent(api.world.admin, api.world.orgId, 'planner');
  await openDecided({ ...api.world, principal: planner }, 'accept');
  browser = await openBrowser();
});
afterAll(() => browser?.close());

/** What a step tells a reader to do, by its words. */
const STEPS: readonly (readonly [
  RegExp,
  (page: Page, words: readonly string[]) => Promise<unknown>,
])[] = [
  [/^Open `(.+?)` of/, (page, [path]) => page.goto(`${api.world.url}${path}`)],
  [
    /^Type (.+?) into \*\*(.+?)\*\*\.$/,
    (page, [what, label]) => page.getByLabel(label!).fill(valueOf(what!)),
  ],
  [/^Press \*\*(.+?)\*\*\.$/, (page, [name]) => page.getByRole('button', { name: name! }).click()],
  [
    /^Choose \*\*(.+?)\*\* under \*\*(.+?)\*\*\.$/,
    (page, [option, label]) => page.getByLabel(label!, { exact: true }).selectOption(option!),
  ],
  [
    /^Follow the first record of the list\.$/,
    async (page) => {
      // The list is that of the filter: the one record of the planner.
      await page.getByText('Page 1; 1 in all').waitFor();
      await page.locator('tbody a').first().click();
    },
  ],
  [
    /^Follow \*\*(.+?)\*\*\.$/,
    (page, [name]) => page.getByRole('link', { name: name! }).first().click(),
  ],
  [/^You see \*\*(.+?)\*\*$/, (page, [text]) => page.getByText(text!).first().waitFor()],
  [/^You see \*\*(.+?)\*\*\.$/, (page, [text]) => page.getByText(text!).first().waitFor()],
];

const valueOf = (what: string): string => {
  if (what === "the planner's key") return planner.client.key!;
  if (what === 'the fingerprint') return api.fingerprint;
  throw new Error(`the guide says to type ${what}`);
};

describe.skipIf(!hasBrowser)('the guide "The console"', () => {
  it('is a way through the console that can be gone, step by step', async () => {
    const steps = [...guide.matchAll(/^\d+\. (.+)$/gm)].map(([, step]) => step!);
    expect(steps.length).toBe(15);
    const page = await browser.context.newPage();
    page.setDefaultTimeout(45_000);
    for (const step of steps) {
      const [how] = STEPS.flatMap(([words, act]) => {
        const found = words.exec(step);
        return found ? [() => act(page, found.slice(1))] : [];
      });
      if (!how) throw new Error(`nobody can follow: ${step}`);
      await how();
    }
    await page.getByLabel('API key').waitFor();
    expect(await page.locator('main').innerText()).toContain('What this notary holds');
    await page.close();
  }, 180_000);
});
