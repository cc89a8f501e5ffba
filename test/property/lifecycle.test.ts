import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Caller } from '../../domain/identity/caller.ts';
import { expandScopes, SCOPE_PROFILES } from '../../domain/identity/scopes.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { guide } from '../../domain/record/guidance.ts';
import { ACTIONS, type Action } from '../../domain/record/actions.ts';
import { isStep } from '../../domain/record/lifecycle-queries.ts';
import { LIFECYCLE, type Transition } from '../../domain/record/lifecycle.ts';
import { STATUSES, TERMINAL, type RecordStatus } from '../../domain/record/record-status.ts';
import { NotaryRecord } from '../../domain/record/notary-record.ts';
import type { RecordChange } from '../../domain/record/record-change.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import { allowedActions, conditionOf } from '../../domain/record/refusal.ts';
import { actingOn, type Acting } from '../../domain/record/sides.ts';
import {
  completeManifest,
  manifestDigest,
  type RecordType,
} from '../../domain/record-type/manifest.ts';

const ORG = '00000000-0000-7000-8000-00000000000a';
const OTHER_ORG = '00000000-0000-7000-8000-00000000000b';
const PRINCIPAL = '00000000-0000-7000-8000-000000000001';
const PERFORMER = '00000000-0000-7000-8000-000000000002';
const STRANGER = '00000000-0000-7000-8000-000000000003';

const callerOf = (role: Caller['role'], agentId: string, orgId: string | null): Caller => {
  const { scopes } =
    SCOPE_PROFILES[
      role === 'agent' ? 'agent-full' : role === 'admin' ? 'admin-standard' : 'platform-full'
    ];
  return {
    role,
    authType: 'api_key',
    apiKeyId: agentId,
    agentId,
    orgId,
    name: role,
    scopes,
    allowed: expandScopes(scopes),
    allowedIps: null,
    cert: null,
    oidc: null,
  };
};
const CALLERS: readonly Caller[] = [
  callerOf('agent', PRINCIPAL, ORG),
  callerOf('agent', PERFORMER, OTHER_ORG),
  callerOf('agent', STRANGER, ORG),
  callerOf('admin', STRANGER, ORG),
  callerOf('admin', STRANGER, OTHER_ORG),
  callerOf('platform', STRANGER, null),
];

const typeOf = (gateMode: 'auto' | 'principal', notarize: boolean): RecordType => {
  const manifest = completeManifest(
    { type: 't', completionSchema: notarize ? {} : { type: 'object' }, gateMode, maxRevisions: 2 },
    { orgSlug: 'acme', nextVersion: 1 },
  );
  return {
    id: ORG,
    orgId: ORG,
    publisher: 'acme',
    type: 't',
    version: 1,
    manifest,
    manifestDigest: manifestDigest(manifest),
    status: 'active',
    registeredBy: null,
    entryPosition: 1,
    registeredAt: '2026-01-01T00:00:00.000Z',
  };
};

const opening = fc.record({
  gateMode: fc.constantFrom('auto' as const, 'principal' as const),
  notarize: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  autoActivate: fc.boolean(),
  named: fc.boolean(),
  creator: fc.constantFrom('principal' as const, 'performer' as const),
});
/** `likely` takes an action that the state allows, by whoever may do everything; the others try anything. */
const step = fc.record({
  likely: fc.boolean(),
  pick: fc.nat(20),
  action: fc.constantFrom(...ACTIONS),
  who: fc.integer({ min: -1, max: CALLERS.length - 1 }),
  accepts: fc.boolean(),
  passes: fc.boolean(),
});

const at = (tick: number): string => new Date(Date.UTC(2026, 0, 1) + tick * 1000).toISOString();
const BY = { kind: 'agent' } as const;

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const likely = (state: RecordState, one: Step): Step => {
  const moves = allowedActions(state).filter(
    (action) => action !== 'view' && action !== 'export-audit',
  );
  return one.likely && moves.length > 0
    ? { ...one, action: moves[one.pick % moves.length]!, who: CALLERS.length - 1 }
    : one;
};

/** Takes one step, or throws the refusal. */
const attempt = (
  record: NotaryRecord,
  completionOf: RecordChange['completion'],
  given: Step,
  tick: number,
): RecordChange | null => {
  const one = likely(record.state, given);
  const acting: Acting = one.who < 0 ? 'system' : actingOn(CALLERS[one.who]!, record.state);
  const row = (to?: readonly RecordStatus[]): Transition =>
    record.transitionFor(one.action, acting, to);
  const now = at(tick);
  switch (one.action) {
    case 'activate':
      return record.activate(row(), now);
    case 'propose':
      return record.propose(row(), { agentId: PERFORMER, orgId: OTHER_ORG }, now);
    case 'counter-propose':
      return record.counterPropose(row(), { criteria: { tick }, message: null, by: BY }, now);
    case 'accept':
    case 'accept-counter':
      return record.accept(row(), null, now);
    case 'reject':
      return record.reject(row(), 'no', now);
    case 'cancel':
      return record.cancel(row(), 'principal', null, now);
    case 'expire':
      return record.expire(row(), now);
    case 'revision':
      return record.requestRevision(row(), null, now);
    case 'submit-completion':
      return record.submit(
        row(),
        {
          id: `00000000-0000-7000-8000-${String(tick).padStart(12, '0')}`,
          evidence: { tick },
          by: BY,
          position: tick,
        },
        null,
        now,
      );
    case 'render-verdict':
      return record.renderVerdict(
        row(one.accepts ? ['FULFILLED', 'REMEDIATED'] : ['FAILED']),
        completionOf!,
        { verdict: one.accepts ? 'accept' : 'reject', reason: null, by: BY },
        now,
      );
    case 'evaluate':
      row([one.passes ? 'FULFILLED' : 'FAILED']);
      return record.evaluate(
        completionOf!,
        {
          state: one.passes ? 'PASSED' : 'FAILED',
          results: [],
          claim: { state: '', now, inputsDigest: '', results: [] },
        },
        now,
      );
    default:
      record.transitionFor(one.action, acting);
      return null;
  }
};

describe('random walks over the lifecycle', () => {
  it('move only along the table, refuse only with the catalogue, and never leave a final state but for an override', () => {
    const reached = new Set<RecordStatus>();
    const taken = new Set<Transition>();
    fc.assert(
      fc.property(opening, fc.array(step, { maxLength: 40 }), (start, steps) => {
        const performer = { agentId: PERFORMER, orgId: OTHER_ORG };
        const opened = NotaryRecord.create(
          {
            id: ORG,
            recordType: typeOf(start.gateMode, start.notarize),
            principal: { agentId: PRINCIPAL, orgId: ORG },
            performer: start.named ? performer : null,
            creator: start.creator,
            criteria: { goal: 1 },
            platform: 'api',
            platformRef: null,
            message: null,
            autoActivate: start.autoActivate,
            expiresAt: null,
          },
          at(0),
        );
        let state: RecordState = opened.after;
        let completion: RecordChange['completion'];
        reached.add(state.status);
        for (const [index, one] of steps.entries()) {
          const record = new NotaryRecord(state);
          let change: RecordChange | null;
          try {
            change = attempt(record, completion, one, index + 1);
          } catch (refusal) {
            expect(refusal).toBeInstanceOf(NotaryError);
            expect((refusal as NotaryError).members.suggestion).toBeTruthy();
            continue;
          }
          if (!change) continue;
          expect(
            isStep(
              {
                action: change.transition.action,
                from: state.status,
                to: change.after.status,
                entry: change.transition.entry,
              },
              conditionOf(state),
            ),
          ).toBe(true);
          expect(change.transition.from).toContain(state.status);
          if (TERMINAL.has(state.status))
            expect([state.status, change.after.status]).toEqual(['FAILED', 'REMEDIATED']);
          expect(change.after.version).toBe(state.version + 1);
          expect(change.after.terminalAt === null).toBe(!TERMINAL.has(change.after.status));
          expect(change.after.awaiting === null).toBe(TERMINAL.has(change.after.status));
          if (change.after.completionPending) expect(change.after.status).toBe('ACTIVE');
          taken.add(change.transition);
          state = change.after;
          completion = change.completion ?? completion;
          reached.add(state.status);
        }
      }),
      { numRuns: 4000 },
    );
    expect([...STATUSES].filter((status) => !reached.has(status))).toEqual([]);
    // What needs delegation or disputes is not walked yet.
    const later: ReadonlySet<Action> = new Set<Action>([
      'create',
      'verify-cascade',
      'delegate',
      'resolve-dispute',
    ]);
    expect(
      (LIFECYCLE as readonly Transition[])
        .filter((row) => !later.has(row.action) && !taken.has(row))
        .map((row) => `${row.action} ${row.from.join()} → ${row.to.join()}`),
    ).toEqual([]);
  });

  it('never guide anyone to what would be refused', () => {
    fc.assert(
      fc.property(
        opening,
        fc.array(step, { maxLength: 25 }),
        fc.nat(CALLERS.length - 1),
        (start, steps, reader) => {
          const performer = { agentId: PERFORMER, orgId: OTHER_ORG };
          let state = NotaryRecord.create(
            {
              id: ORG,
              recordType: typeOf(start.gateMode, start.notarize),
              principal: { agentId: PRINCIPAL, orgId: ORG },
              performer: start.named ? performer : null,
              creator: start.creator,
              criteria: {},
              platform: 'api',
              platformRef: null,
              message: null,
              autoActivate: start.autoActivate,
              expiresAt: null,
            },
            at(0),
          ).after;
          let completion: RecordChange['completion'];
          for (const [index, one] of steps.entries()) {
            try {
              const change = attempt(new NotaryRecord(state), completion, one, index + 1);
              state = change?.after ?? state;
              completion = change?.completion ?? completion;
            } catch (refusal) {
              if (!(refusal instanceof NotaryError)) throw refusal;
            }
          }
          const record = new NotaryRecord(state);
          const caller = CALLERS[reader]!;
          const { nextSteps, nextActions } = guide(state, caller, { valid: [], own: [] });
          for (const { action } of nextSteps)
            if (action !== 'view' && action !== 'export-audit')
              expect(() => record.transitionFor(action, actingOn(caller, state))).not.toThrow();
          for (const action of nextActions) expect(allowedActions(state)).toContain(action);
          expect(nextSteps[0]?.action).not.toBe('cancel');
          if (nextActions.includes('cancel')) expect(nextActions.at(-1)).toBe('cancel');
        },
      ),
      { numRuns: 2000 },
    );
  });
});
