import { createColors } from 'picocolors';
import { verifyBothSides, type BothSides } from '../../domain/verification/verify-both-sides.ts';
import { HubKeys } from '../../domain/verification/platform/hub-keys.ts';
import type { VerifyOptions } from '../../domain/verification/formats/reported.ts';
import { bothSidesText } from './both-sides-text.ts';
import { InputError } from './input-error.ts';
import type { Io } from './io.ts';
import { otherThanAsked } from './of-asked-record.ts';
import { printableJson } from './printable-json.ts';
import { readInput } from './read-input.ts';
import { namedKept } from './report-text.ts';
import { trustedKeys } from './trusted-keys.ts';

export interface BothFiles {
  /** A path or URL, or the id of a record. */
  readonly file: string;
  /** The export of that record. */
  readonly given?: Uint8Array | undefined;
  readonly with: string;
  readonly withKeys?: readonly string[] | undefined;
  readonly apiKey: string | null;
}

interface Shown {
  readonly json?: boolean | undefined;
  readonly kept?: readonly string[] | undefined;
  readonly colour: boolean;
  /** Where the keys of the first file come from. */
  readonly source: string;
  readonly trustEmbedded?: boolean | undefined;
}

/**
 * Verifies the exports of two hubs of one record, each under its own keys, and against each other.
 *
 * @throws InputError where a file cannot be read.
 */
export const verifyBothFiles = async (
  files: BothFiles,
  shown: Shown,
  options: VerifyOptions,
  io: Io,
): Promise<0 | 1 | 2> => {
  const other = await trustedKeys(files.withKeys, shown.trustEmbedded);
  // The key of a caller goes to the service that it was given for, and to no other hub.
  const own = files.given ?? (await readInput(files.file, files.apiKey));
  const theirs = await readInput(files.with);
  const started = performance.now();
  const both = await verifyBothSides(
    { input: own, options },
    { input: theirs, options: { ...options, kept: [], trust: other.trust, keys: new HubKeys() } },
  );
  const isOther = files.given ? otherThanAsked(both.report, files.file) : null;
  if (isOther !== null) throw new InputError(isOther);
  const durationMs = Math.round(performance.now() - started);
  const sources = { source: shown.source, withSource: other.source };
  io.stdout(
    shown.json
      ? printableJson(jsonOf(both, files, shown, { ...sources, durationMs }))
      : bothSidesText(both, files, shown, { ...sources, durationMs }, createColors(shown.colour)),
  );
  return both.exitCode;
};

export interface Beside {
  readonly source: string;
  readonly withSource: string;
  readonly durationMs: number;
}

/** The report of the first file, with the verdict on both. */
const jsonOf = (
  { report, peer, verdict, exitCode, timeLine }: BothSides,
  files: BothFiles,
  { kept }: Shown,
  { source, withSource, durationMs }: Beside,
): object => ({
  ...report,
  verdict,
  exitCode,
  kept: namedKept(report.kept, kept),
  trustSource: source,
  durationMs,
  peer: { file: files.with, ...peer, trustSource: withSource },
  timeLine,
});
