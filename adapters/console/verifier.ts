import { HubKeys } from '../../domain/verification/platform/hub-keys.ts';
import type { VerificationReport } from '../../domain/verification/report/report.ts';
import { wordsOfSituation } from '../../domain/verification/report/situation-words.ts';
import { verifyFile } from '../../domain/verification/verify-file.ts';
import { showLifecycle } from '../docs/browser/show-lifecycle.ts';
import { showChecks, showVerdict } from '../docs/browser/show-report.ts';
import { showStory } from '../docs/browser/show-story.ts';
import { shownEntries } from '../docs/browser/shown-entries.ts';
import { trusted } from '../docs/browser/trusted.ts';

/** What the verifier made of an export, with its parts as elements of the page. */
export interface Examined {
  readonly report: VerificationReport;
  /** Why nothing is proven and what to do next; null if the verdict is valid or invalid. */
  readonly why: string | null;
  readonly verdict: HTMLElement;
  readonly story: HTMLElement | null;
  readonly lifecycle: HTMLElement | null;
  readonly checks: HTMLElement;
  readonly entries: readonly ExaminedEntry[];
}

export interface ExaminedEntry {
  readonly position: number | null;
  readonly entryType: string;
  readonly hash: string;
  readonly previousHash: string;
  readonly signingKeyId: string;
  /** What the verifier found at this position: the class and why. */
  readonly failures: readonly string[];
}

/** More than a person reads; the table of the chain is cut there, the verification never. */
const MAX_ENTRIES = 1_000;
const MAX_STEPS = 1_000;

/**
 * Verifies an export by the verifier that auditors use; nothing is fetched. A part of the console that is loaded with
 * the first record.
 *
 * @param pins fingerprints that the reader trusts, as typed; empty where there are none
 * @throws PinError if they are not fingerprints; the forms of the console refuse those
 */
export const examine = async (
  bytes: Uint8Array,
  pins: string,
  kept: readonly Uint8Array[] = [],
): Promise<Examined> => {
  const trust = trusted(pins, null);
  const report = await verifyFile(bytes, {
    trust,
    keys: new HubKeys(),
    now: new Date().toISOString(),
    kept,
    story: { maxSteps: MAX_STEPS },
  });
  const { story } = report;
  const words = wordsOfSituation(report, 'page');
  const entries = shownEntries(bytes);
  return {
    report,
    why: words && `${words.title}. ${words.next}`,
    verdict: showVerdict(report),
    story: story ? showStory(story, { entries, failures: report.failures }) : null,
    lifecycle: story ? showLifecycle(story.steps) : null,
    checks: showChecks(report),
    entries: [...entries.values()].slice(0, MAX_ENTRIES).map((entry) => examined(entry, report)),
  };
};

export { differencesOf } from './differences.ts';

const examined = (entry: object, report: VerificationReport): ExaminedEntry => {
  const row = entry as Readonly<Record<string, unknown>>;
  const position = typeof row['position'] === 'number' ? row['position'] : null;
  return {
    position,
    entryType: textIn(row['entryType']),
    hash: textIn(row['hash']),
    previousHash: textIn(row['previousHash']),
    signingKeyId: textIn(row['signingKeyId']),
    failures: report.failures
      .filter((failure) => position !== null && failure.position === position)
      .map((failure) => `${failure.class}: ${failure.detail}`),
  };
};

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '?');
