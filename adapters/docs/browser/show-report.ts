import { FAILURE_CLASSES, type Failure } from '../../../domain/verification/report/failure.ts';
import {
  CHECKS,
  type CheckResult,
  type VerificationReport,
  type VerificationSubject,
} from '../../../domain/verification/report/report.ts';
import {
  labelOf,
  noteOf,
  placeOf,
  TITLES,
} from '../../../domain/verification/report/report-words.ts';
import {
  furtherReasons,
  wordsOfSituation,
} from '../../../domain/verification/report/situation-words.ts';
import { el } from './elements.ts';

/** The verdict, with why, in words for somebody who never saw the service. */
export const showVerdict = (report: VerificationReport): HTMLElement =>
  el(
    'div',
    {
      class: `verdict ${report.verdict}${report.differentKey ? ' different' : ''}`,
      'data-verdict': report.verdict,
    },
    ...(report.verdict === 'cannot_tell'
      ? situation(report)
      : [el('h2', {}, HEADINGS[report.verdict]), el('p', {}, sentenceOf(report))]),
    list(furtherReasons(report)),
    report.failures.length > 0 ? failures(report) : null,
    report.verdict === 'valid' ? list(report.notes) : null,
  );

const HEADINGS = {
  valid: '✓ VALID',
  invalid: '✗ INVALID',
} as const;

const sentenceOf = ({ verdict, subject, failureCount }: VerificationReport): string =>
  verdict === 'valid'
    ? `The ${counted(subject.entries, 'entry', 'entries')} in this file are what the key that you trust vouches for, unchanged${
        subject.completeAsOf === null ? '' : `, and complete as of ${subject.completeAsOf}`
      }.`
    : `The file was changed, or never was what it claims to be: ${counted(failureCount, 'failure', 'failures')}.`;

/** Why nothing is proven, what is missing, and what the reader does next. */
const situation = (report: VerificationReport): readonly (HTMLElement | null)[] => {
  const words = wordsOfSituation(report, 'page');
  if (!words) return [];
  const { title, isDifferentKey, missing, next } = words;
  const keys = isDifferentKey ? report.differentKey : undefined;
  return [
    el('h2', {}, `${isDifferentKey ? '✗' : '?'} ${title}`),
    keys
      ? el(
          'dl',
          { id: 'keys-compared' },
          ...row('Signed by', ...codes(keys.signedBy)),
          ...row('You trust', ...codes(keys.trusted)),
        )
      : null,
    el('p', {}, missing),
    el('p', { class: 'next' }, el('strong', {}, 'Next: '), next),
  ];
};

const codes = (names: readonly string[]): HTMLElement[] =>
  names.map((text) => el('div', {}, el('code', {}, text)));

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
    report.verdict === 'valid' ? null : list(report.notes),
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
