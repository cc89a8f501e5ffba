import type { Command } from 'commander';
import type { Io } from './io.ts';
import { Progress } from './progress.ts';

export interface ScanOutcome {
  readonly healthy: number;
  readonly broken: number;
  readonly signatureErrors: number;
  readonly brokenRecords: readonly {
    readonly chainKey: string;
    readonly position: number | null;
    readonly reason: string;
    readonly class: string;
    readonly detail: string;
  }[];
  readonly omitted: number;
  readonly entries: number;
  readonly chains: number;
  readonly durationMs: number;
}

export interface ScanCommands {
  scan(
    io: Io,
    onProgress: (progress: { readonly entries: number; readonly chains: number }) => void,
  ): Promise<ScanOutcome>;
}

const HELP =
  '\nOf one moment of the database, while the service runs or not. Exit codes. 0: every chain holds, and\nevery row says what its chain says. 1: something is broken, or it failed; 2: the command line is wrong.';

/** `notary scan`: on the host, with its secrets. @param ended is told the exit code. */
export const addScanCommand = (
  program: Command,
  commands: ScanCommands,
  io: Io,
  ended: (exitCode: number) => void,
): void => {
  program
    .command('scan')
    .description('verify every chain, and compare the rows of the database with what they say')
    .option('--json', 'print {healthy, broken, signatureErrors, brokenRecords, omitted, …}')
    .addHelpText('after', HELP)
    .action(async ({ json }: { json?: true }) => {
      const progress = new Progress(io);
      try {
        const outcome = await commands.scan(io, ({ entries, chains }) =>
          progress.show(() => `${entries} entries of ${chains} chains`),
        );
        progress.clear();
        io.stdout(json ? `${JSON.stringify(outcome)}\n` : scanText(outcome));
        ended(outcome.broken === 0 ? 0 : 1);
      } finally {
        progress.clear();
      }
    });
};

const scanText = (outcome: ScanOutcome): string => {
  const { entries, chains, healthy, broken, signatureErrors, brokenRecords, omitted } = outcome;
  const seconds = (outcome.durationMs / 1000).toFixed(1);
  const lines = [
    `${entries} entries of ${chains} chains in ${seconds} s: ${healthy} healthy, ${broken} broken, ${signatureErrors} entries without a valid signature.`,
    ...brokenRecords.map(
      ({ chainKey, position, reason, class: failureClass, detail }) =>
        `${chainKey}${position === null ? '' : ` at ${position}`}: ${reason} (${failureClass}), ${detail}`,
    ),
    ...(omitted > 0 ? [`${omitted} more are not listed.`] : []),
  ];
  return `${lines.join('\n')}\n`;
};
