import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';
import { hasBrowser, openBrowser, type Browser } from '../support/browsers/browser.ts';
import { expectFit, goTo, openConsole, signIn } from '../support/browsers/console.ts';
import { disputePath, openDisputed } from '../support/stories/disputes.ts';
import { addAgent, ok, openDecided } from '../support/service/world.ts';

const api = useApi();
const MARKUP = '"><img src=x onerror=alert(1)><svg/onload=alert(1)>';
const ZALGO = `Z${'\u0301\u0316\u0489'.repeat(60)}`;
const URLS = {
  script: 'javascript:alert(document.domain)',
  data: 'data:text/html,<script>alert(1)</script>',
  blob: 'blob:https://evil.example/1',
  relative: '//evil.example/#/records/../../v1',
};

let desk: Browser;
let phone: Browser;
/** Places of the console with what somebody hostile wrote. */
let places: (readonly [string, string])[];
let deep: string;

beforeAll(async () => {
  if (!hasBrowser) return;
  const { world } = api;
  const agents = await Promise.all(
    [MARKUP, ZALGO, 'W'.repeat(256), '\u05d0\u05d1 1234 \u05d2'].map((name) =>
      addAgent(world.admin, world.orgId, name),
    ),
  );
  const criteria = JSON.parse(
    `{"goal":"g","threshold":5,"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":1,"dangerouslySetInnerHTML":{"__html":"<b>"},"urls":${JSON.stringify(URLS)},"bidi":"\u202e\u2066\u200f","long":"${'w'.repeat(60_000)}"}`,
  ) as Record<string, unknown>;
  const records = [];
  for (const performer of agents)
    records.push(
      await openDecided({ ...world, performer }, 'accept', {
        criteria,
        references: [
          { kind: 'report', uri: 'https://evil.example/%22%3E?x=1#/records', label: MARKUP },
          { kind: 'report', uri: 'urn:x-evil:javascript:alert(1)', label: ZALGO },
        ],
        platform: MARKUP.slice(0, 100),
        platformRef: '../../?key=1#/records/%2e%2e/<b>',
      }),
    );
  const disputed = (await openDisputed(world, {}, { statement: `${MARKUP}\n${ZALGO}` })).id;
  await ok(
    world.principal.client.post(disputePath(disputed, 'evidence'), {
      evidence: { ...URLS, [MARKUP]: MARKUP },
    }),
  );
  let nested = '1';
  for (let level = 0; level < 60; level++) nested = `{"a":${nested}}`;
  const answer = await fetch(`${world.url}/v1/records`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${world.principal.client.key}`,
      'content-type': 'application/json',
    },
    body: `{"type":"note","criteria":${nested}}`,
  });
  const made = (await answer.json()) as { readonly id: string };
  deep = made.id;
  places = [
    ['list', '#/records'],
    ...records.map(({ id }, index) => [`record-${index}`, `#/records/${id}`] as const),
    ...agents.map(({ id }, index) => [`agent-${index}`, `#/agents/${id}`] as const),
    ['dispute', `#/records/${disputed}`],
    ['disputes', '#/disputes'],
    ['agents', '#/agents'],
  ];
  [desk, phone] = await Promise.all([openBrowser(), openBrowser({ width: 320, dark: true })]);
});
afterAll(() => Promise.all([desk?.close(), phone?.close()]));

/** Once everything that a view asks for has come. */
const read = async (page: Page): Promise<void> => {
  await expect.poll(() => page.locator('main').innerText()).not.toMatch(/Reading /);
};

/** Elements, and places that links lead to, which no text may have become. */
const FOREIGN = `[...document.querySelectorAll('script:not([src$="/console.js"],[src="console/console.js"]), img, iframe, object, embed, form[action], base, main style, main link, a')]
  .filter((one) => one.localName !== 'a' || !/^(#\\/(records|agents|disputes|health|attack)|#main|docs)/.test(one.getAttribute('href') ?? ''))
  .map((one) => one.outerHTML.slice(0, 200))`;

describe.skipIf(!hasBrowser)('the console, and what somebody hostile wrote', () => {
  it.each(['desk', 'phone'] as const)(
    'shows it as text, in every view, accessible and no wider than the screen: %s',
    async (size) => {
      const { page, noted } = await openConsole(size === 'desk' ? desk : phone, api.world.url);
      const dialogs: string[] = [];
      page.on('dialog', (dialog) => {
        dialogs.push(dialog.message());
        void dialog.dismiss();
      });
      await signIn(page, api.world.admin.key!, api.fingerprint);
      for (const [name, hash] of places) {
        await goTo(page, hash);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await read(page);
        for (const summary of await page.locator('main summary').all()) await summary.click();
        expect(await page.evaluate(FOREIGN), name).toEqual([]);
        await expectFit(page, `hostile-${name}-${size}`);
      }
      expect(await page.evaluate('({}).polluted ?? null')).toBeNull();
      expect(dialogs).toEqual([]);
      expect(noted).toEqual([]);
      await page.close();
    },
    240_000,
  );

  it('shows content that is nested as deep as the service takes it', async () => {
    const { page, noted } = await openConsole(desk, api.world.url, `#/records/${deep}`);
    await signIn(page, api.world.principal.client.key!, api.fingerprint);
    await page.locator('#examined[data-verdict=valid]').waitFor();
    await page.getByText('Criteria', { exact: true }).first().click();
    expect(await page.getByLabel('Criteria').innerText()).toContain('"a"');
    expect(noted).toEqual([]);
    await page.close();
  });

  it('takes what is no place of the console for its start, and asks nothing by it', async () => {
    for (const hash of [
      '#/records/../../v1/admin/api-keys',
      '#/records/%2e%2e%2fv1',
      `#/agents/${'-'.repeat(36)}x`,
      '#/__proto__',
      '#/constructor/x',
      '#javascript:alert(1)',
      '#//evil.example',
      `#/attack/${'0'.repeat(36)}`,
    ]) {
      const { page, asked, noted } = await openConsole(desk, api.world.url, hash);
      await signIn(page, api.world.principal.client.key!);
      await page.getByRole('table').waitFor();
      expect(
        asked.filter((path) => path.startsWith('/v1')),
        hash,
      ).toEqual(['/v1/auth/me', '/v1/records']);
      expect(noted).toEqual([]);
      await page.close();
    }
  });
});
