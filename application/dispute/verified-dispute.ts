import type { JsonValue } from '../../domain/kernel/canonical-json.ts';
import { hashJson } from '../../domain/kernel/digest.ts';
import type { Dispute, DisputeEvidence } from '../../domain/dispute/dispute.ts';
import { openingHash } from '../../domain/dispute/moves.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import type { DisputeClaim } from '../../domain/record/record-statement.ts';
import { entriesBehind } from '../sealing/entries-behind.ts';
import { payloadDrift } from '../sealing/head-check.ts';
import type { OpenChain } from '../sealing/seal-events.ts';
import type { Stores } from '../unit-of-work.port.ts';

type Predicate = Readonly<Record<string, unknown>>;

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
    ...openingDrift(dispute, entries),
    ...evidenceDrift(dispute, entries),
    ...phaseDrift(record, dispute, entries),
  ];
  if (differences.length > 0) throw payloadDrift(record.id, `dispute: ${differences.join(', ')}`);
  return dispute;
};

/** The entries of one dispute, from its opening on. */
const stepsOf = async (
  stores: Stores,
  dispute: Dispute,
  chain: OpenChain,
): Promise<readonly Predicate[]> => {
  const steps: Predicate[] = [];
  for await (const entry of entriesBehind(stores, chain)) {
    if (!STEPS.has(entry['entryType']) || claimOf(entry).id !== dispute.id) continue;
    steps.push(entry);
    if (entry['entryType'] === 'DISPUTE_OPENED') break;
  }
  return steps.reverse();
};

const openingDrift = (
  dispute: Dispute,
  [opening, ...others]: readonly Predicate[],
): readonly string[] => {
  if (opening?.['entryType'] !== 'DISPUTE_OPENED') return ['opening'];
  const claim = claimOf(opening);
  const submitted = others.filter(isEvidence).length;
  const first = dispute.evidence.length > submitted ? dispute.evidence[0] : undefined;
  const actor = opening['actor'] as { readonly kind: string };
  return [
    ...(opening['at'] === dispute.openedAt ? [] : ['openedAt']),
    ...(same(actor, dispute.initiatedBy) ? [] : ['initiatedBy']),
    ...(dispute.initiatorRole === (actor.kind === 'agent' ? claim.side : actor.kind)
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
const evidenceDrift = ({ evidence }: Dispute, entries: readonly Predicate[]): readonly string[] => {
  const sealed = entries.filter(isEvidence);
  const came = evidence.length - sealed.length;
  if (came !== 0 && came !== 1) return ['evidence'];
  return evidence
    .slice(came)
    .every(
      (piece, index) =>
        agrees(piece, sealed[index]!) && claimOf(sealed[index]!).contentHash === piece.contentHash,
    )
    ? []
    : ['evidence'];
};

const agrees = (piece: DisputeEvidence, entry: Predicate): boolean =>
  hashJson(piece.content) === piece.contentHash &&
  piece.submittedAt === entry['at'] &&
  piece.side === claimOf(entry).side &&
  same(entry['actor'], piece.submittedBy);

const phaseDrift = (
  record: RecordState,
  dispute: Dispute,
  entries: readonly Predicate[],
): readonly string[] => {
  const newest = entries.at(-1);
  const { phase, tier, outcome, deadline } = newest
    ? claimOf(newest)
    : ({} as Partial<DisputeClaim>);
  return [
    ...(phase === dispute.phase ? [] : ['phase']),
    ...(tier === dispute.tier ? [] : ['tier']),
    ...(outcome === dispute.outcome ? [] : ['outcome']),
    ...(deadline === dispute.phaseDeadline && deadline === record.disputeDeadline
      ? []
      : ['phaseDeadline']),
  ];
};

const STEPS: ReadonlySet<unknown> = new Set([
  'DISPUTE_OPENED',
  'DISPUTE_EVIDENCE_SUBMITTED',
  'DISPUTE_ESCALATED',
  'DISPUTE_RESOLVED',
  'DISPUTE_WITHDRAWN',
]);
const isEvidence = (entry: Predicate): boolean =>
  entry['entryType'] === 'DISPUTE_EVIDENCE_SUBMITTED';
const claimOf = (entry: Predicate): DisputeClaim => entry['dispute'] as DisputeClaim;
const same = (a: unknown, b: unknown): boolean =>
  hashJson(a as JsonValue) === hashJson(b as JsonValue);
