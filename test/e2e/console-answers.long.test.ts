import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';
import { hasBrowser, openBrowser, type Browser } from '../support/browsers/browser.ts';
import { goTo, openConsole, signIn } from '../support/browsers/console.ts';
import { faults } from '../support/browsers/axe.ts';
import { openDisputed } from '../support/stories/disputes.ts';
import { ok, openDecided, openJob } from '../support/service/world.ts';

const api = useApi();
let desk: Browser;
let decided: string;
let disputed: string;
let other: string;

beforeAll(async () => {
  if (!hasBrowser) return;
  const { world } = api;
  decided = (await openDecided(world, 'accept')).id;
  other = (await openDecided(world, 'reject')).id;
  disputed = (await openDisputed(world)).id;
  for (let index = 0; index < 30; index++)
    await ok(world.principal.client.post('/v1/records', { type: 'note', criteria: { index } }));
  desk = await openBrowser();
});
afterAll(() => desk?.close());

const principalKey = (): string => api.world.principal.client.key!;
const platformKey = (): string => api.world.platform.key!;
const alerts = (page: Page) => page.locator('main [role=alert]:not(:empty)');
const examined = (page: Page, verdict: string): Promise<void> =>
  page.locator(`#examined[data-verdict=${verdict}]`).waitFor();

/** What may stand where the service should answer. */
const GARBAGE = [
  { status: 200, body: '{}', contentType: 'application/json' },
  { status: 200, body: 'null', contentType: 'application/json' },
  { status: 200, body: '{"data":[null],"nextCursor":5}', contentType: 'application/json' },
  {
    status: 400,
    body: '{"detail":{"a":1},"errors":"x","suggestion":[]}',
    contentType: 'application/problem+json',
  },
  { status: 502, body: '<html>', contentType: 'text/html' },
] as const;

describe.skipIf(!hasBrowser)('the console, where something else than the service answers', () => {
  it('says so in a sentence, in every view, and never goes blank', async () => {
    const { page, noted } = await openConsole(desk, api.world.url);
    await signIn(page, platformKey(), api.fingerprint);
    for (const answer of GARBAGE)
      for (const [hash, asked] of [
        ['#/records', /\/v1\/records\?/],
        [`#/records/${decided}`, /\/v1\/records\/[^/]+$/],
        [`#/records/${decided}`, /\/chain$/],
        [`#/records/${decided}`, /audit-export/],
        [`#/records/${disputed}`, /\/dispute/],
        ['#/disputes', /\/v1\/disputes/],
        ['#/agents', /\/v1\/admin\/agents/],
        [`#/agents/${api.world.performer.id}`, /\/v1\/agents\/[^/]+$/],
        [`#/agents/${api.world.performer.id}`, /\/reputation/],
        [`#/agents/${api.world.performer.id}`, /\/history/],
        [`#/agents/${api.world.performer.id}`, /\/drift/],
        ['#/health', /\/status$/],
        ['#/health', /\/v1\/admin\/ops-summary/],
        ['#/health', /\/v1\/verification-keys/],
      ] as const) {
        // The view is left before, so that it is read anew.
        await goTo(page, hash === '#/health' ? '#/disputes' : '#/health');
        await page.getByRole('heading', { level: 1, name: /Health|Disputes/ }).waitFor();
        await page.route(asked, (route) => route.fulfill(answer));
        await goTo(page, hash);
        // An export that is none is what the verifier speaks of.
        const said = /audit-export/.test(asked.source)
          ? page.locator('main [role=alert]:not(:empty), #examined[data-verdict=cannot_tell]')
          : alerts(page);
        await said
          .first()
          .waitFor()
          .catch(() => {
            throw new Error(`${hash} says nothing of ${answer.status} ${answer.body} at ${asked}`);
          });
        expect(await page.getByRole('navigation', { name: 'Console' }).count()).toBe(1);
        for (const text of await alerts(page).allInnerTexts())
          expect(text).toMatch(/^\S[^]*[.!?]$/);
        await page.unroute(asked);
      }
    expect(await faults(page)).toEqual([]);
    // What the browser itself says of a status is no fault of the page.
    expect(noted.filter((text) => !/Failed to load resource/.test(text))).toEqual([]);
    await page.close();
  }, 240_000);

  it('takes nobody for signed in by an answer that says nothing of them', async () => {
    const { page, noted } = await openConsole(desk, api.world.url);
    for (const body of ['{}', 'null', '{"scopes":"all","name":1,"role":2}']) {
      await page.route(/auth\/me/, (route) =>
        route.fulfill({ status: 200, body, contentType: 'application/json' }),
      );
      await page.getByLabel('API key').fill(principalKey());
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('Something other than the service answers there').waitFor();
      await page.unroute(/auth\/me/);
    }
    expect(noted).toEqual([]);
    await page.close();
  });

  it('ends the session where a key ends in the middle, and shows nothing more of it', async () => {
    const { page } = await openConsole(desk, api.world.url);
    await signIn(page, principalKey(), api.fingerprint);
    await page.getByRole('table').waitFor();
    await page.route(/\/v1\/records\?/, (route) =>
      route.fulfill({ status: 401, body: '{}', contentType: 'application/problem+json' }),
    );
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('The service does not take this key').waitFor();
    expect(await page.locator('table').count()).toBe(0);
    expect(await page.getByLabel(/The fingerprint/).inputValue()).toBe('');
    expect(await page.title()).toBe('Console');
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main');
    await page.close();
  });
});

describe.skipIf(!hasBrowser)('the console, and answers that do not belong together', () => {
  it('shows the record that was asked for last, however late another one comes', async () => {
    const { page } = await openConsole(desk, api.world.url, `#/records/${decided}`);
    let release = (): void => undefined;
    const late = new Promise<void>((resolve) => (release = resolve));
    const delayed: Promise<void>[] = [];
    await page.route(new RegExp(`${decided}(/audit-export.*|/chain)?$`), (route) => {
      delayed.push(late.then(() => route.continue()).catch(() => undefined));
    });
    await signIn(page, principalKey(), api.fingerprint);
    await page.getByText('Reading the record…').waitFor();
    await goTo(page, `#/records/${other}`);
    await examined(page, 'valid');
    release();
    await Promise.all(delayed);
    await page.getByText('Nothing was delegated').waitFor();
    const words = await page.locator('main').innerText();
    expect(words).toContain(other);
    expect(words).not.toContain(decided);
    await page.close();
  });

  it('holds every member that it shows against the signed chain', async () => {
    const { page } = await openConsole(desk, api.world.url);
    await signIn(page, principalKey(), api.fingerprint);
    const own = /\/v1\/records\/[0-9a-f-]+$/;
    for (const [member, value, words] of [
      ['criteria', { goal: 'ship', threshold: 1 }, 'The criteria that the service shows'],
      ['type', 'note', 'Of the type the service says note'],
      ['contractVersion', 7, 'Of the version of the type'],
      ['publisher', 'somebody', 'Of the publisher of the type'],
      ['principalAgentId', api.world.performer.id, 'Of the principal'],
      ['performerAgentId', api.world.principal.id, 'Of the performer'],
      ['parentRecordId', other, 'Of what it is part of'],
      ['createdAt', '2020-01-01T00:00:00.000Z', 'Of when it was created'],
      ['disputed', true, 'Of whether it is disputed'],
      ['status', 'FAILED', 'The service says FAILED'],
    ] as const) {
      await page.route(own, async (route) => {
        const response = await route.fetch();
        const body = { ...((await response.json()) as object), [member]: value };
        await route.fulfill({ response, json: body });
      });
      await goTo(page, `#/records/${decided}`);
      await page.locator('main').getByText(words).waitFor();
      await examined(page, 'valid');
      expect(await alerts(page).count(), member).toBe(1);
      await goTo(page, '#/disputes');
      await page.unroute(own);
    }
    await page.close();
  }, 180_000);

  it('accuses nobody where the record went on between two answers', async () => {
    const { world } = api;
    const open = String((await openJob(world))['id']);
    const { page } = await openConsole(desk, world.url, `#/records/${open}`);
    let isFirst = true;
    await page.route(/audit-export/, async (route) => {
      if (isFirst) {
        isFirst = false;
        await ok(world.principal.client.post(`/v1/records/${open}/cancel`, { reason: 'late' }));
      }
      await route.continue();
    });
    await signIn(page, principalKey(), api.fingerprint);
    await page.getByText('The record was changed while it was read.').waitFor();
    expect(await alerts(page).count()).toBe(0);
    // A service that says so each time hides nothing by it.
    await page
      .getByText('? The service says ACTIVE, and its signed chain says CANCELLED')
      .waitFor();
    await page.getByRole('button', { name: 'Read it again' }).click();
    await expect
      .poll(() => page.locator('section[aria-labelledby=facts-title] .status').allInnerTexts())
      .toEqual(['CANCELLED']);
    await examined(page, 'valid');
    expect(await alerts(page).count()).toBe(0);
    await page.close();
  });

  it('takes a genuine statement for no export of the record', async () => {
    const { page } = await openConsole(desk, api.world.url, `#/records/${decided}`);
    const { signedStatement } = (await api.world.principal.client.get(`/v1/records/${decided}`))
      .body as { readonly signedStatement: object };
    await page.route(/audit-export/, (route) => route.fulfill({ json: signedStatement }));
    await signIn(page, principalKey(), api.fingerprint);
    await page.getByText('something else of ours in the place of the export').waitFor();
    expect(await page.locator('#chain [data-found=verified]').count()).toBe(0);
    await page.close();
  });

  it('shows the entries that were verified, whatever stands beside them', async () => {
    const { page } = await openConsole(desk, api.world.url, `#/records/${decided}`);
    await page.route(/audit-export/, async (route) => {
      const response = await route.fetch();
      const entries = [{ position: 1, entryType: 'forged-beside', hash: 'f'.repeat(64) }];
      const body = {
        ...((await response.json()) as object),
        records: [{ chain: { entries } }],
      };
      await route.fulfill({ response, json: body });
    });
    await signIn(page, principalKey(), api.fingerprint);
    await page.locator('#examined').waitFor();
    expect(await page.locator('#chain [data-found=verified]').count()).toBe(0);
    expect(await page.locator('#examined').getAttribute('data-verdict')).not.toBe('valid');
    await page.close();
  });
});
