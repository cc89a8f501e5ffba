import type { createColors } from 'picocolors';
import { FAILURE_CLASSES, type Failure } from '../../domain/verification/failure.ts';
import { printable } from '../../domain/kernel/printable.ts';
import type { EvidenceKind } from '../../domain/verification/story/story.ts';
import { storyText } from './story-text.ts';
import {
  CHECKS,
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
  signatures: 'Each signature holds: of entries, checkpoints and keys',
  headerBinding: 'Each signed header belongs to its place',
  payloadBinding: 'What is shown is what was sealed',
  lifecycle: 'Each transition is one of the lifecycle',
  actor: 'Each entry names its actor',
  keyWindows: 'Each key was active when it signed',
  keySuccession: 'A trusted key reaches every signing key',
  checkpoints: 'Checkpoints agree with the chain',
  completeness: 'The export holds the chain to its end',
  evidenceBinding: 'Evidence and content in the file are what was sealed',
  coSignatures: 'Co-signatures hold',
  receipts: 'Receipts hold',
  timeStamps: 'Time stamps hold',
  orgReads: 'The log of reads holds',
  gates: 'Gates, evaluated again, say what was sealed',
  peerSide: "The peer's side tells the same",
  keptStatements: 'Kept statements stand in the chain',
};

/** What a number behind a check counts; where the entries are counted, it is left out. */
const COUNTED: Partial<Readonly<Record<CheckName, readonly [one: string, many: string]>>> = {
  signatures: ['signature', 'signatures'],
  checkpoints: ['checkpoint', 'checkpoints'],
  evidenceBinding: ['piece', 'pieces'],
  coSignatures: ['co-signature', 'co-signatures'],
  timeStamps: ['time stamp', 'time stamps'],
  gates: ['evaluation', 'evaluations'],
  keptStatements: ['statement', 'statements'],
};

const LATER = 'this version does not check it';
const NOTHING = 'nothing in the file to judge it by';

/** Why a check was skipped: where it looked at nothing, and where what it looked at does not suffice. */
const SKIPPED: Partial<Readonly<Record<CheckName, readonly [none: string, some: string]>>> = {
  keySuccession: [
    'no key from elsewhere leads to those of the file',
    'no key from elsewhere leads to those of the file',
  ],
  keyWindows: [NOTHING, 'a retired key signed; the reasons stand below'],
  completeness: [
    'no closing checkpoint that holds',
    'the closing checkpoint does not cover every entry',
  ],
  evidenceBinding: ['the file holds none', NOTHING],
  coSignatures: [
    'nobody co-signed',
    'of a request without its body only method, path and time show',
  ],
  gates: ['only looked at with --gates', 'the file does not hold all that they judged'],
  receipts: [LATER, LATER],
  timeStamps: ['the file holds none', 'only checked with --tsa-roots'],
  orgReads: [LATER, LATER],
  peerSide: [LATER, LATER],
  keptStatements: ['none was given with --kept', 'see below'],
};

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
    ...spaced(failureLines(report, paint)),
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
        `  ${marks(paint)[checks[check].result]}  ${labelOf(check, subject)}${paint.dim(noteOf(check, checks[check]))}`,
    ),
    '',
  ];
};

/** What the file is. */
export const titleOf = ({ subject }: Pick<NamedReport, 'subject'>, paint: Paint): string =>
  subject.kind === 'dump'
    ? paint.bold('Dump of the vault')
    : `${paint.bold(TITLES[subject.kind ?? 'signed-statement'])} ${subject.chainKey ?? 'unknown'}`;

const TITLES = {
  'audit-export': 'Audit export of record',
  'signed-statement': 'Signed statement of chain',
  attestation: 'Attestation of record',
  'sigstore-bundle': 'Sigstore bundle of record',
} as const satisfies Record<EvidenceKind, string>;

const noteOf = (check: CheckName, { result, count }: CheckResult): string => {
  if (result === 'skipped_no_input') {
    const [none, some] = SKIPPED[check] ?? [NOTHING, NOTHING];
    return ` (${count === 0 ? none : some})`;
  }
  const [one, many] = COUNTED[check] ?? [];
  return one === undefined ? '' : ` (${count} ${count === 1 ? one : many})`;
};

const labelOf = (check: CheckName, { kind }: VerificationSubject): string =>
  kind === 'dump' && check === 'completeness'
    ? 'Each chain is here up to its newest checkpoint, and nothing beyond'
    : CHECK_LABELS[check];

const dumpLines = (
  { chains, checkpoints, root }: NonNullable<VerificationSubject['dump']>,
  subject: VerificationSubject,
): string[] => [
  `  chains    ${chains}`,
  `  log       ${checkpoints} checkpoints, root ${root}`,
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

export const placeOf = ({ chainKey, position }: Failure): string =>
  chainKey === null
    ? 'in the file'
    : position === null
      ? `on chain ${chainKey}`
      : `at position ${position} of chain ${chainKey}`;

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
      return (
        paint.yellow(paint.bold('CANNOT TELL')) +
        (report.trust === 'none' && report.subject.kind !== null
          ? ': give the keys of the hub, obtained from elsewhere, with --keys'
          : report.subject.kind === null
            ? ''
            : ': nothing is shown against anybody; the reasons stand above')
      );
  }
};
