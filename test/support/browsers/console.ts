import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { faults } from './axe.ts';
import type { Browser } from './browser.ts';

/** The console in a page of its own, and all that it complained of or asked elsewhere. */
export interface OpenConsole {
  readonly page: Page;
  readonly noted: readonly string[];
  /** The paths that were asked for, in order. */
  readonly asked: readonly string[];
}

export const openConsole = async (of: Browser, url: string, hash = ''): Promise<OpenConsole> => {
  const page = await of.context.newPage();
  page.setDefaultTimeout(45_000);
  const noted: string[] = [];
  const asked: string[] = [];
  page.on('console', (message) => noted.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => noted.push(`error: ${error.message}`));
  page.on('request', (request) => {
    const place = request.url();
    if (place.startsWith('data:')) return;
    if (place.startsWith(url)) asked.push(new URL(place).pathname);
    else noted.push(`request: ${place}`);
  });
  await page.goto(`${url}/console${hash}`, { waitUntil: 'load' });
  await page.getByLabel('API key').waitFor();
  return { page, noted, asked };
};

export const signIn = async (page: Page, key: string, pins = ''): Promise<void> => {
  await page.getByLabel('API key').fill(key);
  await page.getByLabel(/The fingerprint of the signing key/).fill(pins);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Console' }).waitFor();
};

/** Follows a link of the console to a place, by its address. */
export const goTo = async (page: Page, hash: string): Promise<void> => {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
};

/** Accessible, and no wider than the screen. A picture of it is kept where NOTARY_PICTURES says. */
export const expectFit = async (page: Page, name: string): Promise<void> => {
  expect(await faults(page), name).toEqual([]);
  const [wide, shown] = await page.evaluate<readonly [number, number]>(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  );
  expect(wide, name).toBeLessThanOrEqual(shown);
  const folder = process.env['NOTARY_PICTURES'];
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/console-${name}.png`, fullPage: true });
};
