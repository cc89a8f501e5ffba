import type { Command } from 'commander';
import type { Io } from './io.ts';

export interface Diagnosis {
  readonly findings: readonly {
    readonly code: string;
    readonly severity: 'fault' | 'advice' | 'note';
    readonly subject: string;
    readonly message: string;
  }[];
  readonly skipped: readonly { readonly check: string; readonly reason: string }[];
}

export interface DoctorCommands {
  /** Makes and writes nothing. */
  doctor(io: Io): Promise<Diagnosis>;
}

const HELP =
  '\nIt makes and writes nothing, and the service may run meanwhile. A fault keeps the service from starting or from\nkeeping its word; advice is what a careful operator would change; a note is told and counts as nothing.\nExit codes. 0: all is well. 1: there are faults or advice. 2: something could not be looked at and nothing else\nwas found, or the command line is wrong.';

/** `notary doctor`: on the host, with its settings and secrets. @param ended is told the exit code. */
export const addDoctorCommand = (
  program: Command,
  commands: DoctorCommands,
  io: Io,
  ended: (exitCode: number) => void,
): void => {
  program
    .command('doctor')
    .description(
      'look at settings, machine, database, secrets, signer and keys, and say what to do',
    )
    .option('--json', 'print {findings: [{code, severity, subject, message}], skipped}')
    .addHelpText('after', HELP)
    .action(async ({ json }: { json?: true }) => {
      const diagnosis = await commands.doctor(io);
      io.stdout(json ? `${JSON.stringify(diagnosis)}\n` : textOf(diagnosis));
      ended(exitCodeOf(diagnosis));
    });
};

const exitCodeOf = ({ findings, skipped }: Diagnosis): number => {
  if (findings.some(({ severity }) => severity !== 'note')) return 1;
  return skipped.length > 0 ? 2 : 0;
};

const ORDER = ['fault', 'advice', 'note'] as const;

const textOf = ({ findings, skipped }: Diagnosis): string => {
  const of = (severity: (typeof ORDER)[number]) =>
    findings.filter((finding) => finding.severity === severity);
  const lines = [
    ...ORDER.flatMap((severity) =>
      of(severity).map(
        ({ code, subject, message }) =>
          `${severity.padEnd(6)}  ${code}: ${subject}\n        ${message}`,
      ),
    ),
    ...skipped.map(({ check, reason }) => `not looked at  ${check}: ${reason}`),
    `${of('fault').length} faults, ${of('advice').length} pieces of advice, ${skipped.length} things not looked at.`,
  ];
  return `${lines.join('\n')}\n`;
};
