import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';
import { hasBrowser, openBrowser, type Browser } from '../support/browsers/browser.ts';
import { expectFit, openConsole, signIn } from '../support/browsers/console.ts';
import { mintKey, ok, openJob } from '../support/service/world.ts';

const api = useApi();

let phone: Browser;
beforeAll(async () => {
  if (hasBrowser) phone = await openBrowser({ width: 360, dark: false });
});
afterAll(() => phone?.close());

const shown = async (id: string, key = api.world.principal.client.key!) => {
  const opened = await openConsole(phone, api.world.url, `#/records/${id}`);
  await signIn(opened.page, key, api.fingerprint);
  await opened.page.getByRole('heading', { name: 'What the service says' }).waitFor();
  return opened;
};

const unfold = (page: Page, step: string): Promise<void> =>
  page.locator('summary', { hasText: step }).click();

const statusOf = async (id: string): Promise<string> =>
  String((await ok(api.world.principal.client.get(`/v1/records/${id}`)))['status']);

/** Of somebody who works for themselves. */
const newJob = async (): Promise<string> => {
  const { id } = await openJob(api.world, { performerAgentId: api.world.principal.id });
  return String(id);
};

describe.skipIf(!hasBrowser)('what a key may do with a record, in the console', () => {
  it('is done by forms, from the work to the verdict, and what was sealed is verified', async () => {
    const id = await newJob();
    const { page, noted } = await shown(id);
    await unfold(page, 'Deliver the work with its evidence');
    const evidence = page.getByLabel('Evidence, a JSON object');
    await evidence.fill('a score of 9');
    await page.getByRole('button', { name: 'Deliver the work' }).click();
    await page.getByText('this is no JSON object, such as').waitFor();
    await expectFit(page, 'steps');
    await evidence.fill('{"score": 9}');
    await page.getByRole('button', { name: 'Deliver the work' }).click();
    await page.getByText('Done and sealed: Deliver the work with its evidence.').waitFor();
    await unfold(page, 'Accept or reject the completion');
    await page.getByLabel('Verdict').selectOption('accept');
    await page.getByLabel('Reason').first().fill('as agreed');
    await page.getByRole('button', { name: 'Accept or reject' }).click();
    await page.getByText('Done and sealed: Accept or reject the completion.').waitFor();
    await page.locator('#examined[data-verdict=valid]').waitFor();
    expect(await page.locator('#path').innerText()).toBe('new → ACTIVE → FULFILLED');
    expect(await statusOf(id)).toBe('FULFILLED');
    expect(noted).toEqual([]);
    await page.close();
  });

  it('is refused on a record that changed since it was shown, in a sentence', async () => {
    const id = await newJob();
    const { page } = await shown(id);
    await ok(
      api.world.principal.client.post(`/v1/records/${id}/completions`, { evidence: { score: 9 } }),
    );
    await unfold(page, 'Withdraw from the record');
    await page.getByRole('button', { name: 'Withdraw from the record' }).click();
    await expect
      .poll(() => page.locator('#steps [role=alert]').allInnerTexts())
      .toContainEqual(expect.stringMatching(/version|changed/));
    expect(await statusOf(id)).toBe('ACTIVE');
    await page.close();
  });

  it('is done once where its answer was lost and it is sent again', async () => {
    const id = await newJob();
    const { page } = await shown(id);
    let isLost = true;
    await page.route(/completions$/, async (route) => {
      if (!isLost) return route.continue();
      await route.fetch();
      return route.abort();
    });
    await unfold(page, 'Deliver the work with its evidence');
    await page.getByLabel('Evidence, a JSON object').fill('{"score": 9}');
    await page.getByRole('button', { name: 'Deliver the work' }).click();
    await page.getByText('The service does not answer.').waitFor();
    isLost = false;
    await page.getByRole('button', { name: 'Deliver the work' }).click();
    await page.getByText('Done and sealed: Deliver the work').waitFor();
    await page.locator('#examined[data-verdict=valid]').waitFor();
    const sealed = page.locator('#chain tbody tr', { hasText: 'COMPLETION_SUBMITTED' });
    expect(await sealed.count()).toBe(1);
    await page.close();
  });

  it('is nothing for a key that only reads', async () => {
    const id = await newJob();
    const { client } = await mintKey(api.world.admin, api.world.principal.id, {
      scopes: ['records:read'],
    });
    const { page, noted } = await shown(id, client.key!);
    await page
      .getByText('nothing that this key may do')
      .or(page.getByText('this key may: view'))
      .waitFor();
    expect(await page.locator('#steps').count()).toBe(0);
    expect(noted).toEqual([]);
    await page.close();
  });
});
