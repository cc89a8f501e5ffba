import { createColors } from 'picocolors';
import type { GateEvaluator } from '../../domain/record-type/gate-evaluator.port.ts';
import type { OpenLanes } from '../../domain/verification/dump/lane.port.ts';
import { HubKeys } from '../../domain/verification/platform/hub-keys.ts';
import {
  AgentKeysError,
  readPinnedAgentKeys,
  type PinnedAgentKeys,
} from '../../domain/verification/keys/pinned-agent-keys.ts';
import { printable } from '../../domain/kernel/printable.ts';
import type { VerificationReport } from '../../domain/verification/report/report.ts';
import type { VerifyOptions } from '../../domain/verification/formats/reported.ts';
import { verifyFile } from '../../domain/verification/verify-file.ts';
import { InputError } from './input-error.ts';
import type { Io } from './io.ts';
import { otherThanAsked } from './of-asked-record.ts';
import { documentsIn } from './read-documents.ts';
import { filesOf, readInput } from './read-input.ts';
import { printableJson } from './printable-json.ts';
import { isDumpFolder } from './dump-folder.ts';
import { verifyBothFiles } from './verify-both-files.ts';
import { verifyDumpFolder } from './verify-dump-folder.ts';
import type { Verified } from './verified.ts';
import { VerifiedFiles } from './verified-files.ts';
import { trustedKeys } from './trusted-keys.ts';
import { checkerUnder, type TimestampCheckerOf } from './tsa-roots.ts';
import { namedKept, reportText } from './report-text.ts';
import { summaryText } from './summary-text.ts';

/** How many steps a report tells above its checks, and how many `notary show` and `--json` tell. */
const FEW_STEPS = 40;
export const MAX_STEPS = 1_000;

export interface VerifyArguments {
  /** Paths of exports or kept statements, folders of them, URLs, or `-` for standard input. */
  readonly files: readonly string[];
  /** The exports of those that are ids of records, by these ids. */
  readonly given?: ReadonlyMap<string, Uint8Array> | undefined;
  /** Paths or URLs of verification-keys documents, or the SHA-256 of one SPKI each. */
  readonly keys?: readonly string[] | undefined;
  /** Of a dump: a root that its log of checkpoints must have had, hex. */
  readonly expectRoot?: string | undefined;
  /** Paths of signed statements to hold against the one export, or the dump. */
  readonly kept?: readonly string[] | undefined;
  /** Path or URL of the other hub's export of the same record, and the keys that are trusted for that hub. */
  readonly with?: string | undefined;
  readonly withKeys?: readonly string[] | undefined;
  /** Which the service is asked with for a file that is a URL. */
  readonly apiKey?: string | null | undefined;
  readonly json?: boolean | undefined;
  readonly trustEmbedded?: boolean | undefined;
  /** Path of a JSON file with keys of agents: `{"<agentId>": ["<base64url>", …]}`. */
  readonly agentKeys?: string | undefined;
  /** Evaluates the gates again. */
  readonly gates?: GateEvaluator | undefined;
  /** Path of a PEM file: the roots of time-stamp authorities. */
  readonly tsaRoots?: string | undefined;
  readonly timestampChecker?: TimestampCheckerOf | undefined;
  /** Where the parts of a dump of so many bytes are verified; without it, in this thread. */
  readonly dumpLanes?: ((bytes: number) => Promise<OpenLanes>) | undefined;
  /** Default: where the output is a terminal. */
  readonly colour?: boolean | undefined;
}

/**
 * `notary verify`: 0 valid, 1 invalid, 2 cannot tell; of several files the worst. The content of a file or a key set
 * never makes it throw.
 */
export const runVerify = async (args: VerifyArguments, io: Io): Promise<0 | 1 | 2> => {
  try {
    const { trust, source } = await trustedKeys(args.keys, args.trustEmbedded);
    const [folder, ...others] = args.files;
    if (args.with === undefined && args.withKeys?.length)
      throw new InputError('--with-keys are the keys of the file that --with names');
    if (
      folder !== undefined &&
      others.length === 0 &&
      args.with === undefined &&
      !args.given?.has(folder) &&
      (await isDumpFolder(folder))
    )
      return await verifyDumpFolder(folder, { ...args, trust, source }, io);
    if (args.expectRoot !== undefined)
      throw new InputError('--expect-root is held against a dump; give its folder alone');
    const files = await namedFiles(args.files, args.given);
    if (files.length > 1 && args.kept?.length)
      throw new InputError('--kept is held against one export; give one file');
    const kept = await Promise.all((args.kept ?? []).map((file) => readInput(file)));
    const started = performance.now();
    const options = {
      trust,
      trustEmbedded: args.trustEmbedded ?? false,
      keys: new HubKeys(),
      kept,
      agentKeys: args.agentKeys === undefined ? null : await pinnedKeys(args.agentKeys),
      gates: args.gates ?? null,
      now: new Date().toISOString(),
      timestamps: await checkerUnder(args.tsaRoots, args.timestampChecker),
    };
    if (args.with !== undefined) {
      if (files.length !== 1 || files[0] !== args.files[0])
        throw new InputError('--with is held against one export; give one file');
      return await verifyBothFiles(
        {
          file: files[0]!,
          given: args.given?.get(files[0]!),
          with: args.with,
          withKeys: args.withKeys,
          apiKey: args.apiKey ?? null,
        },
        { ...args, colour: args.colour ?? isColoured(io), source },
        { ...options, story: { maxSteps: MAX_STEPS } },
        io,
      );
    }
    const isNamed = files.length === 1 && files[0] === args.files[0];
    // Of many files each has a line, and that asks for no steps.
    const story = { maxSteps: isNamed ? (args.json ? MAX_STEPS : FEW_STEPS) : 0 };
    const verified = new VerifiedFiles();
    // One after the other: the memory is that of the largest file.
    for (const file of files)
      for await (const { one, isLine } of verifyAll(
        file,
        args.apiKey ?? null,
        { ...options, story },
        args.given,
      ))
        verified.add(one, isLine);
    const durationMs = Math.round(performance.now() - started);
    const { exitCode } = verified;
    const paint = createColors(args.colour ?? isColoured(io));
    const [only] = verified.shown;
    const isOne = isNamed && verified.total === 1;
    if (!only || !isOne)
      io.stdout(
        args.json
          ? printableJson({
              exitCode,
              summary: verified.counts,
              coverage: verified.coverage,
              trustSource: source,
              durationMs,
              files: verified.shown.map((one) => ({ file: one.file, ...jsonOf(one) })),
              omitted: verified.omitted,
            })
          : summaryText(verified, source, durationMs, paint),
      );
    else if ('unreadable' in only) throw new InputError(only.unreadable);
    else
      io.stdout(
        args.json
          ? printableJson({
              ...only.report,
              kept: namedKept(only.report.kept, args.kept),
              trustSource: source,
              durationMs,
            })
          : reportText(
              { ...only.report, kept: namedKept(only.report.kept, args.kept) },
              source,
              durationMs,
              paint,
            ),
      );
    return exitCode;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    if (args.json) io.stdout(printableJson(unread(error.message)));
    else io.stderr(`notary verify: ${printable(error.message)}\n`);
    return 2;
  }
};

/** What was fetched by an id is no file, whatever lies under this name here. */
const namedFiles = async (
  names: readonly string[],
  given: VerifyArguments['given'],
): Promise<string[]> => {
  const found = names.map(async (name) => (given?.has(name) ? [name] : filesOf([name])));
  return (await Promise.all(found)).flat();
};

/** Of a file that holds documents a line each, one after the other. */
async function* verifyAll(
  file: string,
  apiKey: string | null,
  options: VerifyOptions,
  given: VerifyArguments['given'],
): AsyncGenerator<{ readonly one: Verified; readonly isLine: boolean }> {
  const fetched = given?.get(file);
  if (fetched)
    return yield { one: heldTo(file, await verifyFile(fetched, options)), isLine: false };
  try {
    for await (const { name, bytes, isLine } of documentsIn(file, apiKey)) {
      if (isLine && options.kept?.length)
        throw new InputError('--kept is held against one export; give one file');
      const asked = isLine ? { ...options, story: { maxSteps: 0 } } : options;
      yield { one: { file: name, report: await verifyFile(bytes, asked) }, isLine };
    }
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    yield { one: { file, unreadable: error.message }, isLine: false };
  }
}

/** What a service gave for the id of a record. */
const heldTo = (record: string, report: VerificationReport): Verified => {
  const other = otherThanAsked(report, record);
  return other === null ? { file: record, report } : { file: record, unreadable: other };
};

/** @param given the export of the record that `file` is the id of */
export const verifyOne = async (
  file: string,
  apiKey: string | null,
  options: Parameters<typeof verifyFile>[1],
  given?: Uint8Array,
): Promise<Verified> => {
  try {
    if (given) return heldTo(file, await verifyFile(given, options));
    return { file, report: await verifyFile(await readInput(file, apiKey), options) };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { file, unreadable: error.message };
  }
};

/** See https://no-color.org. */
export const isColoured = (io: Io): boolean => io.isTTY && !process.env['NO_COLOR'];

export const pinnedKeys = async (path: string): Promise<PinnedAgentKeys> => {
  const bytes = await readInput(path);
  try {
    return readPinnedAgentKeys(new TextDecoder().decode(bytes));
  } catch (cause) {
    if (!(cause instanceof AgentKeysError)) throw cause;
    throw new InputError(`--agent-keys ${path}: ${cause.message}`, { cause });
  }
};

export const unread = (message: string): object => ({
  verdict: 'cannot_tell',
  exitCode: 2,
  reasons: [printable(message)],
  situations: ['unreadable'],
  failures: [],
  brokenAt: null,
});

const jsonOf = (one: Verified): object => ('report' in one ? one.report : unread(one.unreadable));
