import { hashJson, hashText } from '../../../domain/kernel/digest.ts';
import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import { completeManifest, type ManifestBody } from '../../../domain/record-type/manifest.ts';
import type { Action } from '../../../domain/record/actions.ts';
import type { RecordStatus } from '../../../domain/record/record-status.ts';
import type {
  DisputeClaim,
  RecordStatePredicate,
} from '../../../domain/record/record-statement.ts';
import type { RecordEntryType } from '../../../domain/vault/entry-type.ts';
import type { AuditExportRecord } from '../../../domain/verification/read/audit-export.ts';

/** A record in the making, as its export shows it. */
export type TestRecord = { -readonly [K in keyof AuditExportRecord]: AuditExportRecord[K] } & {
  performerOrgId?: string | null;
};

export interface TestTransition {
  readonly action: Action;
  readonly from: RecordStatus | null;
  readonly to: RecordStatus;
}

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

export const manifestOf = (body: Partial<ManifestBody> = {}): JsonObject =>
  completeManifest(
    {
      type: 'invoice-approval',
      completionSchema: { type: 'object' },
      ...body,
    },
    { orgSlug: 'acme', nextVersion: 1 },
  ) as unknown as JsonObject;

const ENDED: ReadonlySet<string> = new Set([
  'RECORDED',
  'FULFILLED',
  'FAILED',
  'REMEDIATED',
  'EXPIRED',
  'CANCELLED',
  'REJECTED',
]);

const later = (instant: string, ms: number): string =>
  new Date(Date.parse(instant) + ms).toISOString();
const max = (a: string | null, b: string): string => (a !== null && a > b ? a : b);
const msOf = (manifest: JsonObject, name: string): number => Number(manifest[name]) * 1000;

/** What a service that keeps the contract would seal at a step, written down anew from the contract; `members` go over it. */
export const genuineMembers = (
  record: TestRecord,
  manifest: JsonObject,
  entryType: RecordEntryType,
  transition: TestTransition,
  members: Partial<RecordStatePredicate>,
  at: string,
): Partial<RecordStatePredicate> => {
  const particular = { ...particularOf(record, manifest, entryType, transition, at), ...members };
  return {
    principalAgentId: record.principalAgentId,
    performerAgentId: performerAfter(record, entryType),
    ...(record.parentRecordId ? { parentRecordId: record.parentRecordId } : {}),
    criteriaHash: record.counterProposal
      ? String(record.counterProposal['criteriaHash'])
      : record.criteriaHash,
    awaiting: awaitingAfter(record, manifest, entryType, transition, particular),
    expiresAt: expiryAfter(record, manifest, entryType, at),
    ...(record.latestCompletionId
      ? { completionId: record.latestCompletionId, evidenceHash: evidenceOf(record) }
      : {}),
    ...particular,
    ...(particular.dispute
      ? { dispute: disputeAfter(record, manifest, entryType, transition, particular.dispute, at) }
      : record.openDisputeId && !('dispute' in members)
        ? { dispute: { id: record.openDisputeId } }
        : {}),
  };
};

const evidenceHashes = new WeakMap<TestRecord, string>();
const evidenceOf = (record: TestRecord): string => evidenceHashes.get(record) ?? '';

const performerAfter = (record: TestRecord, entryType: RecordEntryType): string | null =>
  entryType === 'RECORD_ACTIVATED'
    ? (record.performerAgentId ?? record.principalAgentId)
    : record.performerAgentId;

const particularOf = (
  record: TestRecord,
  manifest: JsonObject,
  entryType: RecordEntryType,
  { to }: TestTransition,
  at: string,
): Partial<RecordStatePredicate> => {
  switch (entryType) {
    case 'COMPLETION_SUBMITTED':
      return record.gateMode === 'auto' ? {} : { gate: gatesOf(manifest, record.gateMode, at) };
    case 'GATE_EVALUATED':
      return {
        gate: gatesOf(
          manifest,
          record.gateMode,
          submitted.get(record) ?? at,
          to === 'FULFILLED' ? 'pass' : 'fail',
        ),
      };
    case 'VERDICT_RENDERED':
      return { verdict: to === 'FAILED' ? 'reject' : 'accept' };
    case 'RECORD_CANCELLED':
      return { cancelledBy: 'principal' };
    case 'DISPUTE_RESOLVED':
      return { reason: 'What was found.' };
    default:
      return {};
  }
};

const submitted = new WeakMap<TestRecord, string>();

export const gatesOf = (
  manifest: JsonObject,
  mode: string,
  now: string,
  outcome: 'pass' | 'fail' = 'pass',
) => {
  const gates = manifest['gates'] as readonly { id: string; severity: 'block' | 'warn' }[];
  const inputsDigest = hashJson({ now });
  const state = outcome === 'pass' ? 'PASSED' : 'FAILED';
  return {
    state: mode === 'auto' ? state : `ADVISORY_${state}`,
    now,
    inputsDigest,
    results: gates.map(({ id, severity }) => ({
      gateId: id,
      outcome,
      severity,
      inputsDigest,
      detail: outcome === 'pass' ? null : 'false',
    })),
  };
};

const awaitingAfter = (
  record: TestRecord,
  manifest: JsonObject,
  entryType: RecordEntryType,
  { to }: TestTransition,
  { children }: Partial<RecordStatePredicate>,
): RecordStatePredicate['awaiting'] => {
  if (ENDED.has(to)) return null;
  const awaiting = record.awaiting as RecordStatePredicate['awaiting'];
  switch (entryType) {
    case 'RECORD_CREATED':
      return to === 'CREATED' ? 'principal' : 'performer';
    case 'RECORD_PROPOSED':
    case 'RECORD_ACTIVATED':
    case 'PROPOSAL_ACCEPTED':
    case 'COUNTER_ACCEPTED':
    case 'REVISION_REQUESTED':
      return 'performer';
    case 'COUNTER_PROPOSED':
      return awaiting === 'principal' ? 'performer' : 'principal';
    case 'COMPLETION_SUBMITTED':
      return record.gateMode === 'auto' ? 'gate' : 'principal';
    case 'CHILD_DELEGATED':
      return (manifest['cascade'] as JsonObject)['rule'] !== 'none' &&
        !ENDED.has(children?.[0]?.status ?? '')
        ? 'children'
        : awaiting;
    case 'CASCADE_VERIFIED':
      return awaiting === 'children' ? 'performer' : awaiting;
    default:
      return awaiting;
  }
};

const expiryAfter = (
  record: TestRecord,
  manifest: JsonObject,
  entryType: RecordEntryType,
  at: string,
): string | null => {
  if (entryType === 'COMPLETION_SUBMITTED')
    return max(record.expiresAt, later(at, msOf(manifest, 'verdictWindowSeconds')));
  if (entryType === 'REVISION_REQUESTED' && record.expiresAt)
    return max(record.expiresAt, later(at, DAY));
  return record.expiresAt;
};

const claims = new WeakMap<TestRecord, DisputeClaim>();

const disputeAfter = (
  record: TestRecord,
  manifest: JsonObject,
  entryType: RecordEntryType,
  { from, to }: TestTransition,
  given: DisputeClaim,
  at: string,
): DisputeClaim => {
  const { contentHash: _, ...known } = claims.get(record) ?? { id: given.id };
  switch (entryType) {
    case 'DISPUTE_OPENED':
      return {
        phase: 'EVIDENCE_WINDOW',
        tier: 1,
        side: from === 'FULFILLED' ? 'principal' : 'performer',
        outcome: null,
        deadline: later(at, msOf(manifest, 'evidenceWindowSeconds')),
        contentHash: hashText(given.id),
        ...given,
      };
    case 'DISPUTE_EVIDENCE_SUBMITTED':
      return { ...known, contentHash: hashText(at), ...given };
    case 'DISPUTE_ESCALATED':
      return {
        ...known,
        ...(known.tier === 1
          ? { phase: 'TIER_2_REVIEW', tier: 2, deadline: later(at, 7 * DAY) }
          : { phase: 'TIER_3_ARBITRATION', tier: 3, deadline: later(at, 30 * DAY) }),
        ...given,
      };
    case 'DISPUTE_RESOLVED':
    case 'DISPUTE_WITHDRAWN': {
      const { deadline: __, ...ended } = known;
      return {
        ...ended,
        ...(entryType === 'DISPUTE_WITHDRAWN'
          ? { phase: 'WITHDRAWN' }
          : { phase: 'RESOLVED', outcome: from === to ? 'UPHELD' : 'OVERTURNED' }),
        ...given,
      };
    }
    default:
      return given;
  }
};

/** Takes a step into the record that the export will show. */
export const takeStep = (
  record: TestRecord,
  entryType: RecordEntryType,
  { from, to }: TestTransition,
  sealed: RecordStatePredicate,
): void => {
  const { at, actor } = sealed;
  Object.assign(record, {
    status: to,
    awaiting: sealed.awaiting,
    expiresAt: sealed.expiresAt,
    performerAgentId: sealed.performerAgentId,
    updatedAt: at,
    ...(from === null ? { createdAt: at } : {}),
    ...(to === 'ACTIVE' && (from === null || from === 'CREATED' || from === 'PROPOSED')
      ? { activatedAt: at }
      : {}),
    ...(from !== to ? { cancelledBy: sealed.cancelledBy ?? null } : {}),
    ...(from !== to && ENDED.has(to) ? { terminalAt: at } : {}),
  });
  if (entryType === 'COMPLETION_SUBMITTED') {
    record.latestCompletionId = sealed.completionId ?? null;
    evidenceHashes.set(record, String(sealed.evidenceHash));
    submitted.set(record, at);
  }
  if (entryType === 'REVISION_REQUESTED') record.revisionCount += 1;
  if (entryType === 'COUNTER_ACCEPTED' && record.counterProposal) {
    record.criteria = record.counterProposal['criteria'] as JsonObject;
    record.criteriaHash = sealed.criteriaHash;
    record.counterProposal = null;
  }
  if (sealed.reference)
    record.references = [
      ...record.references,
      { ...sealed.reference, recordId: record.id, addedBy: actor, addedAt: at } as never,
    ];
  if (!entryType.startsWith('DISPUTE_') || !sealed.dispute) return;
  const isOver = entryType === 'DISPUTE_RESOLVED' || entryType === 'DISPUTE_WITHDRAWN';
  claims.set(record, sealed.dispute);
  record.disputed = !isOver;
  record.openDisputeId = isOver ? null : sealed.dispute.id;
  if (entryType === 'DISPUTE_OPENED') record.disputeCount += 1;
};

export type ActingSide = 'principal' | 'performer' | 'platform' | 'system';

/** By whom a step is usually taken. */
export const sideOf = (entryType: RecordEntryType, record: TestRecord): ActingSide => {
  switch (entryType) {
    case 'DISPUTE_RESOLVED':
      return 'platform';
    case 'GATE_EVALUATED':
    case 'RECORD_EXPIRED':
    case 'CASCADE_VERIFIED':
      return 'system';
    case 'COMPLETION_SUBMITTED':
    case 'CHILD_DELEGATED':
    case 'PROPOSAL_ACCEPTED':
      return 'performer';
    case 'COUNTER_ACCEPTED':
    case 'COUNTER_PROPOSED':
    case 'PROPOSAL_REJECTED':
      return record.awaiting === 'principal' ? 'principal' : 'performer';
    case 'DISPUTE_OPENED':
    case 'DISPUTE_ESCALATED':
    case 'DISPUTE_EVIDENCE_SUBMITTED':
    case 'DISPUTE_WITHDRAWN':
      return record.status === 'FULFILLED' ? 'principal' : 'performer';
    default:
      return 'principal';
  }
};
