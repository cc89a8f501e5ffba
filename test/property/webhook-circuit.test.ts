import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  MAX_ATTEMPTS,
  verdictOf,
  WAITS_SECONDS,
  type Outcome,
} from '../../domain/delivery/attempt.ts';
import {
  CLOSED,
  failed,
  isSpent,
  mayLeave,
  probing,
  refuses,
  setByOperator,
  succeeded,
  type Circuit,
} from '../../domain/delivery/circuit.ts';
import {
  gapBegun,
  gapEnded,
  isFor,
  type Gap,
  type Subscription,
} from '../../domain/delivery/subscription.ts';
import type { NumberedEvent } from '../../domain/event/event.ts';

const T0 = Date.parse('2026-03-01T00:00:00.000Z');
const iso = (seconds: number): string => new Date(T0 + seconds * 1000).toISOString();

type Step =
  | { readonly kind: 'wait'; readonly seconds: number }
  | { readonly kind: 'answer'; readonly isWell: boolean }
  | { readonly kind: 'operator'; readonly state: 'open' | 'closed' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      seconds: fc.integer({ min: 1, max: 90 }),
    }),
    weight: 3,
  },
  {
    arbitrary: fc.record({ kind: fc.constant('answer' as const), isWell: fc.boolean() }),
    weight: 1,
  },
  {
    arbitrary: fc.record({ kind: fc.constant('answer' as const), isWell: fc.constant(false) }),
    weight: 8,
  },
  {
    arbitrary: fc.record({
      kind: fc.constant('operator' as const),
      state: fc.constantFrom('open' as const, 'closed' as const),
    }),
    weight: 1,
  },
);

/** The words of the specification, counted by hand. */
interface Model {
  failures: number;
  openedAt: number | null;
  held: boolean;
}

describe('the breaker', () => {
  it('is the one of the specification, on every walk', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        let now = 0;
        let circuit: Circuit = CLOSED;
        const model: Model = { failures: 0, openedAt: null, held: false };
        for (const one of steps) {
          if (one.kind === 'wait') now += one.seconds;
          else if (one.kind === 'operator') {
            circuit = setByOperator(circuit, one.state, iso(now));
            model.held = one.state === 'open';
            model.openedAt = one.state === 'open' ? now : null;
            if (one.state === 'closed') model.failures = 0;
          } else {
            const leave = mayLeave(circuit, iso(now));
            const expected =
              model.openedAt === null
                ? 'any'
                : model.held || now < model.openedAt + 60
                  ? 'none'
                  : 'probe';
            expect(leave).toBe(expected);
            if (leave === 'none') continue;
            if (leave === 'probe') circuit = probing(circuit);
            circuit = one.isWell ? succeeded(circuit, iso(now)) : failed(circuit, iso(now));
            if (one.isWell) [model.failures, model.openedAt] = [0, null];
            else {
              model.failures++;
              if (leave === 'probe' || model.failures >= 10) model.openedAt = now;
            }
          }
          expect(circuit.consecutiveFailures).toBe(model.failures);
          expect(circuit.state === 'closed').toBe(model.openedAt === null);
          expect(circuit.openedAt).toBe(model.openedAt === null ? null : iso(model.openedAt));
          for (const after of [-1, 0, 1, 59, 60, 61]) {
            const createdAt = (model.openedAt ?? now) + after;
            expect(refuses(circuit, iso(createdAt))).toBe(
              model.openedAt !== null && after > 0 && (model.held || after < 60),
            );
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  it('is spent after 72 hours of failures alone', () => {
    const failing = failed(failed(CLOSED, iso(0)), iso(10));
    expect(isSpent(failing, iso(72 * 3600 - 1))).toBe(false);
    expect(isSpent(failing, iso(72 * 3600))).toBe(true);
    expect(isSpent(succeeded(failing, iso(20)), iso(99 * 3600))).toBe(false);
  });
});

describe('what follows an answer', () => {
  const outcome: fc.Arbitrary<Outcome> = fc.oneof(
    fc.record({
      kind: fc.constant('answered' as const),
      status: fc.integer({ min: 100, max: 599 }),
      retryAfterSeconds: fc.option(fc.integer({ min: 0, max: 100_000 })),
    }),
    fc.constant({ kind: 'unreachable' } as const),
    fc.constantFrom(
      ...(
        ['address_refused', 'secret_undecryptable', 'signing_algorithm_unavailable'] as const
      ).map((reason) => ({ kind: 'withheld', reason }) as const),
    ),
  );
  it('is success, another attempt at its time, or the DLQ', () => {
    fc.assert(
      fc.property(
        outcome,
        fc.integer({ min: 1, max: MAX_ATTEMPTS }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (came, attempt, chance) => {
          const verdict = verdictOf(came, attempt, chance);
          if (came.kind === 'withheld')
            return void expect(verdict).toEqual({
              kind: 'dead',
              reason: came.reason,
              counts: false,
              ends: false,
            });
          const status = came.kind === 'answered' ? came.status : null;
          if (status !== null && status >= 200 && status <= 299)
            return void expect(verdict.kind).toBe('delivered');
          if (status !== null && status >= 300 && status <= 499)
            return void expect(verdict).toMatchObject({
              kind: 'dead',
              counts: true,
              ends: status === 410,
            });
          if (attempt === 6)
            return void expect(verdict).toMatchObject({
              kind: 'dead',
              reason: 'attempts_exhausted',
            });
          const wait = WAITS_SECONDS[attempt - 1]!;
          const asked =
            came.kind === 'answered' && status === 503
              ? Math.min(came.retryAfterSeconds ?? 0, 300)
              : 0;
          expect(verdict.kind).toBe('retry');
          const after = verdict.kind === 'retry' ? verdict.afterMs / 1000 : 0;
          expect(after).toBeGreaterThanOrEqual(Math.max(wait * 0.8, asked) - 0.001);
          expect(after).toBeLessThanOrEqual(Math.max(wait * 1.2, asked) + 0.001);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('an event', () => {
  it('is for a subscription where that existed, was active and not paused, whenever a worker looks', () => {
    const toggle = fc.record({
      after: fc.integer({ min: 2, max: 20 }),
      kind: fc.constantFrom('paused' as const, 'inactive' as const),
    });
    fc.assert(
      fc.property(
        fc.array(toggle, { maxLength: 12 }),
        fc.integer({ min: -5, max: 260 }),
        fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 14, maxLength: 14 }),
        (toggles, when, clock) => {
          let gaps: readonly Gap[] = [];
          const state = { paused: false, inactive: false };
          let now = 0;
          let isOpenThen = when >= 0;
          const spans: { from: number; to: number; open: boolean }[] = [];
          for (const { after, kind } of toggles) {
            spans.push({ from: now, to: now + after, open: !state.paused && !state.inactive });
            now += after;
            // The clock goes forwards and backwards, so only the number can decide.
            const mark = { number: now, at: iso(clock[spans.length]!) };
            gaps = state[kind] ? gapEnded(gaps, kind, mark) : gapBegun(gaps, kind, mark);
            state[kind] = !state[kind];
          }
          spans.push({ from: now, to: Infinity, open: !state.paused && !state.inactive });
          // At the very instant of a change either is right; the model looks between two.
          const at = when + 0.5;
          isOpenThen &&= spans.some(({ from, to, open }) => open && from < at && at < to);
          const subscription: Pick<
            Subscription,
            | 'ownerType'
            | 'ownerId'
            | 'eventTypes'
            | 'recordTypes'
            | 'recordId'
            | 'gaps'
            | 'startsAfter'
          > = {
            ownerType: 'org',
            ownerId: 'o',
            eventTypes: ['*'],
            recordTypes: ['*'],
            recordId: null,
            gaps,
            startsAfter: 0,
          };
          const event = { ...EVENT, sequence: at, createdAt: iso(clock.at(-1)!) };
          expect(isFor(subscription, event)).toBe(isOpenThen);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ['its owner may not get it', { ownerId: 'p' }],
    ['its type is not named', { eventTypes: ['record.failed'] }],
    ['the type of its record is not named', { recordTypes: ['job'] }],
  ])('is not for a subscription where %s', (_, changes) => {
    const takes = {
      ownerType: 'org',
      ownerId: 'o',
      eventTypes: ['record.recorded'],
      recordTypes: ['note'],
      recordId: null,
      gaps: [],
      startsAfter: 0,
    } as const;
    expect(isFor(takes, EVENT)).toBe(true);
    expect(isFor({ ...takes, ...changes }, EVENT)).toBe(false);
    const keyEvent = { ...EVENT, type: 'key.minted' as const, recordId: null, recordType: null };
    expect(isFor({ ...takes, eventTypes: ['*'] }, keyEvent)).toBe(true);
  });
});

const EVENT: NumberedEvent = {
  id: 'e',
  type: 'record.recorded',
  orgId: 'o',
  counterpartyOrgId: null,
  partyAgentId: 'a',
  counterpartyAgentId: null,
  recordId: 'r',
  recordType: 'note',
  agentId: 'a',
  data: {},
  createdAt: iso(1),
  position: 1,
  sequence: 1,
  numberedAt: iso(1),
};
