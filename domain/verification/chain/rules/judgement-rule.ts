import { gateState } from '../../../record/gate.ts';
import type { ClaimedGates, GateClaim } from '../../../record/record-statement.ts';
import { CASCADE_GATE_ID, type Gate } from '../../../record-type/manifest.ts';
import type { Fail, SealedStep, StepRule } from './sealed-step.ts';
import { cascadeExpectation } from './cascade-expectation.ts';

/** A verdict and a gate result say what the transition does that they stand beside. */
export const checkJudgement: StepRule = (step, fail) => {
  const { entry, before, manifest } = step;
  if (!before) return;
  const { entryType, transition, gate } = entry;
  switch (entryType) {
    case 'COMPLETION_SUBMITTED':
      if (entry.completionId !== undefined && step.memory.completionIds.has(entry.completionId))
        fail('the submission is not of a new completion');
      if (manifest && manifest.cascade.rule !== 'none' && before.awaiting === 'children')
        fail('work is delivered while delegated records are open');
      if (before.gateMode === 'auto') {
        if (gate) fail('the gates decide after the submission, not with it');
      } else if (!isEvaluated(gate))
        fail('a submission on which gates advise is sealed with their results');
      else checkGate(gate, step, entry.at, fail);
      return;
    case 'GATE_EVALUATED':
      if (before.gateMode !== 'auto') fail('the principal decides on this record, not its gates');
      if (!isEvaluated(gate)) return fail('the gates decide by their own results');
      checkGate(gate, step, step.memory.submittedAt, fail);
      if ((transition.to === 'FULFILLED') !== (gate.state === 'PASSED'))
        fail(`gates that are ${gate.state} do not lead to ${transition.to}`);
      checkWhoEvaluates(step, fail);
      return;
    case 'VERDICT_RENDERED':
      if (before.gateMode !== 'principal')
        fail('the gates decide on this record, not its principal');
      if ((transition.to === 'FAILED') !== (entry.verdict === 'reject'))
        fail(`the verdict ${entry.verdict} does not lead to ${transition.to}`);
      if (
        transition.to === 'FULFILLED' &&
        before.awaiting === 'children' &&
        manifest?.cascade.rule !== 'none'
      )
        fail('work is accepted while delegated records are open');
      if (gate) checkClaim(gate, step, fail);
      return;
    case 'REVISION_REQUESTED':
      if (before.gateMode !== 'principal')
        fail('the gates decide on this record, not its principal');
      if (manifest && before.revisionCount >= manifest.maxRevisions)
        fail(`the type allows ${manifest.maxRevisions} revisions`);
      return;
    default:
  }
};

export const isEvaluated = (gate: SealedStep['entry']['gate']): gate is GateClaim =>
  gate !== undefined && 'state' in gate;

/**
 * Results that are those of the gates of the manifest, in their order, and a state that follows from them.
 *
 * @param submittedAt what `now` was bound to: when the completion was submitted.
 */
export const checkGate = (
  gate: GateClaim,
  step: SealedStep,
  submittedAt: string | null,
  fail: Fail,
): void => {
  const { before, manifest } = step;
  if (submittedAt !== null && gate.now !== submittedAt)
    fail('the gates did not judge as of the submission');
  if (gate.results.some(({ inputsDigest }) => inputsDigest !== gate.inputsDigest))
    fail('the gates judged different inputs');
  if (gate.results.some(({ outcome, detail }) => (outcome === 'pass') !== (detail === null)))
    fail('a gate says why it did not pass, and nothing else');
  if (before?.operatingMode === 'encrypted') {
    // The cascade rule needs no plaintext; everything else does.
    if (gate.state !== 'SKIPPED' || gate.results.some(({ gateId }) => gateId !== CASCADE_GATE_ID))
      fail('the gates of an encrypted record are not evaluated by the service');
    else checkResults(gate, [], step, fail);
    return;
  }
  const state = gateState(before?.gateMode ?? 'principal', gate.results);
  if (gate.state !== state) fail(`the results make ${state}, sealed is ${gate.state}`);
  if (manifest) checkResults(gate, manifest.gates, step, fail);
};

/** @param gates those that were evaluated. */
const checkResults = (
  gate: GateClaim,
  gates: readonly Pick<Gate, 'id' | 'severity'>[],
  step: SealedStep,
  fail: Fail,
): void => {
  const cascade = step.manifest?.cascade;
  const expected = gates.map(({ id, severity }) => `${id} ${severity}`);
  const sealed = gate.results.map(({ gateId, severity }) => `${gateId} ${severity}`);
  const hasCascade = gate.results.at(-1)?.gateId === CASCADE_GATE_ID;
  if (hasCascade) expected.push(`${CASCADE_GATE_ID} block`);
  if (expected.length !== sealed.length || expected.some((name, index) => name !== sealed[index]))
    fail('the results are not those of the gates of the manifest');
  if (hasCascade && gate.results.at(-1)?.outcome !== 'fail')
    fail('the cascade rule stands among the results where it is not met');
  // The children of a record of two hubs stand on the other one.
  if (!cascade || step.before?.federation || step.entry.entryType === 'DISPUTE_RESOLVED') return;
  const isMet = cascadeExpectation(cascade, step.memory);
  if (isMet !== null && isMet === hasCascade)
    fail(
      `the cascade rule is ${isMet ? '' : 'not '}met by the children, the results say otherwise`,
    );
};

/** In the encrypted mode a principal may say what its own evaluation gave. */
const checkClaim = (
  gate: GateClaim | ClaimedGates,
  { before, manifest }: SealedStep,
  fail: Fail,
): void => {
  if (before?.operatingMode !== 'encrypted' || isEvaluated(gate))
    return fail('a verdict has no gate results of the service beside it');
  const ids = gate.results.map(({ gateId }) => gateId);
  if (
    new Set(ids).size < ids.length ||
    (manifest && ids.some((id) => !manifest.gates.some((known) => known.id === id)))
  )
    fail('the claimed results are not those of the gates of the manifest');
};

/** With children it is verify-cascade that has the gates decide, and the service itself after a submission. */
const checkWhoEvaluates = ({ entry, before, memory }: SealedStep, fail: Fail): void => {
  if (entry.actor.kind === 'system' || !before || before.childCount === 0) return;
  const behind = memory.latest?.entry;
  if (behind?.entryType !== 'CASCADE_VERIFIED' || behind.requestId !== entry.requestId)
    fail('the gates of a record with children are evaluated together with them');
};
