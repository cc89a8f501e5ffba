import { isObject, type JsonValue } from '../../domain/kernel/canonical-json.ts';
import { hashJson } from '../../domain/kernel/digest.ts';
import type { Dispute, DisputeEvidence } from '../../domain/dispute/dispute.ts';
import { laterEvidenceHash, openingHash } from '../../domain/dispute/moves.ts';
import { isDisputeOpening, isDisputeStep } from '../../domain/record/dispute-facts.ts';
import type { EntryFacts } from '../../domain/record/entry-facts.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import { entriesBehind } from '../sealing/entries-behind.ts';
import { payloadDrift } from '../sealing/head-check.ts';
import type { OpenChain } from '../sealing/open-chain.ts';
import type { Stores } from '../ports/unit-of-work.port.ts';

/**
 * The open dispute of a record, locked. Its rows must agree with the chain: who opened it and how, every piece of
 * evidence, its phase, and when that ends. So no edited row decides a dispute.
 *
 * @throws CONFLICT with reason payload_drift where they do not.
 */
export const verifiedDispute = async (
  stores: Stores,
  record: RecordState,
  chain: OpenChain,
): Promise<Dispute> => {
  const dispute =
    record.openDisputeId === null ? null : await stores.disputes.lock(record.openDisputeId);
  if (!dispute || dispute.recordId !== record.id)
    throw payloadDrift(record.id, 'the row of the dispute is missing');
  const entries = await stepsOf(stores, dispute, chain);
  const differences = [
    ...disputeDrift(dispute, entries),
    ...(dispute.phaseDeadline === record.disputeDeadline ? [] : ['disputeDeadline']),
  ];
  if (differences.length > 0) throw payloadDrift(record.id, `dispute: ${differences.join(', ')}`);
  return dispute;
};

/**
 * What the rows of a dispute say otherwise than its entries.
 *
 * @param entries of this dispute, from its opening on.
 */
export const disputeDrift = (
  dispute: Dispute,
  entries: readonly EntryFacts[],
): readonly string[] => [
  ...openingDrift(dispute, entries),
  ...evidenceDrift(dispute, entries),
  ...phaseDrift(dispute, entries),
];

/** The entries of one dispute, from its opening on. */
const stepsOf = async (
  stores: Stores,
  dispute: Dispute,
  chain: OpenChain,
): Promise<readonly EntryFacts[]> => {
  const steps: EntryFacts[] = [];
  for await (const entry of entriesBehind(stores, chain)) {
    if (!isDisputeStep(entry.entryType) || entry.dispute?.id !== dispute.id) continue;
    steps.push(entry);
    if (isDisputeOpening(entry.entryType)) break;
  }
  return steps.reverse();
};

const openingDrift = (
  dispute: Dispute,
  [opening, ...others]: readonly EntryFacts[],
): readonly string[] => {
  const claim = opening?.dispute;
  if (!claim || !isDisputeOpening(opening.entryType)) return ['opening'];
  const submitted = others.filter(isEvidence).length;
  const first = dispute.evidence.length > submitted ? dispute.evidence[0] : undefined;
  const actorKind = isObject(opening.actor) ? opening.actor['kind'] : undefined;
  return [
    ...(opening.at === dispute.openedAt ? [] : ['openedAt']),
    ...(same(opening.actor, dispute.initiatedBy) ? [] : ['initiatedBy']),
    ...(dispute.initiatorRole ===
    (actorKind === 'agent' || actorKind === 'peer' ? claim.side : actorKind)
      ? []
      : ['initiatorRole']),
    ...(claim.side === dispute.side ? [] : ['side']),
    ...(claim.deadline === dispute.evidenceDeadline ? [] : ['evidenceDeadline']),
    ...(claim.contentHash === openingHash(dispute, first?.content ?? null)
      ? []
      : ['what it was opened with']),
    ...(!first || agrees(first, opening) ? [] : ['evidence']),
  ];
};

/** The pieces that came after the opening, one entry each. */
const evidenceDrift = (
  { evidence }: Dispute,
  entries: readonly EntryFacts[],
): readonly string[] => {
  const sealed = entries.filter(isEvidence);
  const came = evidence.length - sealed.length;
  if (came !== 0 && came !== 1) return ['evidence'];
  return evidence
    .slice(came)
    .every(
      (piece, index) =>
        agrees(piece, sealed[index]!) &&
        sealed[index]!.dispute?.contentHash === laterEvidenceHash(piece.content),
    )
    ? []
    : ['evidence'];
};

const agrees = (piece: DisputeEvidence, entry: EntryFacts): boolean =>
  hashJson(piece.content) === piece.contentHash &&
  piece.submittedAt === entry.at &&
  piece.side === entry.dispute?.side &&
  same(entry.actor, piece.submittedBy);

const phaseDrift = (dispute: Dispute, entries: readonly EntryFacts[]): readonly string[] => {
  const newest = entries.at(-1)?.dispute;
  return [
    ...(newest?.phase === dispute.phase ? [] : ['phase']),
    ...(newest?.tier === dispute.tier ? [] : ['tier']),
    ...(newest?.outcome === dispute.outcome ? [] : ['outcome']),
    ...(newest?.deadline === dispute.phaseDeadline ? [] : ['phaseDeadline']),
  ];
};

const isEvidence = ({ entryType }: EntryFacts): boolean =>
  entryType === 'DISPUTE_EVIDENCE_SUBMITTED';
const same = (sealed: JsonValue, stored: object): boolean =>
  hashJson(sealed) === hashJson(stored as JsonValue);
