import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/service/api.ts';
import { hasBrowser, openBrowser, type Browser } from '../support/browsers/browser.ts';
import { expectFit, goTo, openConsole, signIn } from '../support/browsers/console.ts';
import { processesOf } from '../support/service/processes-of.ts';
import { until } from '../support/peers/receiver.ts';

const api = useApi();
const run = promisify(execFile);
const directory = mkdtempSync(join(tmpdir(), 'notary-console-demo-'));
const isPossible = hasBrowser && process.platform === 'linux';

interface Demo {
  readonly url: string;
  readonly pid: number;
  readonly directory: string;
  readonly signingKeyFingerprint: string;
  readonly platformKey: string;
  readonly attackToken: string;
  readonly fulfilledRecordId: string;
}

let demo: Demo;
let browser: Browser;
let page: Page;
let noted: readonly string[];

beforeAll(async () => {
  if (!isPossible) return;
  const { stdout } = await run(
    process.execPath,
    ['dist/config/main.js', 'demo', '--keep', '--json'],
    { env: { PATH: process.env['PATH'], TMPDIR: directory } },
  );
  demo = JSON.parse(stdout) as Demo;
  browser = await openBrowser();
  ({ page, noted } = await openConsole(browser, demo.url));
  await signIn(page, demo.platformKey, demo.signingKeyFingerprint);
  await goTo(page, '#/attack');
});
afterAll(async () => {
  await browser?.close();
  for (const id of processesOf(directory)) process.kill(Number(id), 'SIGTERM');
  await until(() => processesOf(directory).length === 0);
  rmSync(directory, { recursive: true, force: true });
});

/** The table of the guide: of each attack, who notices it. */
const TABLE = new Map(
  readFileSync('docs/guides/console.md', 'utf8')
    .split('\n')
    .filter((line) => /^\| .* \| (?:yes|no) \|/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .map(([title, reader, head, auditor, scan, kept]) => [
      title!,
      { reader, 'head check': head, auditor, scan, kept },
    ]),
);
const CELLS = { true: 'yes', false: 'no', null: 'later' } as const;

const WITNESSES = ['reader', 'head check', 'auditor', 'scan', 'health', 'kept'] as const;

/** Attacks, and says who noticed and with which words. */
const attacked = async (
  name: string,
): Promise<Partial<Record<(typeof WITNESSES)[number], string>>> => {
  await page.getByLabel('The attack', { exact: true }).selectOption(name);
  await page.getByLabel(/^The record, by id/).fill(demo.fulfilledRecordId);
  await page.getByRole('button', { name: 'Attack', exact: true }).click();
  await page.locator('#attack-outcome[data-over=true]').waitFor({ timeout: 90_000 });
  const rows = page.locator('#attack-outcome tbody tr');
  const told: Partial<Record<(typeof WITNESSES)[number], string>> = {};
  for (const [index, witness] of WITNESSES.entries()) {
    const row = rows.nth(index);
    told[witness] =
      `${await row.getAttribute('data-noticed')}: ${await row.locator('td').last().innerText()}`;
  }
  return told;
};

const restored = async (): Promise<void> => {
  await page.getByRole('button', { name: 'Put the database back' }).click();
  await page.getByText('The database is as it was before the attack.').waitFor();
};

describe.skipIf(!isPossible)('the Attack page of the console of a demo', () => {
  it('opens with the token of this demo alone, and is accessible', async () => {
    const token = page.getByLabel('The attack token that the demo printed');
    await token.fill('attack_another');
    await token.press('Enter');
    await page.getByText('This needs the attack token that the demo printed.').waitFor();
    await token.fill(demo.attackToken);
    await token.press('Enter');
    await page.getByLabel('The attack', { exact: true }).waitFor();
    expect(await page.locator('#attack option').allInnerTexts()).toEqual([...TABLE.keys()]);
    expect(TABLE.size).toBe(10);
    await expectFit(page, 'attack');
  });

  it('takes no refusal for want of time or of a turn for a finding, and says when somebody undid the attack', async () => {
    const problem = (body: object) => ({
      status: 409,
      contentType: 'application/problem+json',
      body: JSON.stringify({ code: 'CONFLICT', ...body }),
    });
    let exports = 0;
    await page.route(/audit-export/, async (route) => {
      // The first one is what is held before the attack.
      if (exports++ === 0) return route.continue();
      return route.fulfill(problem({ reason: 'another', detail: 'Something else is under way' }));
    });
    await page.route(/vault\/scan$/, async (route) => {
      await fetch(`${demo.url}/demo/restorations`, {
        method: 'POST',
        headers: { authorization: `Bearer ${demo.attackToken}` },
      });
      await route.fulfill(
        problem({ reason: 'VAULT_SCAN_IN_FLIGHT', detail: 'A scan is under way' }),
      );
    });
    const told = await attacked('checkpoint-deleted');
    for (const witness of ['head check', 'auditor', 'scan', 'kept'] as const)
      expect(told[witness], witness).toMatch(/^null: 409 CONFLICT, /);
    await page.getByText('Somebody put the database back while they looked').waitFor();
    await page.unroute(/audit-export/);
    await page.unroute(/vault\/scan$/);
  });

  // What each says of it; of health nothing is asked, which looks when its time comes.
  it.each<readonly [string, Partial<Record<(typeof WITNESSES)[number], RegExp>>]>([
    [
      'entry-edited',
      {
        reader: /^false/,
        'head check': /^false/,
        auditor: /^true: CHAIN_HASH_MISMATCH at position 2/,
        scan: /^true: .*CHAIN_HASH_MISMATCH/,
        kept: /^false/,
      },
    ],
    [
      'entry-deleted',
      { auditor: /^true: CHAIN_POSITION_GAP at position 3/, scan: /^true: .*CHAIN_POSITION_GAP/ },
    ],
    [
      'chain-cut',
      {
        'head check': /^true: 409 CHAIN_REWIND_DETECTED, /,
        auditor: /^true: There is no export/,
        scan: /^true/,
        kept: /^true: .*is still valid/,
      },
    ],
    [
      'entries-swapped',
      { auditor: /^true: CHAIN_LINK_BROKEN at position 2/, scan: /^true: .*CHAIN_LINK_BROKEN/ },
    ],
    [
      'status-changed',
      {
        reader: /^false: The service shows FAILED, in the place of FULFILLED/,
        'head check': /^true: 409 CONFLICT, payload_drift: .*\(status\)/,
        scan: /^true: .*records: status/,
      },
    ],
    [
      'record-moved',
      { 'head check': /^true: 409 CONFLICT, payload_drift: .*\(orgId\)/, scan: /^true: .*orgId/ },
    ],
    ['key-swapped', { auditor: /^false: .*valid/, scan: /^true: .*CHAIN_SIGNING_KEY_DRIFT/ }],
    ['checkpoint-deleted', { auditor: /^false: .*valid/, scan: /^true/ }],
    [
      'time-changed',
      {
        auditor: /^true: CHAIN_PAYLOAD_BINDING_MISMATCH at position 1: the entry is dated/,
        scan: /^true: .*the entry is dated/,
      },
    ],
    [
      'rolled-back',
      {
        reader: /^false: The service shows ACTIVE, in the place of FULFILLED/,
        'head check': /^false/,
        // A copy of the past is genuine: only who holds something from after it can tell.
        auditor: /^false: .*valid/,
        kept: /^(null|true): .*kept statement.*(beyond the head|is missing)/,
      },
    ],
  ])(
    '%s: who notices, and what the evidence says',
    async (name, expected) => {
      const told = await attacked(name);
      const title = await page.locator('#outcome-title').innerText();
      await restored();
      for (const [witness, words] of Object.entries(expected))
        expect(told[witness as keyof typeof expected], witness).toMatch(words);
      for (const [witness, cell] of Object.entries(
        TABLE.get(title) ?? { title: 'the guide knows' },
      )) {
        const [noticed] = told[witness as keyof typeof told]!.split(':');
        // A statement that is older than five minutes tells at once.
        const says = cell === 'later' && noticed === 'true' ? 'later' : CELLS[noticed as 'true'];
        expect(says, `${title}: ${witness}`).toBe(cell);
      }
      expect(noted.filter((text) => !/40[19]/.test(text))).toEqual([]);
    },
    150_000,
  );

  it('leaves the record as it was, valid to its end', async () => {
    await goTo(page, `#/records/${demo.fulfilledRecordId}`);
    await page.locator('#examined[data-verdict=valid]').waitFor();
    expect(await page.locator('#path').innerText()).toMatch(/FULFILLED$/);
  });

  it('is no part of a service: neither its routes nor its page', async () => {
    const { url, platform } = api.world;
    for (const [method, path] of [
      ['GET', '/demo/attacks'],
      ['POST', '/demo/copies'],
      ['POST', '/demo/restorations'],
      ['POST', `/demo/attacks/status-changed/${demo.fulfilledRecordId}`],
    ] as const)
      expect((await platform.call(method, path)).status, path).toBe(404);
    expect(await (await fetch(`${url}/console`)).text()).not.toContain('data-attacks');
    expect(await (await fetch(`${demo.url}/console`)).text()).toContain('data-attacks');
    const opened = await openConsole(browser, url, '#/attack');
    await signIn(opened.page, platform.key!);
    await opened.page.getByRole('heading', { level: 1, name: 'Records' }).waitFor();
    expect(await opened.page.getByRole('navigation').innerText()).not.toContain('Attack');
    await opened.page.close();
  });

  it('leaves nothing of its token where others find it', async () => {
    const log = readFileSync(join(demo.directory, 'notary.log'), 'utf8');
    expect(log).toContain('/demo/attacks');
    expect(log).not.toContain(demo.attackToken);
    expect(existsSync(join(demo.directory, 'attack-token'))).toBe(false);
    const answer = await fetch(`${demo.url}/demo/attacks`, {
      headers: { authorization: `Bearer ${demo.platformKey}` },
    });
    expect(answer.status).toBe(401);
  });
});
