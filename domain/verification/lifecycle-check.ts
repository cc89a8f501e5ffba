import type { JsonObject, JsonValue } from '../kernel/canonical-json.ts';
import { isStep } from '../record/lifecycle-queries.ts';
import { TERMINAL } from '../record/record-status.ts';
import type { Condition } from '../record/lifecycle.ts';
import { mayRecommend } from '../record/settlement.ts';
import { quoted, type ChainRow, type EntryScope } from './chain-entry.ts';
import type { Findings } from './report.ts';
import { isObject } from './parsed-statement.ts';

/** Where a record stands after an entry, as far as what follows depends on it. */
interface StateOnChain {
  readonly status: string;
  readonly predicate: JsonObject;
  /** A counter-proposal is on the table; undefined where an entry that could not be read may have put it there. */
  readonly counter: boolean | undefined;
  /** Something happened that moves money, and no signal followed yet. */
  readonly owesSignal: boolean;
}

/** Holds the entries of a record's chain against the lifecycle: whether they can have come about in this order at all. */
export class LifecycleCheck {
  /** Null before the first entry; undefined after one that could not be read: what follows cannot be compared with it. */
  private standing: StateOnChain | null | undefined = null;
  private signal: JsonObject | null | undefined = null;
  private readonly findings: Findings;
  private readonly scope: EntryScope;

  constructor(findings: Findings, scope: EntryScope) {
    this.findings = findings;
    this.scope = scope;
  }

  lose(): void {
    this.standing = undefined;
    this.signal = undefined;
  }

  entry(row: ChainRow, predicate: JsonObject): void {
    const fail = this.failing(row);
    const before = this.standing;
    const { action, from, to } = isObject(predicate['transition']) ? predicate['transition'] : {};
    if (
      typeof action !== 'string' ||
      (from !== null && typeof from !== 'string') ||
      typeof to !== 'string'
    ) {
      this.standing = undefined;
      return fail('the predicate names no transition');
    }
    if (before !== undefined && from !== (before?.status ?? null))
      fail(
        `the transition starts from ${from ?? 'nothing'}, the chain stood at ${before?.status ?? 'nothing'}`,
      );
    if (!isStep({ action, from, to, entry: row.entryType }, before ? conditionOf(before) : {}))
      fail(
        `the lifecycle knows no step "${action}" from ${from ?? 'nothing'} to ${to} by an entry ${row.entryType} where the chain stood`,
      );
    if (before) checkDispute(before.predicate, row.entryType, predicate, fail);
    if (before) checkConstant(before.predicate, row.entryType, predicate, fail);
    const counter =
      row.entryType === 'COUNTER_PROPOSED'
        ? true
        : before === undefined
          ? undefined
          : (before?.counter ?? false);
    const movesMoney = DISPUTE_TURNS.has(row.entryType) || (from !== to && ENDED.has(to));
    this.standing = {
      status: to,
      predicate,
      counter,
      owesSignal: movesMoney || (before?.owesSignal ?? false),
    };
  }

  /** A signal names the outcome that the record stands at, the signal before it, and what can be recommended there. */
  signalled(row: ChainRow, predicate: JsonObject): void {
    const fail = this.failing(row);
    const { standing, signal } = this;
    const { outcome, recommendation } = predicate;
    if (standing !== undefined && outcome !== (standing?.status ?? null))
      fail(
        `the signal is on another outcome than ${standing?.status ?? 'nothing'}, at which the chain stands`,
      );
    if (
      signal !== undefined &&
      (predicate['supersedes'] ?? null) !== (signal?.['signalId'] ?? null)
    )
      fail('the signal does not supersede the one before it');
    if (standing) {
      const disputed = openDispute(standing.predicate) !== null;
      if (!mayRecommend(outcome, recommendation, disputed))
        fail(
          `${quoted(recommendation)} is not what follows from ${standing.status}${disputed ? ' in dispute' : ''}`,
        );
      if (predicate['performerAgentId'] !== standing.predicate['performerAgentId'])
        fail('the signal names another performer than the record');
      // But for the end of a HOLD, which comes by itself, a signal follows from what moves money, and one alone.
      const isRelease =
        signal?.['recommendation'] === 'HOLD' && recommendation === 'RELEASE' && !disputed;
      if (!standing.owesSignal && signal !== undefined && !isRelease)
        fail('nothing happened that the signal could follow from');
      this.standing = { ...standing, owesSignal: false };
    }
    this.signal = predicate;
  }

  private failing({ position }: ChainRow): (detail: string) => void {
    this.findings.looked('lifecycle');
    return (detail) =>
      this.findings.fail(
        'lifecycle',
        this.scope.area,
        'CHAIN_PAYLOAD_BINDING_MISMATCH',
        { chainKey: this.scope.chainKey, position },
        detail,
      );
  }
}

/** A verdict or a revision changes the status, so an active record with a completion is one that waits. */
const conditionOf = ({ status, predicate, counter }: StateOnChain): Condition => ({
  pending: status === 'ACTIVE' && predicate['completionId'] !== undefined,
  counter,
});

/** One dispute at a time; it is opened once and ended once, and while it is open nothing else moves the record. */
const checkDispute = (
  before: JsonObject,
  entryType: string,
  predicate: JsonObject,
  fail: (detail: string) => void,
): void => {
  const was = openDispute(before);
  const is = openDispute(predicate);
  const claimed = isObject(predicate['dispute']) ? predicate['dispute']['id'] : undefined;
  if (entryType === 'DISPUTE_OPENED') {
    if (was !== null || is === null) fail('a dispute is opened where one is open, or none');
  } else if (STEPS_OF_OPEN_DISPUTE.has(entryType)) {
    if (was === null || claimed !== was) fail('the dispute that the entry is about is not open');
    else if (is !== (DISPUTE_ENDS.has(entryType) ? null : was))
      fail('the entry leaves the dispute open, or ended, against its type');
  } else if (is !== was) fail('the dispute changes by an entry that is not about it');
  else if (was !== null && entryType !== 'REFERENCE_ADDED')
    fail('the record moves while a dispute is open on it');
};

/** What an entry may change of the members that every entry repeats. */
const checkConstant = (
  before: JsonObject,
  entryType: string,
  predicate: JsonObject,
  fail: (detail: string) => void,
): void => {
  const changed = REPEATED.filter(
    (member) =>
      (before[member] ?? null) !== (predicate[member] ?? null) &&
      !MAY_CHANGE[member].has(entryType),
  );
  if (schemaOf(before) !== schemaOf(predicate)) fail('the record type changes within the chain');
  if (changed.length > 0) fail(`an entry ${entryType} does not change ${changed.join(', ')}`);
  if (
    entryType === 'COMPLETION_SUBMITTED' &&
    (typeof predicate['completionId'] !== 'string' ||
      before['completionId'] === predicate['completionId'])
  )
    fail('the submission is not of a new completion');
};

const REPEATED = [
  'principalAgentId',
  'performerAgentId',
  'parentRecordId',
  'criteriaHash',
  'completionId',
  'evidenceHash',
] as const;
const SUBMISSION: ReadonlySet<string> = new Set(['COMPLETION_SUBMITTED']);
const NEVER: ReadonlySet<string> = new Set();
const MAY_CHANGE: Readonly<Record<(typeof REPEATED)[number], ReadonlySet<string>>> = {
  principalAgentId: NEVER,
  performerAgentId: new Set(['RECORD_PROPOSED', 'RECORD_ACTIVATED']),
  parentRecordId: NEVER,
  criteriaHash: new Set(['COUNTER_PROPOSED']),
  completionId: SUBMISSION,
  evidenceHash: SUBMISSION,
};

const schemaOf = ({ schema }: JsonObject): string =>
  isObject(schema)
    ? JSON.stringify(
        ['orgId', 'publisher', 'type', 'version', 'manifestDigest'].map(
          (member) => schema[member] ?? null,
        ),
      )
    : '';

/** Entries name a dispute while it is open, and at its end, which says so. */
const openDispute = ({ dispute }: JsonObject): JsonValue =>
  isObject(dispute) && dispute['phase'] !== 'RESOLVED' && dispute['phase'] !== 'WITHDRAWN'
    ? (dispute['id'] ?? null)
    : null;

const DISPUTE_ENDS: ReadonlySet<string> = new Set(['DISPUTE_RESOLVED', 'DISPUTE_WITHDRAWN']);
const DISPUTE_TURNS: ReadonlySet<string> = new Set(['DISPUTE_OPENED', ...DISPUTE_ENDS]);
const STEPS_OF_OPEN_DISPUTE: ReadonlySet<string> = new Set([
  'DISPUTE_EVIDENCE_SUBMITTED',
  'DISPUTE_ESCALATED',
  ...DISPUTE_ENDS,
]);
const ENDED: ReadonlySet<string> = TERMINAL;
