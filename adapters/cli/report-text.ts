import type { createColors } from 'picocolors';
import { FAILURE_CLASSES, type Failure } from '../../domain/verification/report/failure.ts';
import { printable } from '../../domain/kernel/printable.ts';
import { labelOf, noteOf, placeOf, TITLES } from '../../domain/verification/report/report-words.ts';
import {
  furtherReasons,
  wordsOfSituation,
} from '../../domain/verification/report/situation-words.ts';
import { storyText } from './story-text.ts';
import {
  CHECKS,
  type CheckResult,
  type KeptOutcome,
  type VerificationReport,
  type VerificationSubject,
} from '../../domain/verification/report/report.ts';

type Paint = ReturnType<typeof createColors>;

export interface NamedOutcome extends KeptOutcome {
  readonly file: string;
}

type NamedReport = Omit<VerificationReport, 'kept'> & { readonly kept: readonly NamedOutcome[] };

/** Each with the file that it is about. */
export const namedKept = (
  outcomes: readonly KeptOutcome[],
  files: readonly string[] = [],
): NamedOutcome[] => outcomes.map((outcome, index) => ({ file: files[index] ?? '', ...outcome }));

/** One report, as a person reads it. */
export const reportText = (
  report: NamedReport,
  source: string,
  durationMs: number,
  paint: Paint,
): string => {
  const { subject, kept } = report;
  const lines = [
    ...(subject.kind === null ? [] : head(report, source, paint)),
    ...spaced(failureLines(report, paint)),
    ...spaced(
      kept.map(
        ({ file, result, detail }) => `  ${marks(paint)[result]}  ${printable(file)}: ${detail}`,
      ),
    ),
    ...spaced(furtherReasons(report).map((reason) => `  ${paint.yellow(reason)}`)),
    finalLine(report, durationMs, paint),
  ];
  return `${lines.join('\n')}\n`;
};

const FAILURES_SHOWN = 50;

/** The first ones; how many more there are is said. */
export const failureLines = (
  { failures, failureCount }: Pick<NamedReport, 'failures' | 'failureCount'>,
  paint: Paint,
  limit = FAILURES_SHOWN,
): string[] => {
  const shown = failures.slice(0, limit);
  const more = failureCount - shown.length;
  return [
    ...shown.map((failure) => failureLine(failure, paint)),
    ...(more > 0
      ? [`  and ${more} ${more === 1 ? 'failure' : 'failures'} more; --json lists up to 10,000`]
      : []),
  ];
};

const spaced = (lines: readonly string[]): string[] => (lines.length > 0 ? [...lines, ''] : []);

const marks = (paint: Paint): Readonly<Record<CheckResult['result'], string>> => ({
  passed: paint.green('passed '),
  failed: paint.red('FAILED '),
  skipped_no_input: paint.dim('skipped'),
});

const head = (report: NamedReport, source: string, paint: Paint): string[] => {
  const { subject, checks, story } = report;
  const isExport = subject.kind === 'audit-export' || subject.kind === 'attestation';
  return [
    titleOf(report, paint),
    '',
    ...(story ? storyText(story, paint, { more: '; notary show tells more of them' }) : []),
    paint.bold('What was checked'),
    `  hub       ${subject.hubId ?? 'unknown'}`,
    ...(subject.records === undefined
      ? []
      : [`  records   ${subject.records}, the one above and those below it`]),
    `  entries   ${subject.entries}${subject.head ? `, head ${subject.head.hash}` : ''}`,
    ...(subject.dump ? dumpLines(subject.dump, subject) : []),
    ...(isExport
      ? [`  complete  ${completeness(subject)}`, `  evidence  ${evidence(subject)}`]
      : []),
    `  keys      ${subject.keyIds.join(', ') || 'none'}`,
    `  trust     ${printable(source)}`,
    '',
    ...CHECKS.map(
      (check) =>
        `  ${marks(paint)[checks[check].result]}  ${labelOf(check, subject)}${paint.dim(bracketed(noteOf(check, checks[check])))}`,
    ),
    '',
  ];
};

/** What the file is. */
export const titleOf = ({ subject }: Pick<NamedReport, 'subject'>, paint: Paint): string =>
  subject.kind === 'dump'
    ? paint.bold('Dump of the vault')
    : `${paint.bold(TITLES[subject.kind ?? 'signed-statement'])} ${subject.chainKey ?? 'unknown'}`;

const bracketed = (note: string): string => (note === '' ? '' : ` (${note})`);

const dumpLines = (
  { chains, checkpoints, reads, root }: NonNullable<VerificationSubject['dump']>,
  subject: VerificationSubject,
): string[] => [
  `  chains    ${chains}`,
  `  log       ${checkpoints} checkpoints, root ${root}`,
  `  reads     ${reads} of what orgs have here, by administrators and operators`,
  `  complete  ${completeness(subject)}`,
];

const completeness = ({ completeAsOf }: VerificationSubject): string =>
  completeAsOf === null ? 'not shown' : `as of ${completeAsOf}`;

const MISSING_SHOWN = 20;

const evidence = ({ evidence: { sealed, present, missing } }: VerificationSubject): string => {
  const named = missing
    .slice(0, MISSING_SHOWN)
    .map(({ position, entryType, hash }) => `position ${position} (${entryType}, sha256 ${hash})`);
  const more = missing.length - named.length;
  return [
    sealed === 0 ? 'none was sealed' : `${present} of ${sealed} pieces in the file`,
    ...(named.length > 0 ? [`not in the file: ${named.join(', ')}`] : []),
    ...(more > 0 ? [`and ${more} more`] : []),
  ].join('; ');
};

const failureLine = (failure: Failure, paint: Paint): string =>
  `  ${paint.red(failure.class)} ${placeOf(failure)}: ${FAILURE_CLASSES[failure.class].meaning}.\n    ${failure.detail}.`;

/** The verdict in a line. */
export const finalLine = (
  report: Omit<NamedReport, 'kept'>,
  durationMs: number,
  paint: Paint,
): string => {
  const { entries, completeAsOf } = report.subject;
  switch (report.verdict) {
    case 'valid': {
      const isDoubted = report.exitCode === 2;
      return [
        `${paint.green(paint.bold('VALID'))}: ${entries} ${entries === 1 ? 'entry' : 'entries'}`,
        ...(completeAsOf === null ? [] : [`complete as of ${completeAsOf}`]),
        ...report.notes,
        `verified in ${durationMs} ms`,
        ...(report.trust === 'embedded'
          ? [paint.yellow('but only by the keys in the file itself')]
          : []),
        ...(isDoubted
          ? [paint.yellow('but a kept statement cannot be told to be on the chain')]
          : []),
      ].join(', ');
    }
    case 'invalid':
      return `${paint.red(paint.bold('INVALID'))}: ${report.failureCount} ${report.failureCount === 1 ? 'failure' : 'failures'}, the first ${report.brokenAt?.class} ${report.brokenAt ? placeOf(report.brokenAt) : ''}`;
    case 'cannot_tell':
      return situationLines(report, paint).join('\n');
  }
};

/** What is missing, and what to do next. A key that differs is a finding of its own, so its line does not say CANNOT TELL. */
const situationLines = (
  report: Pick<VerificationReport, 'verdict' | 'situations' | 'differentKey'>,
  paint: Paint,
): string[] => {
  const words = wordsOfSituation(report, 'command');
  const mark = paint.yellow(paint.bold('CANNOT TELL'));
  if (!words) return [mark];
  const keys = words.isDifferentKey ? report.differentKey : undefined;
  return [
    words.isDifferentKey ? paint.red(paint.bold(words.title)) : `${mark}: ${words.title}`,
    ...(keys?.signedBy ?? []).map((key) => `  signed by  ${key}`),
    ...(keys?.trusted ?? []).map((key) => `  you trust  ${key}`),
    `  ${words.missing}`,
    `  ${words.next}`,
  ];
};
