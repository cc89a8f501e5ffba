import { createColors } from 'picocolors';
import { setTimeout as sleep } from 'node:timers/promises';
import { isUnavailable } from '../../client/notary-problem.ts';
import { HubKeys } from '../../../domain/verification/platform/hub-keys.ts';
import type { VerificationReport } from '../../../domain/verification/report/report.ts';
import { verifyFile } from '../../../domain/verification/verify-file.ts';
import { earlyEnd } from '../early-end.ts';
import type { Io } from '../io.ts';
import { otherThanAsked } from '../of-asked-record.ts';
import { printableJson } from '../printable-json.ts';
import { runShow, type ShowArguments } from '../show.ts';
import { stepText } from '../story-text.ts';
import { trustedKeys } from '../trusted-keys.ts';
import { isColoured, MAX_STEPS } from '../verify.ts';
import type { Session } from './session.ts';
import { EXIT, ShellError } from './shell-error.ts';

const POLL_MS = 2_000;

/**
 * Tells the story, and each step that is added to it, verified with the whole chain before it is told. It ends with the
 * record, with Ctrl-C (exit code 130), or where the chain does not verify any more.
 */
export const watchRecord = async (
  id: string,
  args: ShowArguments,
  session: Session,
  io: Io,
): Promise<number> => {
  const early = earlyEnd();
  const stop = new AbortController();
  void early.code.then(() => stop.abort());
  try {
    return await Promise.race([watched(id, args, session, io, stop.signal), early.code]);
  } finally {
    stop.abort();
    early.release();
  }
};

const watched = async (
  id: string,
  args: ShowArguments,
  session: Session,
  io: Io,
  signal: AbortSignal,
): Promise<number> => {
  const { trust } = await trustedKeys(args.keys, args.trustEmbedded);
  const paint = createColors(isColoured(io));
  let version = -1;
  let told: number | null = null;
  let code = 0;
  let isAway = false;
  while (!signal.aborted) {
    try {
      const record = await session.client.records.get(id, { signal });
      if (isAway) io.stderr('notary show: the service answers again.\n');
      isAway = false;
      if (record.version !== version) {
        const bytes = await session.client.export(id, { evidence: true }, { signal });
        const report = await verifyFile(bytes, {
          trust,
          trustEmbedded: args.trustEmbedded ?? false,
          keys: new HubKeys(),
          now: new Date().toISOString(),
          story: { maxSteps: MAX_STEPS },
        });
        const other = otherThanAsked(report, id);
        if (other !== null) throw new ShellError(`${other}.`, EXIT.refused);
        if (told === null) code = await runShow({ ...args, bytes }, io);
        else code = tellNew(report, told, io, args.json === true, paint);
        if (code === 1) return code;
        version = record.version;
        told = lastPosition(report);
      }
      if (record.terminalAt !== null && record.openDisputeId === null) return code;
    } catch (error) {
      if (signal.aborted || !isGone(error) || told === null) throw error;
      if (!isAway) io.stderr('notary show: the service does not answer; it is asked again.\n');
      isAway = true;
    }
    await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
  return code;
};

/** Also a service of this machine that was ended: it is asked again, and sent no key, until it runs. */
const isGone = (error: unknown): boolean =>
  isUnavailable(error) || (error instanceof ShellError && error.exitCode === EXIT.serviceAway);

const lastPosition = ({ story }: VerificationReport): number =>
  Math.max(-1, ...(story?.steps ?? []).map(({ position }) => position ?? -1));

const tellNew = (
  report: VerificationReport,
  told: number,
  io: Io,
  asJson: boolean,
  paint: ReturnType<typeof createColors>,
): number => {
  const added = (report.story?.steps ?? []).filter(({ position }) => (position ?? -1) > told);
  if (asJson) io.stdout(printableJson({ verdict: report.verdict, steps: added }));
  else {
    for (const step of added) io.stdout(`${stepText(step, paint).join('\n')}\n`);
    if (report.verdict !== 'valid')
      io.stderr(
        `notary show: the chain is found ${report.verdict.replace('_', ' ')}: ${report.reasons.join('; ')}\n`,
      );
  }
  return report.exitCode;
};
