import { describe, expect, it } from 'vitest';
import { openDisputeId } from '../../../domain/record/dispute-facts.ts';
import { readEntryFacts, startsWork } from '../../../domain/record/entry-facts.ts';
import { factsAfter } from '../../../domain/record/chain-facts.ts';
import { differingFacts, factsOfRecord } from '../../../domain/record/record-facts.ts';
import type { JsonObject, JsonValue } from '../../../domain/kernel/canonical-json.ts';
import { at, id, stateOf } from './support.ts';

const moved = (from: string | null, to: string, members: JsonObject = {}): JsonObject => ({
  entryType: 'VERDICT_RENDERED',
  at: at(5),
  transition: { action: 'render-verdict', from, to },
  performerAgentId: id(2),
  ...members,
});
const factsOf = (...predicates: readonly JsonObject[]) =>
  predicates.map(readEntryFacts).reduce(factsAfter, null as ReturnType<typeof factsAfter> | null)!;
const opened = (members: JsonObject = {}): JsonObject => ({
  ...moved(null, 'ACTIVE', { entryType: 'RECORD_CREATED', recordId: id(1), ...members }),
  at: at(1),
});

describe('what an entry says', () => {
  it('of another form than a predicate has is read without an exception', () => {
    const values: readonly JsonValue[] = [null, 5, 'text', [], {}, [null], { id: [] }];
    for (const value of values)
      expect(() =>
        factsOf({
          entryType: value,
          transition: value,
          schema: value,
          dispute: value,
          children: value,
          performerAgentId: value,
        }),
      ).not.toThrow();
  });

  it('names no transition unless all of it is text', () => {
    const transitions: readonly JsonObject[] = [
      { action: 'cancel', from: 5, to: 'CANCELLED' },
      { action: 'cancel', to: 'CANCELLED' },
      { from: null, to: 'ACTIVE' },
    ];
    for (const transition of transitions)
      expect(readEntryFacts({ ...moved(null, 'ACTIVE'), transition }).transition).toBeNull();
  });

  it('lists the children that it names, and nothing that is no id', () => {
    const children = [{ id: id(7) }, { id: 'x' }, null, { id: id(8) }];
    expect(readEntryFacts(moved('ACTIVE', 'ACTIVE', { children })).childIds).toEqual([
      id(7),
      id(8),
    ]);
  });

  it('leaves a dispute open until an entry says that it ended', () => {
    const open = (dispute: JsonObject) => openDisputeId(readEntryFacts({ dispute }));
    expect(open({ id: id(9) })).toBe(id(9));
    expect(open({ id: id(9), phase: 'TIER_2_REVIEW' })).toBe(id(9));
    expect(open({ id: id(9), phase: 'RESOLVED' })).toBeNull();
    expect(open({ id: id(9), phase: 'WITHDRAWN' })).toBeNull();
    expect(openDisputeId(readEntryFacts({}))).toBeNull();
  });

  it('starts the work where the record becomes active for the first time', () => {
    expect(startsWork(readEntryFacts(moved('PROPOSED', 'ACTIVE')))).toBe(true);
    expect(startsWork(readEntryFacts(moved(null, 'ACTIVE')))).toBe(true);
    expect(startsWork(readEntryFacts(moved('REVISION_REQUESTED', 'ACTIVE')))).toBe(false);
  });
});

describe('what a record is after its entries', () => {
  it('says when it began, when work on it began and when it ended, and who cancelled it', () => {
    const cancelledBy = 'principal';
    const facts = factsOf(opened(), moved('ACTIVE', 'CANCELLED', { cancelledBy }), {
      ...moved('CANCELLED', 'CANCELLED'),
      at: at(9),
    });
    expect(facts).toMatchObject({
      createdAt: at(1),
      activatedAt: at(1),
      terminalAt: at(5),
      updatedAt: at(9),
      cancelledBy,
      status: 'CANCELLED',
    });
  });

  it('is that a completion waits while the record is active', () => {
    const completionId = id(3);
    const after = (to: string, members: JsonObject) =>
      factsOf(opened(), moved('ACTIVE', to, members));
    expect(after('ACTIVE', { completionId }).completionPending).toBe(true);
    expect(after('FULFILLED', { completionId }).completionPending).toBe(false);
    expect(after('ACTIVE', {}).completionPending).toBe(false);
  });

  it('counts what was added, and keeps what only the first entry says', () => {
    const step = (entryType: string, members: JsonObject = {}) =>
      moved('ACTIVE', 'ACTIVE', { entryType, recordId: id(1), ...members });
    const terms = { platform: 'p', platformRef: 'r', gateMode: 'auto', depth: 2 };
    expect(
      factsOf(
        opened({ terms, messageHash: 'm' }),
        step('CHILD_DELEGATED'),
        step('CHILD_DELEGATED'),
        step('REVISION_REQUESTED'),
        step('COUNTER_PROPOSED', { criteriaHash: 'c', messageHash: 'n', actor: { kind: 'agent' } }),
        step('REFERENCE_ADDED', { reference: { id: id(6) }, actor: { kind: 'agent' } }),
        step('DISPUTE_OPENED', { dispute: { id: id(7), deadline: at(50) } }),
        step('REFERENCE_ADDED', { dispute: { id: id(7) }, reference: { id: id(8) } }),
      ),
    ).toMatchObject({
      platform: 'p',
      platformRef: 'r',
      gateMode: 'auto',
      depth: 2,
      messageHash: 'm',
      childCount: 2,
      revisionCount: 1,
      proposalRounds: 1,
      counterProposal: {
        criteriaHash: 'c',
        messageHash: 'n',
        proposedBy: { kind: 'agent' },
        proposedAt: at(5),
      },
      references: [{ id: id(6), addedBy: { kind: 'agent' }, addedAt: at(5) }, { id: id(8) }],
      disputed: true,
      disputeCount: 1,
      phaseDeadline: at(50),
    });
  });

  it('takes the criteria of a counter-proposal only where it was accepted', () => {
    const counter = moved('PROPOSED', 'PROPOSED', {
      entryType: 'COUNTER_PROPOSED',
      criteriaHash: 'theirs',
    });
    const end = (entryType: string, to: string) =>
      factsOf(
        opened({ criteriaHash: 'ours' }),
        counter,
        moved('PROPOSED', to, { entryType, criteriaHash: 'theirs' }),
      );
    expect(end('COUNTER_ACCEPTED', 'ACTIVE')).toMatchObject({
      criteriaHash: 'theirs',
      counterProposal: null,
    });
    expect(end('PROPOSAL_REJECTED', 'REJECTED')).toMatchObject({
      criteriaHash: 'ours',
      counterProposal: { criteriaHash: 'theirs' },
    });
  });

  it('is held from a HOLD to the next signal, and while no dispute is open', () => {
    const signal = (recommendation: string): JsonObject => ({
      entryType: 'SIGNAL_EMITTED',
      recordId: id(1),
      signalId: id(4),
      recommendation,
    });
    expect(factsOf(opened(), signal('HOLD'))).toMatchObject({
      isHeld: true,
      latestSignalId: id(4),
    });
    expect(factsOf(opened(), signal('HOLD'), signal('RELEASE')).isHeld).toBe(false);
    const dispute = moved('FAILED', 'FAILED', { dispute: { id: id(7) } });
    expect(factsOf(opened(), signal('HOLD'), dispute).isHeld).toBe(false);
  });

  it('is nothing of this record where an entry is about another one', () => {
    for (const other of [
      moved('ACTIVE', 'ACTIVE', { recordId: id(2) }),
      { entryType: 'SIGNAL_EMITTED', recordId: id(2) },
    ])
      expect(factsOf(opened(), other).recordId).toBeNull();
  });
});

describe('a row and its chain', () => {
  it('differ in every fact that the chain states otherwise', () => {
    const record = stateOf();
    const facts = factsOfRecord(record);
    expect(differingFacts(record, facts)).toEqual([]);
    for (const name of Object.keys(facts)) {
      expect(differingFacts(record, { ...facts, [name]: 'another' })).toEqual([name]);
      expect(differingFacts(record, { ...facts, [name]: undefined })).toEqual([name]);
    }
  });

  it('differ where a HOLD ends at another time than the dispute window', () => {
    const held = stateOf({
      status: 'FAILED',
      terminalAt: at(0),
      disputeWindowSeconds: 60,
      disputeDeadline: at(60),
    });
    expect(differingFacts(held, factsOfRecord(held))).toEqual([]);
    const sooner = { ...held, disputeDeadline: at(59) };
    expect(differingFacts(sooner, factsOfRecord(held))).toEqual(['disputeDeadline']);
    const never = { ...held, disputeDeadline: null };
    expect(differingFacts(never, factsOfRecord(held))).toEqual(['isHeld']);
  });
});
