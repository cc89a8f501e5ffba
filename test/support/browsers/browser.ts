import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserContext } from 'playwright-core';

const FOUND = [
  process.env['NOTARY_BROWSER'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path !== undefined && existsSync(path));

/** With REQUIRE_BROWSER=1 a missing browser is an error and not a skip. */
export const hasBrowser = FOUND !== undefined || process.env['REQUIRE_BROWSER'] === '1';

export interface Browser {
  readonly context: BrowserContext;
  close(): Promise<void>;
}

/** A real browser with a new profile, which asks nobody for anything by itself. */
export const openBrowser = async (
  options: { readonly width?: number; readonly dark?: boolean } = {},
): Promise<Browser> => {
  if (FOUND === undefined) throw new Error('REQUIRE_BROWSER=1, and there is no Chromium');
  const profile = mkdtempSync(join(tmpdir(), 'notary-browser-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: FOUND,
    headless: true,
    viewport: { width: options.width ?? 1100, height: 800 },
    colorScheme: options.dark ? 'dark' : 'light',
    acceptDownloads: true,
    args: [
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  return {
    context,
    close: async () => {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
};
