import { createColors } from 'picocolors';
import { HubKeys } from '../../domain/verification/platform/hub-keys.ts';
import type { VerificationReport } from '../../domain/verification/report/report.ts';
import { furtherReasons } from '../../domain/verification/report/situation-words.ts';
import { printable } from '../../domain/kernel/printable.ts';
import { InputError } from './input-error.ts';
import type { Io } from './io.ts';
import { printableJson } from './printable-json.ts';
import { failureLines, finalLine, titleOf } from './report-text.ts';
import { storyText } from './story-text.ts';
import { trustedKeys } from './trusted-keys.ts';
import { isColoured, MAX_STEPS, pinnedKeys, unread, verifyOne } from './verify.ts';

export interface ShowArguments {
  /** Path or URL of an export or a signed statement, or `-` for standard input. */
  readonly file: string;
  /** Of the record that `file` is the id of, where its export was fetched already. */
  readonly bytes?: Uint8Array | undefined;
  /** As for `notary verify`. */
  readonly keys?: readonly string[] | undefined;
  readonly apiKey?: string | null | undefined;
  readonly trustEmbedded?: boolean | undefined;
  readonly agentKeys?: string | undefined;
  readonly json?: boolean | undefined;
  readonly colour?: boolean | undefined;
}

/**
 * `notary show`: what a file is about, as far as it verifies, and nothing else. The file is verified in any case, and
 * the exit code is that of `notary verify`.
 */
export const runShow = async (args: ShowArguments, io: Io): Promise<0 | 1 | 2> => {
  try {
    const { trust, source } = await trustedKeys(args.keys, args.trustEmbedded);
    const started = performance.now();
    const shown = await verifyOne(
      args.file,
      args.apiKey ?? null,
      {
        trust,
        trustEmbedded: args.trustEmbedded ?? false,
        keys: new HubKeys(),
        agentKeys: args.agentKeys === undefined ? null : await pinnedKeys(args.agentKeys),
        story: { maxSteps: MAX_STEPS },
      },
      args.bytes,
    );
    if ('unreadable' in shown) throw new InputError(shown.unreadable);
    const { report } = shown;
    const { verdict, exitCode, reasons, situations, brokenAt, story = null } = report;
    const durationMs = Math.round(performance.now() - started);
    io.stdout(
      args.json
        ? printableJson({
            verdict,
            exitCode,
            reasons,
            situations,
            brokenAt,
            trustSource: source,
            story,
          })
        : showText(report, durationMs, createColors(args.colour ?? isColoured(io))),
    );
    return exitCode;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    if (args.json) io.stdout(printableJson({ ...unread(error.message), story: null }));
    else io.stderr(`notary show: ${printable(error.message)}\n`);
    return 2;
  }
};

const FAILURES_SHOWN = 5;

const showText = (
  report: VerificationReport,
  durationMs: number,
  paint: ReturnType<typeof createColors>,
): string => {
  const why = [...furtherReasons(report), ...failureLines(report, paint, FAILURES_SHOWN)];
  const { story, subject } = report;
  return `${[
    ...(subject.kind === null ? [] : [titleOf(report, paint), '']),
    ...(story ? storyText(story, paint, { why }) : [...why.map((line) => `  ${line}`), '']),
    finalLine(report, durationMs, paint),
  ].join('\n')}\n`;
};
