import { describe, expect, it } from 'vitest';
import { limitKeyOfAddress } from '../../../adapters/limits/client-address.ts';
import { SlidingWindowLimiter } from '../../../adapters/limits/sliding-window.ts';
import {
  Budgets,
  type Allowance,
  type Budget,
  type BudgetSettings,
  type Charge,
} from '../../../application/call/budgets.ts';
import { NotaryError } from '../../../domain/kernel/errors.ts';
import { CALLERS, NO_LIMITS } from './support.ts';

/** Budgets with these limits, and what is told of each charge: what is left, or that it is refused. */
const budgetsOf = (limits: Partial<BudgetSettings>) => {
  const budgets = new Budgets(new SlidingWindowLimiter(), limitKeyOfAddress, {
    ...NO_LIMITS,
    ...limits,
  });
  let heard: Allowance | undefined;
  const allow = (allowance: Allowance): void => void (heard = allowance);
  const left = (charge: () => unknown): number | 'refused' => {
    heard = undefined;
    try {
      charge();
    } catch (error) {
      if (!(error instanceof NotaryError) || error.code !== 'RATE_LIMITED') throw error;
      expect(heard!.decision.allowed).toBe(false);
      expect(error.members.retryAfter).toBe(heard!.decision.retryAfterSeconds);
      return 'refused';
    }
    return heard!.decision.remaining;
  };
  return {
    policy: () => heard!.policy,
    charge: (name: string, budget: Budget = 'default', cost = 1, forSize = 0) =>
      left(() => budgets.charge(CALLERS.get(name)!, budget, { cost, forSize }, allow)),
    chargeAddress: (address: string, budget: Budget = 'default', forSize = 0) =>
      left(() => budgets.chargeAddress(address, budget, { cost: 1, forSize }, allow)),
    callsOf: (bytes: number) => budgets.callsOf(bytes),
    fail: (address: string) => budgets.chargeFailedAuthentication(address, allow),
    mayTry: (address: string, wasAdmitted = false) => {
      try {
        void budgets.assertMayAuthenticate(address, () => wasAdmitted, allow);
        return true;
      } catch {
        return false;
      }
    },
  };
};

describe('a credential', () => {
  it("of an agent counts in its key's window and in its org's; the tightest is told, and all as the policy", () => {
    const { charge, policy } = budgetsOf({ agent: 3, admin: 5 });
    expect(charge('writer')).toBe(2);
    expect(policy()).toEqual([
      { name: 'key', limit: 3 },
      { name: 'org', limit: 5 },
    ]);
    charge('other');
    charge('other');
    // The org has 2 left, the other key 1, this key 2.
    expect(charge('writer')).toBe(1);
    expect(charge('admin')).toBe(0);
    expect(policy()).toEqual([{ name: 'org', limit: 5 }]);
    expect(charge('writer')).toBe('refused');
  });

  it('of the platform counts by itself', () => {
    const { charge } = budgetsOf({ platform: 2, admin: 1 });
    expect([charge('admin'), charge('platform'), charge('platform'), charge('platform')]).toEqual([
      0,
      1,
      0,
      'refused',
    ]);
  });

  it('has a window of its own for creation, which alone the multiplier scales; each item counts', () => {
    const { charge } = budgetsOf({ agent: 100, recordsCreate: 5, operationMultiplier: 2 });
    expect(charge('writer', 'records-create')).toBe(9);
    expect(charge('writer', 'records-create', 5)).toBe(4);
    expect(charge('writer', 'records-create', 5)).toBe('refused');
    // What was refused counted in no window.
    expect(charge('writer', 'records-create', 4)).toBe(0);
    expect(charge('writer')).toBe(89);
    expect(charge('other', 'records-create')).toBe(9);
  });
});

describe('an address', () => {
  it('without a credential has a window of its own, in IPv6 by its network', () => {
    const { chargeAddress, policy } = budgetsOf({ anonymous: 2 });
    expect(chargeAddress('2001:db8::1')).toBe(1);
    expect(policy()).toEqual([{ name: 'address', limit: 2 }]);
    expect(chargeAddress('2001:db8::2')).toBe(0);
    expect(chargeAddress('2001:db8::3')).toBe('refused');
    expect(chargeAddress('203.0.113.1')).toBe(1);
  });

  it('is never refused a probe, which counts for nothing', () => {
    const { chargeAddress } = budgetsOf({ anonymous: 1 });
    for (let i = 0; i < 5; i++) expect(chargeAddress('203.0.113.1', 'probe')).toBe(1);
    chargeAddress('203.0.113.1');
    expect(chargeAddress('203.0.113.1', 'probe')).toBe(0);
  });

  it('that failed too often may try no further credential, but one that was let in before', () => {
    const { fail, mayTry, chargeAddress } = budgetsOf({ anonymous: 2 });
    void fail('203.0.113.1');
    expect(mayTry('203.0.113.1')).toBe(true);
    void fail('203.0.113.1');
    expect(mayTry('203.0.113.1')).toBe(false);
    expect(mayTry('203.0.113.1', true)).toBe(true);
    expect(mayTry('203.0.113.2')).toBe(true);
    // Failures and calls without a credential are counted apart.
    expect(chargeAddress('203.0.113.1')).toBe(1);
  });
});

describe('the items of a bulk', () => {
  const told = (limits: Partial<BudgetSettings>, charge: Charge, name = 'writer'): string => {
    const budgets = new Budgets(new SlidingWindowLimiter(), limitKeyOfAddress, {
      ...NO_LIMITS,
      ...limits,
    });
    const caller = CALLERS.get(name)!;
    try {
      void budgets.charge(caller, 'records-create', charge.before ?? charge, () => undefined);
      if (charge.before) void budgets.charge(caller, 'records-create', charge, () => undefined);
      return 'taken';
    } catch (error) {
      return error instanceof NotaryError ? `${error.code} ${error.message}` : String(error);
    }
  };
  const bulk = (items: number, size: number): Charge => ({
    cost: items,
    forSize: size - 1,
    before: { cost: 1, forSize: size - 1 },
  });

  it('as many as the smallest limit are possible, however large they are', () => {
    for (const limits of [{ agent: 10 }, { admin: 10 }, { recordsCreate: 10 }])
      for (const size of [1, 5, 10, 16, 1000]) {
        expect(told(limits, bulk(10, size))).toBe('taken');
        expect(told(limits, bulk(11, size))).toMatch(/^PAYLOAD_TOO_LARGE A call of 11 items never/);
      }
  });

  it('are told the smallest limit, with the settings that make it', () => {
    expect(told({ agent: 20, recordsCreate: 5, operationMultiplier: 2 }, bulk(30, 1))).toContain(
      '"records-create" (RATE_LIMIT_RECORDS_CREATE times RATE_LIMIT_ROUTE_MULTIPLIER)',
    );
    expect(told({ platform: 3 }, bulk(4, 1), 'platform')).toContain('"key" (RATE_LIMIT_PLATFORM)');
  });

  it('that are refused fit when the wait that they were told is over', () => {
    let now = 0;
    const budgets = new Budgets(new SlidingWindowLimiter(() => now), limitKeyOfAddress, {
      ...NO_LIMITS,
      agent: 10,
    });
    const caller = CALLERS.get('writer')!;
    const charge = (what: Charge): number => {
      try {
        void budgets.charge(caller, 'default', what, () => undefined);
        return 0;
      } catch (error) {
        return (error as NotaryError).members.retryAfter!;
      }
    };
    charge({ cost: 3 });
    now = 20_000;
    charge({ cost: 1 });
    const wait = charge({ cost: 8, before: { cost: 1 } });
    expect(wait).toBeGreaterThan(0);
    now += wait * 1000;
    expect([charge({ cost: 1 }), charge({ cost: 8, before: { cost: 1 } })]).toEqual([0, 0]);
  });

  it('an input that arrives larger than announced is possible as well', () => {
    expect(told({ agent: 10 }, { cost: 1, forSize: 99, before: { cost: 1 } })).toBe('taken');
  });
});

it('limits that are off tell no limit', () => {
  const { charge, policy } = budgetsOf({});
  charge('writer');
  expect(policy().every(({ limit }) => limit === 0)).toBe(true);
});

describe('the size of an input', () => {
  it('counts as calls, a call for as many bytes as are set', () => {
    const { callsOf } = budgetsOf({ callBytes: 1_000 });
    expect([0, 1, 1_000, 1_001, 10_000, 10_001].map(callsOf)).toEqual([1, 1, 1, 2, 10, 11]);
    expect(budgetsOf({ callBytes: 0 }).callsOf(1e9)).toBe(1);
  });

  it("counts in the key's window and in the org's, but not as further records", () => {
    const { charge } = budgetsOf({ agent: 100, admin: 200, recordsCreate: 5 });
    expect(charge('writer', 'default', 1, 16)).toBe(83);
    // Five creations are possible; the size of one is none of them.
    expect(charge('writer', 'records-create', 1, 16)).toBe(4);
    expect(charge('writer')).toBe(65);
    expect(charge('admin')).toBe(200 - 17 - 17 - 1 - 1);
  });

  it('of one call is at most the whole limit, so that it is possible once nothing else was asked for', () => {
    const { charge } = budgetsOf({ agent: 10 });
    expect(charge('writer', 'default', 1, 50)).toBe(0);
    expect(charge('writer')).toBe('refused');
    expect(charge('other')).toBe(9);
    expect(charge('other', 'default', 1, 50)).toBe('refused');
    expect(charge('other')).toBe(8);
  });

  it('counts for an address as well', () => {
    const { chargeAddress } = budgetsOf({ anonymous: 10 });
    expect(chargeAddress('203.0.113.7', 'default', 3)).toBe(6);
    expect(chargeAddress('203.0.113.7', 'probe', 3)).toBe(6);
    expect(chargeAddress('203.0.113.7', 'default', 9)).toBe('refused');
  });
});

describe('an exempt owner', () => {
  const settings: BudgetSettings = {
    ...NO_LIMITS,
    agent: 2,
    admin: 3,
    recordsCreate: 2,
    anonymous: 1,
    atOnce: {
      exports: { key: 1, org: 0, node: 0 },
      streams: { key: 1, org: 2, node: 3 },
    },
  };
  const open = (limits = settings) => {
    const asked: string[] = [];
    const budgets = new Budgets(new SlidingWindowLimiter(), limitKeyOfAddress, limits, {
      isExempt: (ownerId) => {
        asked.push(ownerId);
        return ownerId === 'agent-writer';
      },
    });
    let heard: Allowance | undefined;
    const allow = (allowance: Allowance): void => void (heard = allowance);
    const charge = (name: string, budget: Budget = 'default', cost = 1): Allowance => {
      void budgets.charge(CALLERS.get(name)!, budget, { cost }, allow);
      return heard!;
    };
    return { budgets, asked, allow, charge };
  };

  it('counts in no window, not in that of its org either, and is told no limit', () => {
    const { charge } = open();
    for (let n = 0; n < 20; n++)
      expect(charge('writer', 'records-create', 50)).toMatchObject({
        decision: { allowed: true, limit: 0 },
        policy: [],
      });
    expect(charge('other').decision.remaining).toBe(1);
    expect(charge('admin').decision.remaining).toBe(1);
  });

  it('is held to what a key may have under way at once, and its address to failed authentication', () => {
    const { budgets, allow } = open();
    const writer = CALLERS.get('writer')!;
    budgets.occupy(writer, 'exports');
    expect(() => budgets.occupy(writer, 'exports')).toThrow(/under way/);
    void budgets.chargeFailedAuthentication('203.0.113.7', allow);
    expect(() => budgets.assertMayAuthenticate('203.0.113.7', () => false, allow)).toThrow(
      /failed authentications/,
    );
  });

  it('is not asked for where every limit is off', () => {
    const { charge, asked } = open(NO_LIMITS);
    charge('writer');
    expect(asked).toEqual([]);
  });
});
