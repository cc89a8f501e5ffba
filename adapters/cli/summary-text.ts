import type { createColors } from 'picocolors';
import { printable } from '../../domain/kernel/printable.ts';
import type { VerificationReport, Verdict } from '../../domain/verification/report/report.ts';
import { coverageText } from './coverage.ts';
import { placeOf } from '../../domain/verification/report/report-words.ts';
import { wordsOfSituation } from '../../domain/verification/report/situation-words.ts';
import type { Verified } from './verified.ts';
import type { OmittedDocuments, VerifiedFiles } from './verified-files.ts';

/** Many files, a line each, and how they came out. */
export const summaryText = (
  { shown, omitted, counts, total, coverage }: VerifiedFiles,
  source: string,
  durationMs: number,
  paint: ReturnType<typeof createColors>,
): string => {
  const marks = {
    valid: paint.green('VALID      '),
    invalid: paint.red('INVALID    '),
    cannot_tell: paint.yellow('CANNOT TELL'),
    different_key: paint.red('OTHER KEY  '),
  } as const;
  const names = shown.map(({ file }) => printable(file));
  const longest = names.reduce((most, { length }) => Math.max(most, length), 0);
  const width = Math.min(MAX_WIDTH, longest);
  const lines = shown.map(
    (one, index) => `  ${marks[markOf(one)]}  ${names[index]!.padEnd(width)}  ${about(one)}`,
  );
  return [
    ...lines,
    ...omitted.map(omittedLine),
    '',
    `  trust  ${printable(source)}`,
    `  covers ${coverageText(coverage)}`,
    `  ${total} files in ${durationMs} ms: ${counts.valid} valid, ${counts.invalid} invalid, ${counts.cannot_tell} cannot be told`,
    '',
  ].join('\n');
};

const MAX_WIDTH = 60;

/** A key that differs has a mark of its own. It counts with those whose verdict is `cannot_tell`. */
const markOf = (one: Verified): Verdict | 'different_key' => {
  if (!('report' in one)) return 'cannot_tell';
  return wordsOfSituation(one.report, 'command')?.isDifferentKey
    ? 'different_key'
    : one.report.verdict;
};

const omittedLine = ({ verdict, class: failureClass, count }: OmittedDocuments): string =>
  `  and ${count} more ${WORDS[verdict]}${failureClass === null ? '' : `, the first failure of each is ${failureClass}`}`;
const WORDS: Readonly<Record<Verdict, string>> = {
  valid: 'valid',
  invalid: 'invalid',
  cannot_tell: 'that cannot be told',
};

const about = (one: Verified): string => {
  if ('unreadable' in one) return printable(one.unreadable);
  const { verdict, failureCount, brokenAt, reasons, notes, subject } = one.report;
  if (verdict === 'invalid' && brokenAt)
    return `${failureCount} ${failureCount === 1 ? 'failure' : 'failures'}, the first ${brokenAt.class} ${placeOf(brokenAt)}`;
  if (verdict === 'cannot_tell') {
    const words = wordsOfSituation(one.report, 'command');
    const { signedBy = [], trusted = [] } = one.report.differentKey ?? {};
    return words?.isDifferentKey
      ? `${words.title}: by ${signedBy.join(', ')}; you trust ${trusted.join(', ')}`
      : (reasons[0] ?? '');
  }
  const { entries, completeAsOf, evidence } = subject;
  return [
    ...storyOf(one.report),
    `${entries} ${entries === 1 ? 'entry' : 'entries'}`,
    ...(completeAsOf === null ? [] : [`complete as of ${completeAsOf}`]),
    ...(evidence.sealed === 0
      ? []
      : [`${evidence.present} of ${evidence.sealed} pieces of evidence`]),
    ...notes,
  ].join(', ');
};

const storyOf = ({ story }: VerificationReport): string[] =>
  story?.record && story.outcome ? [`${story.outcome.status} "${story.record.type}"`] : [];
