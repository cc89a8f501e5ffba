import type { GateEvaluator } from '../../record-type/gate-evaluator.port.ts';
import type { TimestampChecker } from '../../vault/timestamp-checker.port.ts';
import type { FederatedSide } from '../federation/federated-side.ts';
import type { HubKeys } from '../platform/hub-keys.ts';
import type { PinnedAgentKeys } from '../keys/pinned-agent-keys.ts';
import {
  EXIT_CODES,
  Findings,
  NO_SUBJECT,
  type KeptOutcome,
  type VerificationReport,
  type VerificationSubject,
} from '../report/report.ts';
import { wordsOfSituation } from '../report/situation-words.ts';
import { ToldEntries } from '../chain/told-entries.ts';
import type { Standing } from '../report/story.ts';
import { storyOf, type StorySources } from '../story/story-of.ts';
import type { Trust } from '../keys/trust.ts';

export interface VerifyOptions {
  readonly trust: Trust;
  /** Accept the first key of the file itself where no key was given. */
  readonly trustEmbedded?: boolean;
  /** Share one among many files of one hub: its keys and their succession are checked once. */
  readonly keys?: HubKeys;
  /** Files of signed statements that somebody kept, each to be held against the export. */
  readonly kept?: readonly (Uint8Array | string)[];
  /** Attestations whose receipts are looked at beside the entries of the export. */
  readonly receipts?: readonly Uint8Array[];
  /** Keys of agents, from the agents themselves: their co-signatures have to verify under these. */
  readonly agentKeys?: PinnedAgentKeys | null;
  /** Evaluates the gates again, where the file holds what they judged. Without it, nothing is said of them. */
  readonly gates?: GateEvaluator | null;
  /** Checks time stamps, under the roots that are trusted for them. Without it, nothing is said of them. */
  readonly timestamps?: TimestampChecker | null;
  /** What the files of the other hub show of records of two hubs, to be held against this file. */
  readonly peers?: readonly FederatedSide[];
  /** Takes what this file shows of a record of two hubs. */
  readonly tellSide?: (side: FederatedSide) => void;
  /** The time of the verifier, ISO 8601: no file can be complete as of a later one. Without it, that is not looked at. */
  readonly now?: string | null;
  /** Tells what the file is about, in at most that many steps. Without it, no story is made. */
  readonly story?: { readonly maxSteps: number } | null;
}

/** What a verification was about, and what became of the statements beside it. */
export interface Looked {
  readonly subject: VerificationSubject;
  readonly kept?: readonly KeptOutcome[];
  /** Undefined where no story was asked for. */
  readonly story?: StorySources | undefined;
}

/** The reason given when only the file itself vouches for its keys. */
export const NO_TRUST = 'cannot tell: the trust would rest on the export itself';

/** Runs a verification to its report. Whatever it meets ends as one: a fault of the verifier is no verdict on the file. */
export const reported = async (
  { trust, trustEmbedded = false, now = null }: VerifyOptions,
  look: (findings: Findings) => Promise<Looked>,
): Promise<VerificationReport> => {
  const findings = new Findings();
  const basis = trust.given ? 'out_of_band' : trustEmbedded ? 'embedded' : 'none';
  try {
    const { subject, kept = [], story } = await look(findings);
    checkClaimedTime(subject, now, findings);
    if (basis === 'none' && subject.kind !== null)
      findings.cannotTell('keySuccession', NO_TRUST, 'no_key');
    const report = findings.report(subject, basis);
    const isOpen = kept.some(({ result }) => result === 'skipped_no_input');
    const exitCode =
      report.verdict === 'valid' && isOpen ? EXIT_CODES.cannot_tell : report.exitCode;
    const whole = { ...report, kept, exitCode };
    return story ? { ...whole, story: storyOf(story, standingOf(whole)) } : whole;
  } catch (error) {
    findings.cannotTell(
      null,
      `${UNFINISHED}: ${error instanceof Error ? error.message : 'unknown'}`,
    );
    return findings.report(NO_SUBJECT, basis);
  }
};

/** The clock of a verifier may be wrong by as much, its time zone included. */
const WRONG_CLOCK_MS = 86_400_000;

/** Whoever holds the key can date what he signs ahead, so that an older state passes for the newest for years. */
const checkClaimedTime = (
  { chainKey, completeAsOf }: VerificationSubject,
  now: string | null,
  findings: Findings,
): void => {
  if (now === null || completeAsOf === null) return;
  if (Date.parse(completeAsOf) <= Date.parse(now) + WRONG_CLOCK_MS) return;
  findings.fail(
    'completeness',
    'checkpoints',
    'CHAIN_PAYLOAD_BINDING_MISMATCH',
    { chainKey, position: null },
    `the file says that it is complete as of ${completeAsOf}, and here it is ${now}: nobody can have seen that time yet`,
  );
};

const standingOf = ({
  subject: { kind, chainKey },
  verdict,
  situations,
  trust,
  failureCount,
  failures,
}: VerificationReport): Standing => ({
  // A dump has no story.
  kind: kind === 'dump' ? null : kind,
  verdict,
  why: wordsOfSituation({ verdict, situations }, 'page')?.title ?? null,
  trust,
  failureCount,
  failedPositions: new Set(
    failures.flatMap((failure) =>
      failure.chainKey === chainKey && failure.position !== null ? [failure.position] : [],
    ),
  ),
});

/** What collects the entries of a story; null where none is asked for. */
export const tellerFor = ({ story }: VerifyOptions): ToldEntries | null =>
  story ? new ToldEntries(story.maxSteps) : null;

/** No input is known that leads here. */
export const UNFINISHED = 'cannot tell: the verifier could not finish, by a fault of its own';
