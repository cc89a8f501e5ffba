import { addReference } from './add-reference.ts';
import type { Action } from './actions.ts';
import { createRecord, type RecordDraft } from './creation.ts';
import { passedDeadline, type RecordDeadline } from './deadlines.ts';
import {
  assertCanDelegate,
  assertChildrenEnded,
  childrenEnded,
  delegate,
  verifyCascade,
} from './delegation.ts';
import { cancel, cancelWithParent, expire } from './endings.ts';
import { assertLatest, evaluate, renderVerdict, requestRevision } from './judgement.ts';
import { LIFECYCLE, type Transition } from './lifecycle.ts';
import { transitionsOf } from './lifecycle-queries.ts';
import { accept, activate, counterPropose, propose, reject } from './proposals.ts';
import type { RecordChange } from './record-change.ts';
import type { RecordState } from './record-state.ts';
import type { RecordStatus } from './record-status.ts';
import { conditionOf, disputedRefusal, guardRefusal, wrongSide, wrongState } from './refusal.ts';
import { mayAct, type Acting } from './sides.ts';
import { submit } from './submission.ts';

/** What a rule takes besides the record. */
type Given<Rule> = Rule extends (record: RecordState, ...given: infer Rest) => unknown
  ? Rest
  : never;

/**
 * The aggregate: what an action may do to a record, and what it makes of it. An action asks for its transition first,
 * which refuses; the rule of the action then gives the change. The rules stand in files of their own, by what they are
 * about. What a dispute changes is a rule of the dispute (`domain/dispute/moves.ts`), and a settlement signal follows
 * from a change that was decided (`settlement.ts`). Times are ISO 8601.
 */
export class NotaryRecord {
  constructor(readonly state: RecordState) {}

  static create(draft: RecordDraft, at: string): RecordChange {
    return createRecord(draft, at);
  }

  passedDeadline(...given: Given<typeof passedDeadline>): RecordDeadline | null {
    return passedDeadline(this.state, ...given);
  }

  /** Whether a deadline of the record has passed. */
  isDue(...given: Given<typeof passedDeadline>): boolean {
    return this.passedDeadline(...given) !== null;
  }

  /**
   * The transition that this attempt would take. Refuses in the order of the contract: side, open dispute, state,
   * guards.
   *
   * @param to narrows an action that may lead to several states, as a verdict does.
   */
  transitionFor(action: Action, acting: Acting, to?: readonly RecordStatus[]): Transition {
    const all = (LIFECYCLE as readonly Transition[]).filter(
      (transition) => transition.action === action && transition.from.length > 0,
    );
    if (!all.some((transition) => mayAct(transition, acting, this.state)))
      throw wrongSide(action, all, this.state);
    if (this.state.disputed) throw disputedRefusal(this.state);
    const now = transitionsOf(action, this.state.status, conditionOf(this.state)).filter(
      (transition) => !to || transition.to.some((target) => to.includes(target as RecordStatus)),
    );
    if (now.length === 0) throw wrongState(action, this.state, to?.[0]);
    const transition = now.find((candidate) => mayAct(candidate, acting, this.state));
    if (!transition) throw wrongSide(action, now, this.state);
    const refusal = guardRefusal(transition, this.state);
    if (refusal) throw refusal;
    return transition;
  }

  activate(...given: Given<typeof activate>): RecordChange {
    return activate(this.state, ...given);
  }

  propose(...given: Given<typeof propose>): RecordChange {
    return propose(this.state, ...given);
  }

  counterPropose(...given: Given<typeof counterPropose>): RecordChange {
    return counterPropose(this.state, ...given);
  }

  accept(...given: Given<typeof accept>): RecordChange {
    return accept(this.state, ...given);
  }

  reject(...given: Given<typeof reject>): RecordChange {
    return reject(this.state, ...given);
  }

  cancel(...given: Given<typeof cancel>): RecordChange {
    return cancel(this.state, ...given);
  }

  cancelWithParent(...given: Given<typeof cancelWithParent>): RecordChange {
    return cancelWithParent(this.state, ...given);
  }

  expire(...given: Given<typeof expire>): RecordChange {
    return expire(this.state, ...given);
  }

  submit(...given: Given<typeof submit>): RecordChange {
    return submit(this.state, ...given);
  }

  evaluate(...given: Given<typeof evaluate>): RecordChange {
    return evaluate(this.state, ...given);
  }

  renderVerdict(...given: Given<typeof renderVerdict>): RecordChange {
    return renderVerdict(this.state, ...given);
  }

  requestRevision(...given: Given<typeof requestRevision>): RecordChange {
    return requestRevision(this.state, ...given);
  }

  delegate(...given: Given<typeof delegate>): RecordChange {
    return delegate(this.state, ...given);
  }

  verifyCascade(...given: Given<typeof verifyCascade>): RecordChange {
    return verifyCascade(this.state, ...given);
  }

  childrenEnded(...given: Given<typeof childrenEnded>): RecordChange {
    return childrenEnded(this.state, ...given);
  }

  addReference(...given: Given<typeof addReference>): RecordChange {
    return addReference(this.state, ...given);
  }

  assertLatest(...given: Given<typeof assertLatest>): void {
    assertLatest(this.state, ...given);
  }

  assertChildrenEnded(...given: Given<typeof assertChildrenEnded>): void {
    assertChildrenEnded(this.state, ...given);
  }

  assertCanDelegate(...given: Given<typeof assertCanDelegate>): void {
    assertCanDelegate(this.state, ...given);
  }

  /** The record after its dispute window closed. */
  released(at: string): RecordState {
    return { ...this.state, disputeDeadline: null, updatedAt: at, version: this.state.version + 1 };
  }
}
