import { SYSTEM_ACTOR } from '../../domain/identity/caller.ts';
import type { Dispute } from '../../domain/dispute/dispute.ts';
import {
  escalate,
  resolve,
  type DisputeChange,
  type TierSeconds,
} from '../../domain/dispute/moves.ts';
import type { GateOutcome } from '../../domain/record/gate.ts';
import type { NotaryRecord } from '../../domain/record/notary-record.ts';
import type { ApplyChange } from '../record/apply-change.ts';
import type { Children } from '../record/children.ts';
import type { DeadlineRule } from '../record/deadline-rule.ts';
import type { JudgeCompletion } from '../record/judge-completion.ts';
import type { LockedRecord } from '../record/locked-record.ts';
import { verifiedCompletion } from '../record/verified-completion.ts';
import { systemOrigin } from '../sealing/origin.ts';
import { verifiedDispute } from './verified-dispute.ts';

/**
 * What the end of a phase of a dispute brings. In auto mode the gates decide at the end of the first phase, and see what
 * the dispute added. If they cannot, and in principal mode, the dispute goes up a tier. At the end of the last tier the
 * outcome stands.
 */
export class EndPhase implements DeadlineRule {
  constructor(
    private readonly applyChange: ApplyChange,
    private readonly judge: JudgeCompletion,
    private readonly children: Children,
    private readonly tiers: TierSeconds,
  ) {}

  isDue(record: NotaryRecord, now: Date): boolean {
    return record.passedDeadline(now) === 'dispute-phase';
  }

  async apply(held: LockedRecord, requestId: string): Promise<void> {
    const dispute = await verifiedDispute(held.stores, held.record.state, held.chain);
    const change = await this.end(held, dispute);
    await held.stores.disputes.update(change.dispute);
    await this.applyChange.withParent(held, systemOrigin(requestId), change);
  }

  private async end(held: LockedRecord, dispute: Dispute): Promise<DisputeChange> {
    const {
      record: { state },
      chain,
    } = held;
    if (dispute.phase === 'TIER_3_ARBITRATION')
      return resolve(
        state,
        dispute,
        {
          outcome: 'UPHELD',
          resolution: 'Nobody decided in time; the outcome stands.',
          by: SYSTEM_ACTOR,
        },
        chain.at,
      );
    const gate = dispute.phase === 'EVIDENCE_WINDOW' ? await this.judged(held, dispute) : null;
    // The next phase begins with the deadline, however late a worker finds it.
    return gate
      ? decidedBy(gate, held.record, dispute, chain.at)
      : escalate(state, dispute, null, this.tiers, dispute.phaseDeadline ?? chain.at, chain.at);
  }

  /** Null if the gates do not decide: they only advise, they see ciphertext, one of them fails to run, or there is nothing to judge. */
  private async judged(held: LockedRecord, dispute: Dispute): Promise<GateOutcome | null> {
    const { stores, record, recordType, chain } = held;
    const { state } = record;
    if (
      state.gateMode !== 'auto' ||
      state.operatingMode === 'encrypted' ||
      state.latestCompletionId === null
    )
      return null;
    const completion = await verifiedCompletion(stores, record, chain);
    await this.children.assertNoneDue(held);
    const children = await this.children.forJudging(held);
    const gate = await this.judge.completion(recordType.manifest, {
      record: state,
      completion,
      children,
      dispute: inputOf(dispute),
    });
    return gate.results.some(({ outcome, severity }) => outcome === 'error' && severity === 'block')
      ? null
      : gate;
  }
}

/** Passing gates say that the performer is right. */
const decidedBy = (
  gate: GateOutcome,
  { state }: NotaryRecord,
  dispute: Dispute,
  at: string,
): DisputeChange => {
  const passed = gate.state === 'PASSED';
  const stands = passed === (state.status === 'FULFILLED');
  const resolution = `Judged again with the evidence of the dispute, the gates ${passed ? 'pass' : 'fail'}; the outcome ${stands ? 'stands' : 'is overturned'}.`;
  return resolve(
    state,
    dispute,
    { outcome: stands ? 'UPHELD' : 'OVERTURNED', resolution, by: SYSTEM_ACTOR, gate: gate.claim },
    at,
  );
};

/** What an expression sees of the dispute. */
const inputOf = ({ id, side, grounds, statement, openedAt, evidence }: Dispute) => ({
  id,
  side,
  grounds,
  statement,
  openedAt,
  evidence: evidence.map(({ side: by, content, contentHash, submittedAt }) => ({
    side: by,
    content,
    contentHash,
    submittedAt,
  })),
});
