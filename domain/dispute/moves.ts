import type { Caller } from '../identity/caller.ts';
import { canonicalJsonBytes, type JsonObject } from '../kernel/canonical-json.ts';
import { hashJson } from '../kernel/digest.ts';
import type { Uuid } from '../kernel/ids.ts';
import { plusSeconds } from '../kernel/instant.ts';
import type { ActorClaim } from '../vault/statement.ts';
import type { DisputeClaim, GateClaim } from '../record/record-statement.ts';
import {
  MAX_DISPUTE_EVIDENCE,
  MAX_DISPUTE_EVIDENCE_BYTES,
  type Dispute,
  type DisputeEvidence,
  type DisputeOutcome,
} from './dispute.ts';
import { evidenceSide, initiatorRoleOf, mayWithdraw } from './actors.ts';
import {
  evidenceFull,
  evidenceTooLarge,
  highestTier,
  noFurtherDispute,
  notDisputable,
  notInitiator,
  windowOver,
} from './refusals.ts';
import { encryptionOf } from '../record/jwe.ts';
import { DISPUTE_STEPS, type Transition } from '../record/lifecycle.ts';
import { transitionsOf } from '../record/lifecycle-queries.ts';
import type { RecordStatus } from '../record/record-status.ts';
import type { RecordChange } from '../record/record-change.ts';
import type { RecordState, Side } from '../record/record-state.ts';
import { conditionOf, wrongSide } from '../record/refusal.ts';
import { disputableUntil, losingSide } from '../record/settlement.ts';
import { mayAct, type Acting } from '../record/sides.ts';

/** A change of a record by its dispute. */
export type DisputeChange = RecordChange & { readonly dispute: Dispute };

/** How long the second and the third tier last, in seconds. */
export interface TierSeconds {
  readonly tier2: number;
  readonly tier3: number;
}

export interface NewEvidence {
  readonly id: Uuid;
  readonly content: JsonObject;
}

export interface DisputeDraft {
  readonly id: Uuid;
  readonly caller: Caller;
  readonly by: ActorClaim;
  readonly grounds: string;
  readonly statement: string | null;
  readonly evidence: NewEvidence | null;
  readonly windowSeconds: number;
}

/** Checks who may open a dispute and whether it is time, in the order of the refusals. @returns the disputing side. */
export const assertDisputable = (record: RecordState, acting: Acting, now: string): Side => {
  const side = losingSide(record);
  const until = disputableUntil(record);
  if (side !== null && !mayAct(DISPUTE_STEPS.open, acting, record))
    throw wrongSide('open-dispute', [DISPUTE_STEPS.open], record);
  if (side === null || until === null) throw notDisputable(record);
  if (record.disputed || record.disputeCount >= record.maxDisputes) throw noFurtherDispute(record);
  if (now >= until) throw windowOver(record, until);
  return side;
};

export const open = (
  record: RecordState,
  side: Side,
  draft: DisputeDraft,
  at: string,
): DisputeChange => {
  const { id, by, grounds, statement, evidence } = draft;
  const evidenceDeadline = plusSeconds(at, draft.windowSeconds);
  const dispute: Dispute = {
    id,
    recordId: record.id,
    phase: 'EVIDENCE_WINDOW',
    tier: 1,
    initiatedBy: by,
    initiatorRole: initiatorRoleOf(draft.caller, side),
    side,
    grounds,
    statement,
    evidence: evidence ? [pieceOf(evidence, side, by, at)] : [],
    evidenceDeadline,
    phaseDeadline: evidenceDeadline,
    outcome: null,
    resolution: null,
    resolvedBy: null,
    openedAt: at,
    resolvedAt: null,
  };
  const open = {
    disputed: true,
    openDisputeId: id,
    disputeCount: record.disputeCount + 1,
    disputeDeadline: evidenceDeadline,
  };
  return change(
    DISPUTE_STEPS.open,
    record,
    dispute,
    open,
    at,
    { contentHash: openingHash(dispute, evidence?.content ?? null) },
    evidence ? encryptionOf(record.operatingMode, evidence.content) : {},
  );
};

/** The digest in the opening entry: it binds the grounds, the statement and the first evidence. */
export const openingHash = (
  { grounds, statement }: Pick<Dispute, 'grounds' | 'statement'>,
  evidence: JsonObject | null,
): string => hashJson({ grounds, statement, evidence });

/** The digest in the entry of a later piece. */
export const laterEvidenceHash = (evidence: JsonObject): string => hashJson({ evidence });

/** Adds evidence of either party while the dispute is open. */
export const submitEvidence = (
  record: RecordState,
  dispute: Dispute,
  given: NewEvidence & { readonly by: ActorClaim; readonly sides: ReadonlySet<Side> },
  at: string,
): DisputeChange => {
  if (dispute.evidence.length >= MAX_DISPUTE_EVIDENCE) throw evidenceFull();
  const piece = pieceOf(given, evidenceSide(given.sides, dispute.side), given.by, at);
  const next = { ...dispute, evidence: [...dispute.evidence, piece] };
  return change(
    DISPUTE_STEPS.submitEvidence,
    record,
    next,
    {},
    at,
    { side: piece.side, contentHash: laterEvidenceHash(piece.content) },
    encryptionOf(record.operatingMode, given.content),
  );
};

/** @param from when the next phase begins: at the passed deadline, or when a party asked for it. */
export const escalate = (
  record: RecordState,
  dispute: Dispute,
  reason: string | null,
  tiers: TierSeconds,
  from: string,
  at: string,
): DisputeChange => {
  const [phase, tier, seconds] = nextTier(record, dispute, tiers);
  const phaseDeadline = plusSeconds(from, seconds);
  return change(
    DISPUTE_STEPS.escalate,
    record,
    { ...dispute, phase, tier, phaseDeadline },
    { disputeDeadline: phaseDeadline },
    at,
    {},
    reason === null ? {} : { reason },
  );
};

const nextTier = (
  record: RecordState,
  dispute: Dispute,
  { tier2, tier3 }: TierSeconds,
): readonly [Dispute['phase'], 2 | 3, number] => {
  if (dispute.phase === 'EVIDENCE_WINDOW') return ['TIER_2_REVIEW', 2, tier2];
  if (dispute.phase === 'TIER_2_REVIEW') return ['TIER_3_ARBITRATION', 3, tier3];
  throw highestTier(record);
};

/** If the outcome is overturned, the record moves as the table says. Its completion and verdict stay as they were. */
export const resolve = (
  record: RecordState,
  dispute: Dispute,
  given: {
    readonly outcome: DisputeOutcome;
    readonly resolution: string;
    readonly by: ActorClaim;
    readonly gate?: GateClaim;
  },
  at: string,
): DisputeChange => {
  const { outcome, resolution, by, gate } = given;
  const transition = outcome === 'UPHELD' ? DISPUTE_STEPS.uphold : overturning(record);
  const moved =
    outcome === 'UPHELD'
      ? {}
      : { status: transition.to[0] as RecordStatus, terminalAt: at, cancelledBy: null };
  const ended: Dispute = {
    ...dispute,
    phase: 'RESOLVED',
    phaseDeadline: null,
    outcome,
    resolution,
    resolvedBy: by,
    resolvedAt: at,
  };
  return change(
    transition,
    record,
    ended,
    { ...moved, ...ENDED },
    at,
    {},
    { reason: resolution, ...(gate ? { gate } : {}) },
  );
};

const overturning = (record: RecordState): Transition => {
  const [transition] = transitionsOf('resolve-dispute', record.status, conditionOf(record));
  if (!transition) throw new TypeError(`no dispute overturns ${record.status}`);
  return transition;
};

export const withdraw = (
  record: RecordState,
  dispute: Dispute,
  caller: Caller,
  by: ActorClaim,
  at: string,
): DisputeChange => {
  if (!mayWithdraw(caller, record, dispute)) throw notInitiator();
  return change(
    DISPUTE_STEPS.withdraw,
    record,
    { ...dispute, phase: 'WITHDRAWN', phaseDeadline: null, resolvedBy: by, resolvedAt: at },
    ENDED,
    at,
    {},
    {},
  );
};

const ENDED = { disputed: false, openDisputeId: null, disputeDeadline: null } as const;

const change = (
  transition: Transition,
  record: RecordState,
  dispute: Dispute,
  next: Partial<RecordState>,
  at: string,
  claim: Partial<DisputeClaim>,
  sealed: RecordChange['sealed'],
): DisputeChange => ({
  transition,
  before: record,
  after: { ...record, ...next, updatedAt: at, version: record.version + 1 },
  dispute,
  sealed: { ...sealed, dispute: { ...claimOf(dispute), ...claim } },
  eventData: {
    disputeId: dispute.id,
    phase: dispute.phase,
    tier: dispute.tier,
    side: dispute.side,
    initiatorRole: dispute.initiatorRole,
    outcome: dispute.outcome,
  },
});

const claimOf = ({ id, phase, tier, side, outcome, phaseDeadline }: Dispute): DisputeClaim => ({
  id,
  phase,
  tier,
  side,
  outcome,
  ...(phaseDeadline === null ? {} : { deadline: phaseDeadline }),
});

/** @throws UNPROCESSABLE for a piece that is too large: whoever decides has to read all of them. */
const pieceOf = (
  { id, content }: NewEvidence,
  side: Side,
  submittedBy: ActorClaim,
  submittedAt: string,
): DisputeEvidence => {
  const bytes = canonicalJsonBytes(content).length;
  if (bytes > MAX_DISPUTE_EVIDENCE_BYTES) throw evidenceTooLarge(bytes);
  return { id, submittedBy, side, content, contentHash: hashJson(content), submittedAt };
};
