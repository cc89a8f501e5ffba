import type { createColors } from 'picocolors';
import { FAILURE_CLASSES, type Failure } from '../../domain/verification/failure.ts';
import {
  CHECKS,
  printable,
  type CheckName,
  type CheckResult,
  type KeptOutcome,
  type VerificationReport,
  type VerificationSubject,
} from '../../domain/verification/report.ts';

type Paint = ReturnType<typeof createColors>;

const CHECK_LABELS: Readonly<Record<CheckName, string>> = {
  document: 'The file has the shape of its kind',
  positions: 'Positions run without a gap',
  genesis: 'The chain begins as a chain begins',
  links: 'Each entry names the hash of the one before',
  hashes: 'Each hash is that of its bytes',
  signatures: 'Each signature holds',
  headerBinding: 'Each signed header belongs to its place',
  payloadBinding: 'What is shown is what was sealed',
  lifecycle: 'Each transition is one of the lifecycle',
  actor: 'Each entry names its actor',
  keyWindows: 'Each key was active when it signed',
  keySuccession: 'A trusted key reaches every signing key',
  checkpoints: 'Checkpoints agree with the chain',
  completeness: 'The export holds the chain to its end',
  evidenceBinding: 'Evidence in the file is what was sealed',
  coSignatures: 'Co-signatures hold',
  receipts: 'Receipts hold',
  timeStamps: 'Time stamps hold',
  orgReads: 'The log of reads holds',
  gates: 'Gates, evaluated again, say what was sealed',
  peerSide: "The peer's side tells the same",
  keptStatements: 'Kept statements stand in the chain',
};

/** What no file of this release brings, or what this release does not look at. */
const LATER: ReadonlySet<CheckName> = new Set([
  'receipts',
  'timeStamps',
  'orgReads',
  'gates',
  'peerSide',
]);

export interface NamedOutcome extends KeptOutcome {
  readonly file: string;
}

type NamedReport = Omit<VerificationReport, 'kept'> & { readonly kept: readonly NamedOutcome[] };

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
    ...spaced(report.failures.map((failure) => failureLine(failure, paint))),
    ...spaced(
      report.failureCount > report.failures.length
        ? [`  ${report.failureCount - report.failures.length} failures more are not listed`]
        : [],
    ),
    ...spaced(
      kept.map(
        ({ file, result, detail }) => `  ${marks(paint)[result]}  ${printable(file)}: ${detail}`,
      ),
    ),
    ...spaced(report.reasons.map((reason) => `  ${paint.yellow(reason)}`)),
    finalLine(report, durationMs, paint),
  ];
  return `${lines.join('\n')}\n`;
};

const spaced = (lines: readonly string[]): string[] => (lines.length > 0 ? [...lines, ''] : []);

const marks = (paint: Paint): Readonly<Record<CheckResult['result'], string>> => ({
  passed: paint.green('passed '),
  failed: paint.red('FAILED '),
  skipped_no_input: paint.dim('skipped'),
});

const head = (report: NamedReport, source: string, paint: Paint): string[] => {
  const { subject, checks } = report;
  const isExport = subject.kind === 'audit-export';
  return [
    `${paint.bold(isExport ? 'Audit export' : 'Signed statement')} of ${subject.chainKey ?? 'an unreadable chain'}`,
    `  hub       ${subject.hubId ?? 'unknown'}`,
    `  entries   ${subject.entries}${subject.head ? `, head ${subject.head.hash}` : ''}`,
    ...(isExport
      ? [`  complete  ${completeness(subject)}`, `  evidence  ${evidence(subject)}`]
      : []),
    `  keys      ${subject.keyIds.join(', ') || 'none'}`,
    `  trust     ${printable(source)}`,
    '',
    ...CHECKS.map((check) => {
      const { result, count } = checks[check];
      const note =
        result !== 'skipped_no_input'
          ? `(${count})`
          : LATER.has(check)
            ? '(not checked by this version)'
            : '(nothing here to judge it by)';
      return `  ${marks(paint)[result]}  ${CHECK_LABELS[check]} ${paint.dim(note)}`;
    }),
    '',
  ];
};

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

export const placeOf = ({ chainKey, position }: Failure): string =>
  chainKey === null
    ? 'in the file'
    : position === null
      ? `on chain ${chainKey}`
      : `at position ${position} of chain ${chainKey}`;

const finalLine = (report: NamedReport, durationMs: number, paint: Paint): string => {
  const { entries, completeAsOf } = report.subject;
  switch (report.verdict) {
    case 'valid': {
      const isDoubted = report.exitCode === 2;
      return [
        `${paint.green(paint.bold('VALID'))}: ${entries} ${entries === 1 ? 'entry' : 'entries'}`,
        ...(completeAsOf === null ? [] : [`complete as of ${completeAsOf}`]),
        ...report.notes,
        `verified in ${durationMs} ms`,
        ...(isDoubted
          ? [paint.yellow('but a kept statement cannot be told to be on the chain')]
          : []),
      ].join(', ');
    }
    case 'invalid':
      return `${paint.red(paint.bold('INVALID'))}: ${report.failureCount} ${report.failureCount === 1 ? 'failure' : 'failures'}, the first ${report.brokenAt?.class} ${report.brokenAt ? placeOf(report.brokenAt) : ''}`;
    case 'cannot_tell':
      return (
        paint.yellow(paint.bold('CANNOT TELL')) +
        (report.trust === 'none' && report.subject.kind !== null
          ? ': give the keys of the hub, obtained from elsewhere, with --keys'
          : '')
      );
  }
};
