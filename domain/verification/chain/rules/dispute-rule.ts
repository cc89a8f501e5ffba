import { plusSeconds } from '../../../kernel/instant.ts';
import { evidenceSide, mayWithdraw, resolvingAs } from '../../../dispute/actors.ts';
import { MAX_DISPUTE_EVIDENCE } from '../../../dispute/dispute.ts';
import { isDisputeStep } from '../../../record/dispute-facts.ts';
import type { DisputeClaim } from '../../../record/record-statement.ts';
import { disputableUntil, losingSide } from '../../../record/settlement.ts';
import { callerOf, sidesOfActor } from './acting.ts';
import type { OpenDispute } from './chain-memory.ts';
import { checkGate, isEvaluated } from './judgement-rule.ts';
import { isTooEarly, isTooLate, type Fail, type SealedStep, type StepRule } from './sealed-step.ts';
import type { SealedRecord } from './sealed-record.ts';

/** Phases, tiers, deadlines, and who may open, escalate, resolve and withdraw: as the table of disputes has it. */
export const checkDispute: StepRule = (step, fail) => {
  const { entry, before, memory } = step;
  const { entryType, dispute } = entry;
  if (!before) {
    if (dispute) fail('nothing of a new record is disputed');
    return;
  }
  if (!isDisputeStep(entryType)) {
    if (dispute && Object.keys(dispute).length > 1)
      fail('an entry that is not about the open dispute names it, and says nothing of it');
    return;
  }
  if (!dispute) return;
  if (entryType === 'DISPUTE_OPENED') return checkOpening(step, before, dispute, fail);
  const open = memory.dispute;
  if (!open) return;
  if (entry.actor.kind !== 'system' && isTooLate(entry.at, open.deadline))
    fail(`the phase of the dispute had ended at ${open.deadline}`);
  switch (entryType) {
    case 'DISPUTE_EVIDENCE_SUBMITTED':
      return checkEvidence(step, before, dispute, open, fail);
    case 'DISPUTE_ESCALATED':
      return checkEscalation(step, before, dispute, open, fail);
    case 'DISPUTE_RESOLVED':
      return checkResolution(step, before, dispute, open, fail);
    default:
      return checkWithdrawal(step, before, dispute, open, fail);
  }
};

const checkOpening = (
  { entry, manifest, memory }: SealedStep,
  before: SealedRecord,
  dispute: DisputeClaim,
  fail: Fail,
): void => {
  if (memory.disputeIds.has(dispute.id)) fail('a dispute is opened once');
  if (dispute.side !== losingSide(before))
    fail('a dispute is opened for the side that the outcome went against');
  expect(dispute, { phase: 'EVIDENCE_WINDOW', tier: 1, outcome: null }, fail);
  if (dispute.contentHash === undefined) fail('a dispute is opened with what it says');
  if (!manifest) return;
  if (dispute.deadline !== plusSeconds(entry.at, manifest.evidenceWindowSeconds))
    fail('the evidence window is not the one of the manifest');
  if (before.disputeCount >= manifest.maxDisputes)
    fail(`the type allows ${manifest.maxDisputes} disputes`);
  const until = disputableUntil(before);
  if (until !== null && isTooLate(entry.at, until))
    fail(`the outcome could be disputed until ${until}`);
};

const checkEvidence = (
  { entry }: SealedStep,
  before: SealedRecord,
  dispute: DisputeClaim,
  open: OpenDispute,
  fail: Fail,
): void => {
  const sides = sidesOfActor(entry.actor, before);
  if (sides.size === 0) fail('evidence comes from a side');
  else if (dispute.side !== evidenceSide(sides, open.side))
    fail('the evidence is of the side that submitted it');
  expect(
    dispute,
    { phase: open.phase, tier: open.tier, outcome: null, deadline: open.deadline },
    fail,
  );
  if (dispute.contentHash === undefined) fail('evidence is sealed by its hash');
  if (open.pieces >= MAX_DISPUTE_EVIDENCE)
    fail(`a dispute takes at most ${MAX_DISPUTE_EVIDENCE} pieces of evidence`);
};

const checkEscalation = (
  { entry }: SealedStep,
  before: SealedRecord,
  dispute: DisputeClaim,
  open: OpenDispute,
  fail: Fail,
): void => {
  const next = NEXT.get(open.phase);
  if (!next) return fail('the dispute is at its last tier');
  expect(dispute, { ...next, side: open.side, outcome: null }, fail);
  if (dispute.contentHash !== undefined) fail('an escalation brings no evidence');
  const isSystem = entry.actor.kind === 'system';
  if (isSystem && isTooEarly(entry.at, open.deadline))
    fail(`the phase lasts until ${open.deadline}`);
  if (!isSystem && sidesOfActor(entry.actor, before).size === 0)
    fail('a dispute is escalated by a side');
  if (dispute.deadline === undefined || dispute.deadline < (isSystem ? open.deadline : entry.at))
    fail('the next phase ends after it begins');
};

const NEXT: ReadonlyMap<string, { readonly phase: string; readonly tier: number }> = new Map([
  ['EVIDENCE_WINDOW', { phase: 'TIER_2_REVIEW', tier: 2 }],
  ['TIER_2_REVIEW', { phase: 'TIER_3_ARBITRATION', tier: 3 }],
]);

const checkResolution = (
  step: SealedStep,
  before: SealedRecord,
  dispute: DisputeClaim,
  open: OpenDispute,
  fail: Fail,
): void => {
  const { entry } = step;
  const { outcome } = dispute;
  expect(dispute, { phase: 'RESOLVED', tier: open.tier, side: open.side }, fail);
  checkEnd(dispute, fail);
  const moves = entry.transition.from !== entry.transition.to;
  if (outcome !== 'UPHELD' && outcome !== 'OVERTURNED')
    return fail('a dispute ends upheld or overturned');
  if (moves !== (outcome === 'OVERTURNED'))
    fail(`a dispute that ends ${outcome} ${moves ? 'does not move' : 'moves'} the record`);
  const caller = callerOf(entry.actor, before);
  if (!caller) return checkEndOfPhase(step, before, outcome, open, fail);
  if (entry.gate) fail('the gates decide a dispute at the end of its first phase');
  if (resolvingAs(caller, before, open, outcome) === null)
    fail(`in ${open.phase}, ${outcome} is not for ${caller.role} to say here`);
};

/** The service itself ends a dispute where the gates decide, or where nobody did in time. */
const checkEndOfPhase = (
  step: SealedStep,
  before: SealedRecord,
  outcome: 'UPHELD' | 'OVERTURNED',
  open: OpenDispute,
  fail: Fail,
): void => {
  const { entry, memory } = step;
  if (isTooEarly(entry.at, open.deadline)) fail(`the phase lasts until ${open.deadline}`);
  if (!entry.gate) {
    if (open.phase !== 'TIER_3_ARBITRATION' || outcome !== 'UPHELD')
      fail('what nobody decided in time stands, at the end of the last tier');
    return;
  }
  if (open.phase !== 'EVIDENCE_WINDOW' || before.gateMode !== 'auto' || !isEvaluated(entry.gate))
    return fail('the gates decide a dispute at the end of its first phase, in auto mode');
  checkGate(entry.gate, step, memory.submittedAt, fail);
  if (
    entry.gate.results.some(({ outcome: of, severity }) => of === 'error' && severity === 'block')
  )
    fail('a gate that could not run decides nothing');
  const stands = (entry.gate.state === 'PASSED') === (before.status === 'FULFILLED');
  if (stands !== (outcome === 'UPHELD'))
    fail(`gates that are ${entry.gate.state} do not end the dispute ${outcome}`);
};

const checkWithdrawal = (
  { entry }: SealedStep,
  before: SealedRecord,
  dispute: DisputeClaim,
  open: OpenDispute,
  fail: Fail,
): void => {
  expect(dispute, { phase: 'WITHDRAWN', tier: open.tier, side: open.side, outcome: null }, fail);
  checkEnd(dispute, fail);
  const caller = callerOf(entry.actor, before);
  if (!caller || !mayWithdraw(caller, before, open))
    fail('a dispute is withdrawn by whoever opened it, an admin of its side, or the platform');
};

const checkEnd = ({ deadline, contentHash }: DisputeClaim, fail: Fail): void => {
  if (deadline !== undefined || contentHash !== undefined)
    fail('a dispute that has ended has no deadline and no new evidence');
};

const expect = (dispute: DisputeClaim, expected: Partial<DisputeClaim>, fail: Fail): void => {
  const differing = (Object.keys(expected) as (keyof DisputeClaim)[]).filter(
    (member) => dispute[member] !== expected[member],
  );
  if (differing.length > 0)
    fail(`the dispute's ${differing.join(', ')} is not what its phases make of it`);
};
