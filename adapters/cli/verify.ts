import { readFile } from 'node:fs/promises';
import { createColors } from 'picocolors';
import type { JsonValue } from '../../domain/kernel/canonical-json.ts';
import {
  decodeUtf8Strict,
  parseStrictJson,
  StrictJsonError,
} from '../../domain/kernel/strict-json.ts';
import { KeyError } from '../../domain/vault/cose-key.ts';
import { FAILURE_CLASSES, type Failure } from '../../domain/verification/failure.ts';
import {
  CHECKS,
  printable,
  type CheckName,
  type VerificationReport,
} from '../../domain/verification/report.ts';
import { decodeBase64Strict } from '../../domain/kernel/base64.ts';
import { trustOf, type Trust, type TrustInput } from '../../domain/verification/trust.ts';
import { verifyAuditExport } from '../../domain/verification/verify-audit-export.ts';
import type { Io } from './io.ts';

export interface VerifyArguments {
  /** Path of the export; `-` reads standard input. */
  readonly file: string;
  /** Path or http(s) URL of a verification-keys document, or the SHA-256 of one SPKI (64 hex, `sha256:` allowed). */
  readonly keys?: string | undefined;
  readonly json?: boolean | undefined;
  readonly trustEmbedded?: boolean | undefined;
  /** Default: where the output is a terminal. */
  readonly colour?: boolean | undefined;
}

/** Nothing was verified, because an input could not be obtained or read. */
class InputError extends Error {
  override readonly name = 'InputError';
}

/**
 * `notary verify`: 0 valid, 1 invalid, 2 cannot tell. The content of a file or a key set never
 * makes it throw.
 */
export const runVerify = async (args: VerifyArguments, io: Io): Promise<0 | 1 | 2> => {
  try {
    const { trust, source } = await trustFrom(args);
    const input = await readInput(args.file);
    const started = performance.now();
    const report = await verifyAuditExport(input, {
      trust,
      trustEmbedded: args.trustEmbedded ?? false,
    });
    const durationMs = Math.round(performance.now() - started);
    io.stdout(
      args.json
        ? `${JSON.stringify({ ...report, trustSource: source, durationMs }, null, 2)}\n`
        : present(report, source, durationMs, args.colour ?? io.isTTY),
    );
    return report.exitCode;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const message = printable(error.message);
    if (args.json)
      io.stdout(
        `${JSON.stringify({ verdict: 'cannot_tell', exitCode: 2, reasons: [message], failures: [], brokenAt: null }, null, 2)}\n`,
      );
    else io.stderr(`notary verify: ${message}\n`);
    return 2;
  }
};

const readInput = async (file: string): Promise<Uint8Array> => {
  try {
    if (file !== '-') return await readFile(file);
    const parts: Uint8Array[] = [];
    for await (const part of process.stdin)
      parts.push(typeof part === 'string' ? new TextEncoder().encode(part) : (part as Uint8Array));
    return Buffer.concat(parts);
  } catch (cause) {
    throw new InputError(`the file ${file} cannot be read: ${reasonOf(cause)}`, { cause });
  }
};

const FINGERPRINT = /^(?:sha256:)?([0-9a-f]{64})$/i;
const FETCH_TIMEOUT_MS = 10_000;

const trustFrom = async ({
  keys,
  trustEmbedded,
}: VerifyArguments): Promise<{ trust: Trust; source: string }> => {
  if (keys === undefined)
    return {
      trust: trustOf({ kind: 'none' }),
      source: trustEmbedded ? 'the keys in the export itself (--trust-embedded)' : 'none given',
    };
  const fingerprint = FINGERPRINT.exec(keys)?.[1]?.toLowerCase();
  if (fingerprint)
    return {
      trust: trustOf({ kind: 'fingerprint', sha256Hex: fingerprint }),
      source: `the key with the fingerprint sha256:${fingerprint}`,
    };
  const input = keySet(keys, await (/^https?:\/\//i.test(keys) ? fetchKeys(keys) : readKeys(keys)));
  try {
    return {
      trust: trustOf(input),
      source: `${input.spki.length === 1 ? 'the key' : `the ${input.spki.length} keys`} at ${keys}`,
    };
  } catch (cause) {
    if (cause instanceof KeyError)
      throw new InputError(`a key at ${keys} must not be trusted: ${cause.message}`, { cause });
    throw cause;
  }
};

const readKeys = async (path: string): Promise<Uint8Array> => {
  try {
    return await readFile(path);
  } catch (cause) {
    throw new InputError(
      `--keys ${path} is neither a readable file, a URL nor a SHA-256 fingerprint: ${reasonOf(cause)}`,
      { cause },
    );
  }
};

const fetchKeys = async (url: string): Promise<Uint8Array> => {
  try {
    const answer = await fetch(url, {
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
    });
    if (!answer.ok) throw new Error(`the answer was ${answer.status}`);
    return new Uint8Array(await answer.arrayBuffer());
  } catch (cause) {
    throw new InputError(`the keys at ${url} cannot be fetched: ${reasonOf(cause)}`, { cause });
  }
};

/**
 * The public keys of a verification-keys document: `data[].publicKey`, base64 SPKI. Those that it shows as retired are
 * not trusted.
 */
const keySet = (source: string, bytes: Uint8Array): Extract<TrustInput, { kind: 'keys' }> => {
  const entries = member(parseKeys(source, bytes), 'data');
  if (!Array.isArray(entries) || entries.length === 0)
    throw new InputError(`${source} is no verification-keys document: it has no keys in "data"`);
  const keyOf = (entry: JsonValue): Uint8Array => {
    const encoded = member(entry, 'publicKey');
    const key = typeof encoded === 'string' ? decodeBase64Strict(encoded) : null;
    if (!key)
      throw new InputError(
        `${source} is no verification-keys document: a key has no "publicKey" in base64`,
      );
    return key;
  };
  const isRetired = (entry: JsonValue): boolean => member(entry, 'status') === 'retired';
  return {
    kind: 'keys',
    spki: entries.filter((entry) => !isRetired(entry)).map(keyOf),
    retired: entries.filter(isRetired).map(keyOf),
  };
};

const parseKeys = (source: string, bytes: Uint8Array): JsonValue => {
  try {
    return parseStrictJson(decodeUtf8Strict(bytes));
  } catch (cause) {
    if (cause instanceof StrictJsonError)
      throw new InputError(`${source} is no JSON: ${cause.message}`, { cause });
    throw cause;
  }
};

const member = (value: JsonValue, name: string): JsonValue | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as { readonly [member: string]: JsonValue })[name]
    : undefined;

const reasonOf = (cause: unknown): string =>
  cause instanceof Error
    ? cause.cause instanceof Error
      ? `${cause.message} (${cause.cause.message})`
      : cause.message
    : String(cause);

const CHECK_LABELS: Readonly<Record<CheckName, string>> = {
  document: 'The file has the shape of an audit export',
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
  evidenceBinding: 'Evidence is what was sealed',
  coSignatures: 'Co-signatures hold',
  receipts: 'Receipts hold',
  timeStamps: 'Time stamps hold',
  orgReads: 'The log of reads holds',
};

const present = (
  report: VerificationReport,
  source: string,
  durationMs: number,
  colour: boolean,
): string => {
  const paint = createColors(colour);
  const marks = {
    passed: paint.green('passed '),
    failed: paint.red('FAILED '),
    skipped_no_input: paint.dim('skipped'),
  } as const;
  const { subject } = report;
  const lines = [
    `${paint.bold('Audit export')} of ${printable(subject.chainKey ?? 'an unreadable chain')}`,
    `  hub      ${subject.hubId ?? 'unknown'}`,
    `  entries  ${subject.entries}${subject.head ? `, head ${subject.head.hash}` : ''}`,
    `  keys     ${subject.keyIds.map(printable).join(', ') || 'none'}`,
    `  trust    ${printable(source)}`,
    '',
    ...CHECKS.map((check) => {
      const { result, count } = report.checks[check];
      return `  ${marks[result]}  ${CHECK_LABELS[check]}${result === 'skipped_no_input' ? paint.dim(' (nothing here to judge it by)') : paint.dim(` (${count})`)}`;
    }),
    '',
    ...report.failures.map(
      (failure) =>
        `  ${paint.red(failure.class)} ${placeOf(failure)}: ${FAILURE_CLASSES[failure.class].meaning}.\n    ${failure.detail}.`,
    ),
    ...(report.failures.length > 0 ? [''] : []),
    ...report.reasons.map((reason) => `  ${paint.yellow(reason)}`),
    ...(report.reasons.length > 0 ? [''] : []),
    finalLine(report, durationMs, paint),
  ];
  return `${lines.join('\n')}\n`;
};

const placeOf = ({ chainKey, position }: Failure): string =>
  chainKey === null
    ? 'in the file'
    : position === null
      ? `on chain ${chainKey}`
      : `at position ${position} of chain ${chainKey}`;

const finalLine = (
  report: VerificationReport,
  durationMs: number,
  paint: ReturnType<typeof createColors>,
): string => {
  const { entries } = report.subject;
  switch (report.verdict) {
    case 'valid':
      return `${paint.green(paint.bold('VALID'))}: ${entries} ${entries === 1 ? 'entry' : 'entries'}, verified in ${durationMs} ms`;
    case 'invalid':
      return `${paint.red(paint.bold('INVALID'))}: ${report.failures.length} ${report.failures.length === 1 ? 'failure' : 'failures'}, the first ${report.brokenAt?.class} ${report.brokenAt ? placeOf(report.brokenAt) : ''}`;
    case 'cannot_tell':
      return (
        paint.yellow(paint.bold('CANNOT TELL')) +
        (report.trust === 'none'
          ? ': give the keys of the hub, obtained from elsewhere, with --keys'
          : '')
      );
  }
};
