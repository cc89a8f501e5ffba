import {
  isDisputeEnd,
  isDisputeOpening,
  isDisputeProgress,
  openDisputeId,
} from '../../record/dispute-facts.ts';
import {
  isCompletionPending,
  isEnding,
  type EntryFacts,
  type SignalFacts,
} from '../../record/entry-facts.ts';
import { isStep } from '../../record/lifecycle-queries.ts';
import type { Condition } from '../../record/lifecycle.ts';
import { mayRecommend } from '../../record/settlement.ts';
import { quoted, type ChainRow, type EntryScope } from '../entry/chain-entry.ts';
import type { Findings } from '../report/report.ts';

/** What the later entries of a record depend on, as of one entry. */
interface StateOnChain {
  readonly status: string;
  readonly facts: EntryFacts;
  /** A counter-proposal is on the table; undefined if an unreadable entry may have put it there. */
  readonly counter: boolean | undefined;
  /** Something that moves money happened, and no signal has followed yet. */
  readonly owesSignal: boolean;
}

/** Checks the entries of a record's chain against the lifecycle: whether they can have come about in this order. */
export class LifecycleCheck {
  /** Null before the first entry; undefined after an unreadable one, since nothing can be compared with it. */
  private state: StateOnChain | null | undefined = null;
  private signal: SignalFacts | null | undefined = null;
  private readonly findings: Findings;
  private readonly scope: EntryScope;

  constructor(findings: Findings, scope: EntryScope) {
    this.findings = findings;
    this.scope = scope;
  }

  /** An entry could not be read. */
  lose(): void {
    this.state = undefined;
    this.signal = undefined;
  }

  entry(row: ChainRow, facts: EntryFacts): void {
    const fail = this.failing(row);
    if (facts.beside) this.checkBeside(facts, fail);
    else if (facts.signal) this.checkSignal(facts, facts.signal, fail);
    else this.checkState(row.entryType, facts, fail);
  }

  private checkState(entryType: string, facts: EntryFacts, fail: Fail): void {
    const before = this.state;
    const { transition } = facts;
    if (!transition) {
      this.state = undefined;
      return fail('the predicate names no transition');
    }
    const { action, from, to } = transition;
    if (before !== undefined && from !== (before?.status ?? null))
      fail(
        `the transition starts from ${from ?? 'nothing'}, the chain stood at ${before?.status ?? 'nothing'}`,
      );
    if (!isStep({ action, from, to, entry: entryType }, before ? conditionOf(before) : {}))
      fail(
        `the lifecycle knows no step "${action}" from ${from ?? 'nothing'} to ${to} by an entry ${entryType} where the chain stood`,
      );
    if (before) checkDispute(before.facts, entryType, facts, fail);
    if (before) checkConstant(before.facts, entryType, facts, fail);
    const counter =
      entryType === 'COUNTER_PROPOSED'
        ? true
        : before === undefined
          ? undefined
          : (before?.counter ?? false);
    const movesMoney = isDisputeOpening(entryType) || isDisputeEnd(entryType) || isEnding(facts);
    this.state = {
      status: to,
      facts,
      counter,
      owesSignal: movesMoney || (before?.owesSignal ?? false),
    };
  }

  /** What a peer said, or was asked, leaves the record as it is. */
  private checkBeside({ transition }: EntryFacts, fail: Fail): void {
    const status = this.state?.status;
    if (this.state === null) fail('a chain does not begin with an entry about a peer');
    else if (transition && transition.from !== transition.to)
      fail('an entry about a peer does not move the record');
    else if (transition && status !== undefined && transition.from !== status)
      fail(`the entry says that the record stands at ${transition.to}, the chain at ${status}`);
  }

  /** A signal names the outcome at which the record stands, the signal before it, and what can be recommended there. */
  private checkSignal(facts: EntryFacts, signal: SignalFacts, fail: Fail): void {
    const { state, signal: before } = this;
    const { outcome, recommendation } = signal;
    if (state !== undefined && outcome !== (state?.status ?? null))
      fail(
        `the signal is on another outcome than ${state?.status ?? 'nothing'}, at which the chain stands`,
      );
    if (before !== undefined && signal.supersedes !== (before?.signalId ?? null))
      fail('the signal does not supersede the one before it');
    if (state) {
      const disputed = openDisputeId(state.facts) !== null;
      if (!mayRecommend(outcome, recommendation, disputed))
        fail(
          `${quoted(recommendation ?? undefined)} is not what follows from ${state.status}${disputed ? ' in dispute' : ''}`,
        );
      if (facts.performerAgentId !== state.facts.performerAgentId)
        fail('the signal names another performer than the record');
      // One signal follows from each change that moves money. Only the end of a HOLD comes by itself.
      const isRelease =
        before?.recommendation === 'HOLD' && recommendation === 'RELEASE' && !disputed;
      if (!state.owesSignal && before !== undefined && !isRelease)
        fail('nothing happened that the signal could follow from');
      this.state = { ...state, owesSignal: false };
    }
    this.signal = signal;
  }

  private failing({ position }: ChainRow): Fail {
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

type Fail = (detail: string) => void;

const conditionOf = ({ facts, counter }: StateOnChain): Condition => ({
  pending: isCompletionPending(facts),
  counter,
});

/** A record has one open dispute at most. It is opened once and ended once, and nothing else moves the record meanwhile. */
const checkDispute = (
  before: EntryFacts,
  entryType: string,
  facts: EntryFacts,
  fail: Fail,
): void => {
  const was = openDisputeId(before);
  const is = openDisputeId(facts);
  if (isDisputeOpening(entryType)) {
    if (was !== null || is === null) fail('a dispute is opened where one is open, or none');
  } else if (isDisputeProgress(entryType)) {
    if (was === null || facts.dispute?.id !== was)
      fail('the dispute that the entry is about is not open');
    else if (is !== (isDisputeEnd(entryType) ? null : was))
      fail('the entry leaves the dispute open, or ended, against its type');
  } else if (is !== was) fail('the dispute changes by an entry that is not about it');
  else if (was !== null && entryType !== 'REFERENCE_ADDED')
    fail('the record moves while a dispute is open on it');
};

/** What an entry may change of the members that every entry repeats. */
const checkConstant = (
  before: EntryFacts,
  entryType: string,
  facts: EntryFacts,
  fail: Fail,
): void => {
  const changed = REPEATED.filter(
    (member) => before[member] !== facts[member] && !MAY_CHANGE[member].has(entryType),
  );
  if (JSON.stringify(before.schema) !== JSON.stringify(facts.schema))
    fail('the record type changes within the chain');
  if (changed.length > 0) fail(`an entry ${entryType} does not change ${changed.join(', ')}`);
  if (
    entryType === 'COMPLETION_SUBMITTED' &&
    (typeof facts.completionId !== 'string' || before.completionId === facts.completionId)
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
