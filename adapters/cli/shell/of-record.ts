import type { Io } from '../io.ts';
import type { VerifyArguments } from '../verify.ts';
import { isRecordId } from './recorded-files.ts';
import type { Shell } from './shell.ts';

/** `notary verify` of records beside files: their exports are asked for, and what the context trusts is trusted. */
export const verifyWithRecords = async (
  shell: Shell,
  args: VerifyArguments & { readonly context?: string },
  io: Io,
): Promise<number> => {
  const { runVerify } = await import('../verify.ts');
  if (!args.files.some(isRecordId)) return runVerify(args, io);
  const { openSession } = await import('./session.ts');
  const { exportsOf } = await import('./recorded-files.ts');
  const { printFailure } = await import('./print-answer.ts');
  let session = null;
  try {
    session = await openSession(shell.environment(), args.context);
    const given = await exportsOf(args.files, session);
    return await runVerify({ ...args, given, ...pinned(args, session) }, io);
  } catch (error) {
    return printFailure(io, error, session, args.json === true);
  }
};

/** Whoever names keys means these alone. */
export const pinned = (
  { keys, trustEmbedded }: Pick<VerifyArguments, 'keys' | 'trustEmbedded'>,
  { fingerprint }: { readonly fingerprint: string | null },
): { readonly keys?: readonly string[] } =>
  keys === undefined && !trustEmbedded && fingerprint !== null
    ? { keys: [`sha256:${fingerprint}`] }
    : {};
