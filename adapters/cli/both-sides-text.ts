import type { createColors } from 'picocolors';
import { printable } from '../../domain/kernel/printable.ts';
import type { TimeLine } from '../../domain/verification/formats/time-line.ts';
import type { BothSides } from '../../domain/verification/verify-both-sides.ts';
import type { VerificationReport } from '../../domain/verification/report/report.ts';
import { namedKept, reportText } from './report-text.ts';
import { stepText } from './story-text.ts';
import type { Beside, BothFiles } from './verify-both-files.ts';

type Paint = ReturnType<typeof createColors>;

/** The reports of two hubs about one record, what happened on both, and the verdict on both. */
export const bothSidesText = (
  { report, peer, verdict, timeLine }: BothSides,
  files: BothFiles,
  { kept }: { readonly kept?: readonly string[] | undefined },
  { source, withSource, durationMs }: Beside,
  paint: Paint,
): string =>
  [
    ...titled(files.file, report, source, durationMs, paint, kept),
    ...titled(files.with, peer, withSource, durationMs, paint),
    ...(timeLine ? timeLineText(timeLine, files, paint) : []),
    {
      valid: paint.green(paint.bold('BOTH VALID')),
      invalid: paint.red(paint.bold('INVALID')),
      cannot_tell: paint.yellow(paint.bold('CANNOT TELL')),
    }[verdict] + `: ${OUTCOMES[verdict]}`,
    '',
  ].join('\n');

const OUTCOMES = {
  valid: 'the two files hold, each under its own keys, and tell the same of the record',
  invalid: 'a file does not hold, or the two contradict each other; the failures stand above',
  cannot_tell:
    'the two files do not contradict each other; the report of each file says what is missing',
} as const;

/** What happened is told once, by both. */
const titled = (
  file: string,
  { story: _, ...report }: VerificationReport,
  source: string,
  durationMs: number,
  paint: Paint,
  kept?: readonly string[],
): string[] => [
  paint.bold(`== ${printable(file)}`),
  '',
  reportText({ ...report, kept: namedKept(report.kept, kept) }, source, durationMs, paint),
];

const timeLineText = ({ verified, steps }: TimeLine, files: BothFiles, paint: Paint): string[] => {
  const names = { first: printable(files.file), other: printable(files.with) };
  const width = Math.max(names.first.length, names.other.length);
  return [
    paint.bold(
      `== ${verified ? 'What happened' : 'What the files say happened'} on both hubs, each by its own clock`,
    ),
    '',
    ...steps.flatMap((step) => stepText(step, paint, `${names[step.file].padEnd(width)}  `)),
    '',
  ];
};
