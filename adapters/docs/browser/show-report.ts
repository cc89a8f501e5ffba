import { FAILURE_CLASSES, type Failure } from '../../../domain/verification/failure.ts';
import {
  CHECKS,
  type CheckResult,
  type VerificationReport,
  type VerificationSubject,
} from '../../../domain/verification/report.ts';
import { labelOf, noteOf, placeOf, TITLES } from '../../../domain/verification/report-words.ts';
import { el } from './elements.ts';

/** The verdict, with why, in words for somebody who never saw the service. */
export const showVerdict = (report: VerificationReport): HTMLElement =>
  el(
    'div',
    { class: `verdict ${report.verdict}`, 'data-verdict': report.verdict },
    el('h2', {}, HEADINGS[report.verdict]),
    el('p', {}, sentenceOf(report)),
    list(report.reasons),
    report.failures.length > 0 ? failures(report) : null,
    list(report.notes),
  );

const HEADINGS = {
  valid: '✓ VALID',
  invalid: '✗ INVALID',
  cannot_tell: '? CANNOT TELL',
} as const;

const sentenceOf = ({ verdict, trust, subject, failureCount }: VerificationReport): string => {
  switch (verdict) {
    case 'valid':
      return `The ${counted(subject.entries, 'entry', 'entries')} in this file are what the key that you trust vouches for, unchanged${
        subject.completeAsOf === null ? '' : `, and complete as of ${subject.completeAsOf}`
      }.`;
    case 'invalid':
      return `The file was changed, or never was what it claims to be: ${counted(failureCount, 'failure', 'failures')}.`;
    case 'cannot_tell':
      return trust === 'none' && subject.kind !== null
        ? 'No key that you trust was given. Give its fingerprint above, obtained by another way than this file.'
        : 'Nothing is shown against anybody, and nothing is proven.';
  }
};

const FAILURES_SHOWN = 50;

const failures = ({ failures: found, failureCount }: VerificationReport): HTMLElement => {
  const more = failureCount - Math.min(found.length, FAILURES_SHOWN);
  return el(
    'div',
    {},
    el('h3', {}, 'What failed'),
    el('ol', { id: 'failures' }, found.slice(0, FAILURES_SHOWN).map(failure)),
    more > 0 ? el('p', {}, `and ${more} more; notary verify --json lists them`) : null,
  );
};

const failure = (one: Failure): HTMLElement =>
  el(
    'li',
    {},
    el('code', { class: 'failed' }, one.class),
    ` ${placeOf(one)}: ${FAILURE_CLASSES[one.class].meaning}. ${one.detail}.`,
  );

/** What was looked at, check by check. */
export const showChecks = (report: VerificationReport): HTMLElement =>
  el(
    'section',
    { 'aria-labelledby': 'checks-title' },
    el('h2', { id: 'checks-title' }, 'What was checked'),
    subjectOf(report.subject),
    el(
      'table',
      { id: 'checks' },
      el(
        'thead',
        {},
        el('tr', {}, el('th', { scope: 'col' }, 'Result'), el('th', { scope: 'col' }, 'Check')),
      ),
      el(
        'tbody',
        {},
        CHECKS.map((check) => {
          const one = report.checks[check];
          const note = noteOf(check, one);
          return el(
            'tr',
            { 'data-check': check },
            el('td', { class: CLASS[one.result] }, MARKS[one.result]),
            el(
              'td',
              {},
              labelOf(check, report.subject),
              note === '' ? null : el('span', { class: 'muted' }, ` (${note})`),
            ),
          );
        }),
      ),
    ),
  );

const MARKS: Readonly<Record<CheckResult['result'], string>> = {
  passed: '✓ passed',
  failed: '✗ FAILED',
  skipped_no_input: '– skipped',
};
const CLASS: Readonly<Record<CheckResult['result'], string>> = {
  passed: 'passed',
  failed: 'failed',
  skipped_no_input: 'skipped',
};

const subjectOf = ({
  kind,
  chainKey,
  hubId,
  head,
  keyIds,
  evidence,
  records,
}: VerificationSubject): HTMLElement =>
  el(
    'dl',
    {},
    ...row(
      'File',
      kind === null || kind === 'dump' ? 'nothing of ours' : `${TITLES[kind]} ${chainKey ?? '?'}`,
    ),
    ...(records === undefined ? [] : row('Records', `${records}; the first is told below`)),
    ...row('Hub', hubId ?? 'unknown'),
    ...row('Head', head === null ? 'none' : `position ${head.position}, ${head.hash}`),
    ...row('Keys', keyIds.join(', ') || 'none'),
    ...row(
      'Evidence',
      evidence.sealed === 0
        ? 'none was sealed'
        : `${evidence.present} of ${evidence.sealed} pieces in the file`,
    ),
  );

export const row = (name: string, ...value: readonly (Node | string)[]): HTMLElement[] => [
  el('dt', {}, name),
  el('dd', {}, [...value]),
];

const list = (items: readonly string[]): HTMLElement | null =>
  items.length === 0
    ? null
    : el(
        'ul',
        {},
        items.map((text) => el('li', {}, text)),
      );

const counted = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`;
