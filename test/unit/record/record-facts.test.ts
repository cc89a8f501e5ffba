import { describe, expect, it } from 'vitest';
import { openDisputeId } from '../../../domain/record/dispute-facts.ts';
import { readEntryFacts, startsWork } from '../../../domain/record/entry-facts.ts';
import {
  differingFacts,
  factsAfter,
  factsOfRecord,
  needsEntryBefore,
} from '../../../domain/record/record-facts.ts';
import type { JsonObject, JsonValue } from '../../../domain/kernel/canonical-json.ts';
import { at, id, stateOf } from './support.ts';

const moved = (from: string | null, to: string, members: JsonObject = {}): JsonObject => ({
  entryType: 'VERDICT_RENDERED',
  at: at(5),
  transition: { action: 'render-verdict', from, to },
  performerAgentId: id(2),
  ...members,
});
const factsOf = (predicate: JsonObject) => factsAfter(readEntryFacts(predicate));

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

describe('what a record is after an entry', () => {
  it('says when it ended, and who cancelled it, only where it ended', () => {
    const cancelledBy = 'principal';
    expect(factsOf(moved('ACTIVE', 'CANCELLED', { cancelledBy }))).toMatchObject({
      terminalAt: at(5),
      cancelledBy,
      activated: true,
    });
    const later = factsOf(moved('CANCELLED', 'CANCELLED'));
    for (const name of ['terminalAt', 'cancelledBy', 'activated'])
      expect(later).not.toHaveProperty(name);
  });

  it('is that a completion waits while the record is active', () => {
    const completionId = id(3);
    expect(factsOf(moved('ACTIVE', 'ACTIVE', { completionId })).completionPending).toBe(true);
    expect(factsOf(moved('ACTIVE', 'FULFILLED', { completionId })).completionPending).toBe(false);
    expect(factsOf(moved('ACTIVE', 'ACTIVE')).completionPending).toBe(false);
  });

  it('is not whole where the entry is a signal, or follows the end', () => {
    const needed = (predicate: JsonObject) => needsEntryBefore(readEntryFacts(predicate));
    const signal = { entryType: 'SIGNAL_EMITTED', signalId: id(4) };
    expect(needed(signal)).toBe(true);
    expect(factsOf(signal)).toEqual({ latestSignalId: id(4) });
    expect(needed(moved('FULFILLED', 'FULFILLED'))).toBe(true);
    expect(needed(moved('FULFILLED', 'FAILED'))).toBe(false);
    expect(needed(moved('ACTIVE', 'ACTIVE'))).toBe(false);
  });
});

describe('a row and its chain', () => {
  it('differ in every fact that the chain states otherwise, and in none that it does not state', () => {
    const row = factsOfRecord(stateOf());
    expect(differingFacts(row, row)).toEqual([]);
    expect(differingFacts(row, {})).toEqual([]);
    for (const name of Object.keys(row)) {
      expect(differingFacts(row, { ...row, [name]: 'another' })).toEqual([name]);
      expect(differingFacts(row, { ...row, [name]: undefined })).toEqual([name]);
    }
  });
});
