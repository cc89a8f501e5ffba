import { describe, expect, it } from 'vitest';
import { factsAfter } from '../../../domain/record/chain-facts.ts';
import { readEntryFacts } from '../../../domain/record/entry-facts.ts';
import type { RecordFacts } from '../../../domain/record/record-facts.ts';
import type { JsonObject } from '../../../domain/kernel/canonical-json.ts';
import { stepObstacle } from '../../../domain/record/federated-record.ts';
import { sidesOf } from '../../../domain/record/sides.ts';

const AT = '2026-01-01T00:00:00.000Z';
const PEER = { kind: 'peer', peerHubId: 'p' };
const fold = (...entries: readonly JsonObject[]): RecordFacts =>
  entries.reduce<RecordFacts | null>(
    (before, entry) => factsAfter(before, readEntryFacts({ recordId: 'r', at: AT, ...entry })),
    null,
  )!;
const created = (role: 'home' | 'mirror'): JsonObject => ({
  entryType: 'RECORD_PROPOSED',
  actor: role === 'home' ? { kind: 'agent' } : PEER,
  transition: { action: 'create', from: null, to: 'PROPOSED' },
  terms: { federation: { role, peerHubId: 'p', recordId: role === 'home' ? null : 'h' } },
});
const step = (action: string, actor: JsonObject = PEER): JsonObject => ({
  entryType: 'PROPOSAL_ACCEPTED',
  actor,
  transition: { action, from: 'PROPOSED', to: 'ACTIVE' },
});
const offered = (action: string): JsonObject => ({
  entryType: 'STEP_OFFERED',
  actor: { kind: 'agent' },
  transition: { action, from: 'PROPOSED', to: 'PROPOSED' },
});
const attested = (sequence: number, outcome = 'applied'): JsonObject => ({
  entryType: 'PEER_STATEMENT_ATTESTED',
  sequence,
  outcome,
});

describe('what a chain says of the federated half of its record', () => {
  it('home tells of every entry and signal, until it is detached', () => {
    const { federation } = fold(
      created('home'),
      step('accept'),
      attested(1),
      { entryType: 'SIGNAL_EMITTED' },
      { entryType: 'RECORD_DETACHED', peer: { reason: 'equivocation' } },
      step('cancel'),
    );
    expect(federation).toMatchObject({ sent: 3, received: 1, detached: 'equivocation' });
  });

  it('a mirror tells of its steps alone, and keeps its state meanwhile', () => {
    const facts = fold(created('mirror'), attested(1), offered('accept'));
    expect(facts.status).toBe('PROPOSED');
    expect(facts.federation).toMatchObject({ sent: 1, received: 1, homeRecordId: 'h' });
    expect(facts.pendingStep).toEqual({ action: 'accept', sequence: 1, since: AT });
  });

  it.each<[string, JsonObject, boolean]>([
    ['home carried it out', { ...step('accept'), peer: { statementHash: 'ab' } }, true],
    ['home did the same by itself', step('accept'), false],
    ['home refuses it', { entryType: 'STEP_REFUSED', peer: { code: 'x' } }, true],
    ['the record is detached', { entryType: 'RECORD_DETACHED', peer: { reason: 'broken' } }, true],
    ['home tells of something else', step('add-reference'), false],
    ['something is attested', attested(2), false],
  ])('a step ends where %s', (_name, entry, ends) => {
    const { pendingStep } = fold(created('mirror'), offered('accept'), entry);
    expect(pendingStep === null).toBe(ends);
  });

  it('what was refused is received, and not applied', () => {
    const { federation } = fold(created('home'), attested(1), attested(2, 'refused'));
    expect(federation).toMatchObject({ received: 2, applied: 1 });
  });

  it('nothing more is told of an offer that the peer refused', () => {
    const { federation } = fold(
      created('home'),
      {
        entryType: 'PROPOSAL_REJECTED',
        actor: PEER,
        transition: { action: 'reject', from: 'PROPOSED', to: 'REJECTED' },
        peer: { statementHash: 'ab', code: 'AGENT_UNKNOWN' },
      },
      step('add-reference', { kind: 'agent' }),
    );
    expect(federation).toMatchObject({ sent: 1, detached: 'offer_refused' });
  });

  it('the refusal that a mirror asked for itself detaches nothing', () => {
    const { federation, pendingStep } = fold(created('mirror'), offered('reject'), {
      entryType: 'PROPOSAL_REJECTED',
      actor: PEER,
      transition: { action: 'reject', from: 'PROPOSED', to: 'REJECTED' },
      peer: { statementHash: 'ab' },
    });
    expect(federation).toMatchObject({ detached: null });
    expect(pendingStep).toBeNull();
  });

  it('a record of this hub alone has no such half', () => {
    expect(fold({ ...created('home'), terms: {} }, step('accept')).federation).toBeNull();
  });
});

describe('who acts on a record of two hubs', () => {
  const record = (role: 'home' | 'mirror') => ({
    orgId: 'o',
    principalAgentId: 'a',
    performerAgentId: 'b',
    performerOrgId: role === 'home' ? null : 'o',
    federation: { role, peerHubId: 'p' },
  });
  const sides = (role: 'home' | 'mirror', caller: object) => [
    ...sidesOf({ role: 'agent', agentId: null, orgId: null, ...caller }, record(role)),
  ];

  it('nobody here is the party of the other hub, whatever the credential', () => {
    expect(sides('home', { role: 'platform' })).toEqual(['principal']);
    expect(sides('mirror', { role: 'platform' })).toEqual(['performer']);
    expect(sides('mirror', { role: 'admin', orgId: 'o' })).toEqual(['performer']);
    expect(sides('mirror', { agentId: 'a' })).toEqual([]);
    expect(sides('home', { agentId: 'b' })).toEqual([]);
  });

  it('a hub speaks for its own party, and another hub for nobody', () => {
    expect(sides('home', { peerHubId: 'p' })).toEqual(['performer']);
    expect(sides('home', { peerHubId: 'q', role: 'platform' })).toEqual([]);
  });
});

describe('a mirror takes no step', () => {
  const state = {
    role: 'mirror',
    peerHubId: 'p',
    recordId: 'h',
    sent: 0,
    received: 1,
    applied: 1,
    refusedSteps: 0,
    pendingStep: null,
    detached: null,
  } as const;
  it.each([
    [null, {}],
    ['pending', { pendingStep: { action: 'accept', sequence: 1, since: AT } }],
    ['exhausted', { refusedSteps: 32 }],
    [null, { refusedSteps: 31 }],
    ['detached', { detached: 'broken', refusedSteps: 32 }],
    [null, { role: 'home', detached: 'broken' }],
  ] as const)('%s: %j', (obstacle, changes) => {
    expect(stepObstacle({ federation: { ...state, ...changes } })).toBe(obstacle);
  });
});
