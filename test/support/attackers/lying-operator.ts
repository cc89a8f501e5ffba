import { hashJson } from '../../../domain/kernel/digest.ts';
import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import type { ManifestBody } from '../../../domain/record-type/manifest.ts';
import type { Action } from '../../../domain/record/actions.ts';
import type { RecordStatus } from '../../../domain/record/record-status.ts';
import type {
  RecordStatePredicate,
  SettlementSignalPredicate,
} from '../../../domain/record/record-statement.ts';
import type { RecordEntryType } from '../../../domain/vault/entry-type.ts';
import type { AuditExport } from '../../../domain/verification/read/audit-export.ts';
import type { VerificationReport } from '../../../domain/verification/report/report.ts';
import { trustOf } from '../../../domain/verification/keys/trust.ts';
import { verifyAuditExport } from '../../../domain/verification/formats/verify-audit-export.ts';
import { DAY, type TestRecord } from './genuine-steps.ts';
import type { TestChain, TestHub } from './make-export.ts';

/** What stands in a predicate beside, or instead of, what a service would seal; undefined leaves a member out. */
export type Lie = (sealed: Predicate, hub: TestHub, chain: TestChain) => object;
type Predicate = RecordStatePredicate & SettlementSignalPredicate;

interface Entry {
  readonly entry: RecordEntryType;
  readonly action: Action;
  readonly from: RecordStatus | null;
  readonly to: RecordStatus;
  /** What the story itself brings. */
  readonly members?: (hub: TestHub, chain: TestChain) => Partial<RecordStatePredicate>;
}
/** `byItself`: the end of a HOLD. */
interface Signal {
  readonly signal: SettlementSignalPredicate['recommendation'];
  readonly byItself?: true;
}
/** Milliseconds that go by before the next step. */
interface Pause {
  readonly pass: number;
}
export type Step = Entry | Signal | Pause;

export const step = (
  entry: RecordEntryType,
  action: Action,
  from: RecordStatus | null,
  to: RecordStatus,
  members?: Entry['members'],
): Entry => ({ entry, action, from, to, ...(members ? { members } : {}) });

const evidence = { invoice: 'F-2026-118' };
const HEAD = 'c'.repeat(64);
const ENDED_HEAD = 'e'.repeat(64);
export const childId = (n: number): string => `0190c000-0000-7000-8000-00000000000${n}`;
const disputeId = '0190d000-0000-7000-8000-000000000001';

export const created = step('RECORD_CREATED', 'create', null, 'ACTIVE');
export const drafted = step('RECORD_CREATED', 'create', null, 'CREATED', () => ({
  performerAgentId: null,
  performerOrgId: null,
}));
export const proposed = step('RECORD_PROPOSED', 'create', null, 'PROPOSED');
export const countered = step(
  'COUNTER_PROPOSED',
  'counter-propose',
  'PROPOSED',
  'PROPOSED',
  () => ({
    criteriaHash: hashJson(COUNTER),
  }),
);
export const COUNTER = { action: 'invoice.approve', amount: '99.00' };
export const counterAccepted = step('COUNTER_ACCEPTED', 'accept-counter', 'PROPOSED', 'ACTIVE');
export const accepted = step('PROPOSAL_ACCEPTED', 'accept', 'PROPOSED', 'ACTIVE');
export const submitted = (from: RecordStatus = 'ACTIVE'): Entry =>
  step('COMPLETION_SUBMITTED', 'submit-completion', from, 'ACTIVE', (hub) => ({
    completionId: hub.id(),
    evidenceHash: hashJson(evidence),
  }));
export const fulfilled = step('VERDICT_RENDERED', 'render-verdict', 'ACTIVE', 'FULFILLED');
export const failed = step('VERDICT_RENDERED', 'render-verdict', 'ACTIVE', 'FAILED');
export const overridden = step('VERDICT_RENDERED', 'render-verdict', 'FAILED', 'REMEDIATED');
export const revised = step('REVISION_REQUESTED', 'revision', 'ACTIVE', 'REVISION_REQUESTED');
export const passed = step('GATE_EVALUATED', 'evaluate', 'ACTIVE', 'FULFILLED');
export const notPassed = step('GATE_EVALUATED', 'evaluate', 'ACTIVE', 'FAILED');
export const cancelled = step('RECORD_CANCELLED', 'cancel', 'ACTIVE', 'CANCELLED');
export const expired = (from: RecordStatus = 'ACTIVE'): Entry =>
  step('RECORD_EXPIRED', 'expire', from, 'EXPIRED');
export const delegated = (n: number, status: RecordStatus = 'ACTIVE'): Entry =>
  step('CHILD_DELEGATED', 'delegate', 'ACTIVE', 'ACTIVE', () => ({
    children: [{ id: childId(n), status, headHash: HEAD, disputed: false }],
  }));
export const verified = (...statuses: RecordStatus[]): Entry =>
  step('CASCADE_VERIFIED', 'verify-cascade', 'ACTIVE', 'ACTIVE', () => ({
    children: statuses.map((status, index) => ({
      id: childId(index + 1),
      status,
      headHash: ENDED_HEAD,
      disputed: false,
    })),
  }));
export const disputed = (on: RecordStatus): Entry =>
  step('DISPUTE_OPENED', 'open-dispute', on, on, () => ({ dispute: { id: disputeId } }));
const ofDispute = (entry: RecordEntryType, action: Action, from: RecordStatus, to = from): Entry =>
  step(entry, action, from, to, () => ({ dispute: { id: disputeId } }));
export const argued = (on: RecordStatus): Entry =>
  ofDispute('DISPUTE_EVIDENCE_SUBMITTED', 'submit-dispute-evidence', on);
export const escalated = (on: RecordStatus): Entry =>
  ofDispute('DISPUTE_ESCALATED', 'escalate-dispute', on);
export const upheld = (on: RecordStatus): Entry =>
  ofDispute('DISPUTE_RESOLVED', 'resolve-dispute', on);
export const overturned = (from: RecordStatus, to: RecordStatus): Entry =>
  ofDispute('DISPUTE_RESOLVED', 'resolve-dispute', from, to);
export const withdrawn = (on: RecordStatus): Entry =>
  ofDispute('DISPUTE_WITHDRAWN', 'withdraw-dispute', on);
export const referenced = (on: RecordStatus): Entry =>
  step('REFERENCE_ADDED', 'add-reference', on, on, (hub) => ({
    reference: {
      id: hub.id(),
      kind: 'order',
      uri: `urn:order:${hub.id()}`,
      digest: null,
      label: null,
    },
  }));
export const settle: Signal = { signal: 'SETTLE' };
export const hold: Signal = { signal: 'HOLD' };
export const release: Signal = { signal: 'RELEASE' };
export const released: Signal = { signal: 'RELEASE', byItself: true };
export const pass = (ms: number): Pause => ({ pass: ms });

export interface Story {
  readonly type?: Partial<ManifestBody>;
  /** What the record is like from the start. */
  readonly record?: Partial<TestRecord>;
  readonly steps: readonly Step[];
}

/**
 * Signs a story with the hub's own key; at entry `position` the lie is signed instead. What follows the lie is as if it
 * were true.
 */
export const signStory = async (
  hub: TestHub,
  { type, record, steps }: Story,
  position = 0,
  lie?: Lie,
): Promise<TestChain> => {
  const chain = hub.chain(undefined, type);
  Object.assign(chain.record, record);
  for (const one of steps) {
    if ('pass' in one) {
      hub.pass(one.pass);
      continue;
    }
    const isLie = lie !== undefined && chain.entries.length + 1 === position;
    const edit = isLie
      ? (sealed: JsonObject) => ({ ...sealed, ...lie(sealed as never, hub, chain) })
      : undefined;
    if ('signal' in one)
      await hub.signal(chain, one.signal, {}, one.byItself ? hub.pass(7 * DAY) : undefined, edit);
    else {
      if (one.entry === 'COUNTER_PROPOSED') chain.record.counterProposal = null;
      const { entry, action, from, to } = one;
      await hub.append(
        chain,
        entry,
        { action, from, to },
        one.members?.(hub, chain),
        undefined,
        edit,
      );
      if (one.entry === 'COUNTER_PROPOSED') {
        const { at, actor } = chain.statements.at(-1)!.predicate;
        chain.record.counterProposal = {
          criteria: COUNTER,
          criteriaHash: hashJson(COUNTER),
          message: null,
          proposedBy: actor!,
          proposedAt: at!,
        };
      }
    }
  }
  return chain;
};

export const verifyUnder = (hub: TestHub, document: AuditExport): Promise<VerificationReport> =>
  verifyAuditExport(JSON.stringify(document), {
    trust: trustOf({ kind: 'keys', spki: [hub.spki] }),
  });
