import { createColors } from 'picocolors';
import type { Trust } from '../../domain/verification/keys/trust.ts';
import { verifyDump } from '../../domain/verification/dump/verify-dump.ts';
import { DumpFolder } from './dump-folder.ts';
import { InputError } from './input-error.ts';
import type { Io } from './io.ts';
import { printableJson } from './printable-json.ts';
import { Progress } from './progress.ts';
import { readInput } from './read-input.ts';
import { namedKept, reportText } from './report-text.ts';
import { checkerUnder } from './tsa-roots.ts';
import { isColoured, pinnedKeys, type VerifyArguments } from './verify.ts';

/** `notary verify` of the folder of a dump. */
export const verifyDumpFolder = async (
  folder: string,
  args: Omit<VerifyArguments, 'files'> & { readonly trust: Trust; readonly source: string },
  io: Io,
): Promise<0 | 1 | 2> => {
  if (args.gates) throw new InputError('--gates needs evidence, and a dump holds none');
  const kept = await Promise.all((args.kept ?? []).map((file) => readInput(file)));
  const started = performance.now();
  const progress = new Progress(io);
  const dump = await DumpFolder.open(folder, (done, total) =>
    progress.show(() => progressText(done, total, performance.now() - started)),
  );
  const report = await verifyDump(dump, {
    trust: args.trust,
    trustEmbedded: args.trustEmbedded ?? false,
    agentKeys: args.agentKeys === undefined ? null : await pinnedKeys(args.agentKeys),
    kept,
    timestamps: await checkerUnder(args.tsaRoots, args.timestampChecker),
    expectRoot: args.expectRoot === undefined ? null : rootOf(args.expectRoot),
    now: new Date().toISOString(),
    lanes: await args.dumpLanes?.(dump.bytes),
  });
  progress.clear();
  const durationMs = Math.round(performance.now() - started);
  const named = { ...report, kept: namedKept(report.kept, args.kept) };
  io.stdout(
    args.json
      ? printableJson({ ...named, trustSource: args.source, durationMs })
      : reportText(named, args.source, durationMs, createColors(args.colour ?? isColoured(io))),
  );
  return report.exitCode;
};

const rootOf = (text: string): string => {
  const root = text.toLowerCase();
  if (!/^[0-9a-f]{64}$/.test(root))
    throw new InputError(`--expect-root ${text} is no root: it has 64 hex characters`);
  return root;
};

const progressText = (done: number, total: number, ms: number): string => {
  const left = Math.ceil(((ms / done) * (total - done)) / 1000);
  return `${Math.floor((done / total) * 100)} % verified, about ${left} s to go`;
};
