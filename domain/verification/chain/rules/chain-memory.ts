import type { DisputePhase } from '../../../dispute/dispute.ts';
import type { Recommendation } from '../../../record/settlement.ts';
import type { Side } from '../../../record/record-state.ts';
import { isDisputeOpening } from '../../../record/dispute-facts.ts';
import { TERMINAL, type RecordStatus } from '../../../record/record-status.ts';
import type {
  ChildClaim,
  RecordStatePredicate,
  SettlementSignalPredicate,
} from '../../../record/record-statement.ts';
import type { ActorClaim } from '../../../vault/statement.ts';
import type { SealedRecord } from './sealed-record.ts';

/** A step that was taken. */
export interface PastStep {
  readonly entry: RecordStatePredicate;
  readonly before: SealedRecord | null;
  readonly after: SealedRecord;
}

/** The dispute that is open. */
export interface OpenDispute {
  readonly id: string;
  readonly initiatedBy: ActorClaim;
  readonly phase: DisputePhase;
  readonly tier: number;
  /** The disputing one. */
  readonly side: Side;
  readonly deadline: string;
  /** Pieces that came after the opening. */
  readonly pieces: number;
}

/** What the rules about later entries need of the earlier ones, beside the facts of the record. */
export class ChainMemory {
  readonly completionIds = new Set<string>();
  /** When the latest completion was submitted; ISO 8601. */
  submittedAt: string | null = null;
  /** In the order of delegation. */
  readonly childIds: string[] = [];
  /** Each child as the newest entry that lists it tells it. */
  readonly children = new Map<string, ChildClaim>();
  /** The states of all children as of the newest CASCADE_VERIFIED that lists them all; null where none does. */
  childStatuses: readonly RecordStatus[] | null = null;
  dispute: OpenDispute | null = null;
  readonly disputeIds = new Set<string>();
  readonly references = new Set<string>();
  readonly referenceIds = new Set<string>();
  /** The step right before, if it was no signal. */
  latest: PastStep | null = null;
  /** The newest signal. */
  recommendation: Recommendation | null = null;
  readonly signalIds = new Set<string>();

  signal({ recommendation, signalId }: SettlementSignalPredicate): void {
    this.signalIds.add(signalId);
    this.recommendation = recommendation;
    this.latest = null;
  }

  /** Takes a step in, after the rules have looked at it. */
  step(step: PastStep): void {
    const { entry } = step;
    this.latest = step;
    if (entry.entryType === 'COMPLETION_SUBMITTED') {
      if (entry.completionId !== undefined) this.completionIds.add(entry.completionId);
      this.submittedAt = entry.at;
    }
    if (entry.reference) {
      this.references.add(referenceKey(entry.reference));
      this.referenceIds.add(entry.reference.id);
    }
    this.told(entry);
    this.disputed(entry);
  }

  private told({ entryType, children = [] }: RecordStatePredicate): void {
    for (const child of children) this.children.set(child.id, child);
    if (entryType === 'CHILD_DELEGATED') {
      for (const { id } of children) this.childIds.push(id);
      this.childStatuses = null;
    }
    if (entryType === 'CASCADE_VERIFIED')
      this.childStatuses = children.every(({ status }) => TERMINAL.has(status))
        ? children.map(({ status }) => status)
        : null;
  }

  private disputed({ entryType, dispute, actor }: RecordStatePredicate): void {
    if (!dispute) return;
    const { id, phase, tier, side, deadline } = dispute;
    if (isDisputeOpening(entryType)) {
      this.disputeIds.add(id);
      this.dispute = {
        id,
        initiatedBy: actor,
        phase: (phase ?? 'EVIDENCE_WINDOW') as DisputePhase,
        tier: tier ?? 1,
        side: side ?? 'principal',
        deadline: deadline ?? '',
        pieces: 0,
      };
    } else if (this.dispute?.id !== id) return;
    else if (entryType === 'DISPUTE_EVIDENCE_SUBMITTED')
      this.dispute = { ...this.dispute, pieces: this.dispute.pieces + 1 };
    else if (entryType === 'DISPUTE_ESCALATED')
      this.dispute = {
        ...this.dispute,
        phase: (phase ?? this.dispute.phase) as DisputePhase,
        tier: tier ?? this.dispute.tier,
        deadline: deadline ?? this.dispute.deadline,
      };
    else if (entryType === 'DISPUTE_RESOLVED' || entryType === 'DISPUTE_WITHDRAWN')
      this.dispute = null;
  }
}

export const referenceKey = ({
  kind,
  uri,
}: {
  readonly kind: string;
  readonly uri: string;
}): string => JSON.stringify([kind, uri]);
