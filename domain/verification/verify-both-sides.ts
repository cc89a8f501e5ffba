import { EXIT_CODES, type Verdict, type VerificationReport } from './report/report.ts';
import type { VerifyOptions } from './formats/reported.ts';
import { verifyFile } from './verify-file.ts';
import type { FederatedSide } from './federation/federated-side.ts';
import { timeLineOf, type TimeLine } from './formats/time-line.ts';

export interface SideToVerify {
  readonly input: Uint8Array | string;
  /** With the keys that are trusted for this hub: those of the other one vouch for nothing here. */
  readonly options: VerifyOptions;
}

export interface BothSides {
  /** The worse of the two. */
  readonly verdict: Verdict;
  readonly exitCode: 0 | 1 | 2;
  /** Of the first file, with what shows where the two are held against each other. */
  readonly report: VerificationReport;
  /** Of the other hub's file, alone. */
  readonly peer: VerificationReport;
  /** Null where no story was asked for, or a file has none. */
  readonly timeLine: TimeLine | null;
}

/**
 * Verifies the exports of two hubs about one record, each under its own trusted keys, and holds them against each other.
 * Two runs of the verifier, as of any two files; the second knows what the first one showed.
 */
export const verifyBothSides = async (
  own: SideToVerify,
  other: SideToVerify,
): Promise<BothSides> => {
  const sides: FederatedSide[] = [];
  const ours: FederatedSide[] = [];
  const peer = await verifyFile(other.input, {
    ...other.options,
    tellSide: (side) => sides.push(side),
  });
  const report = await verifyFile(own.input, {
    ...own.options,
    peers: sides,
    tellSide: (side) => ours.push(side),
  });
  const verdict = worse(report.verdict, peer.verdict);
  return {
    verdict,
    exitCode: [report, peer].some(({ exitCode }) => exitCode === EXIT_CODES.cannot_tell)
      ? verdict === 'invalid'
        ? EXIT_CODES.invalid
        : EXIT_CODES.cannot_tell
      : EXIT_CODES[verdict],
    report,
    peer,
    timeLine:
      report.story && peer.story
        ? timeLineOf(
            { story: report.story, side: ours[0] ?? null },
            { story: peer.story, side: sides[0] ?? null },
          )
        : null,
  };
};

const worse = (a: Verdict, b: Verdict): Verdict =>
  [a, b].includes('invalid') ? 'invalid' : [a, b].includes('cannot_tell') ? 'cannot_tell' : 'valid';
