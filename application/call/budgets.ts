import type { Caller } from '../../domain/identity/caller.ts';
import type { Role } from '../../domain/identity/scopes.ts';
import type {
  Eventually,
  RateDecision,
  RateLimiter,
  RateWindow,
} from '../ports/rate-limiter.port.ts';
import { NOBODY_EXEMPT, type ExemptOwners } from '../ports/exempt-owners.port.ts';
import { credentialOwner } from './credential-owner.ts';
import { rateLimited, refusalOf, type NamedLimit, type Refusing } from './rate-refusal.ts';
import { Slots, type GiveBack, type SlotLimits, type SlotPool } from './slots.ts';

/** What a call counts against. A probe looks at the window of its address and is never refused. */
export type Budget = 'default' | 'records-create' | 'probe';

/** Calls a minute; 0 switches a limit off. */
export interface BudgetSettings {
  /** One agent's key. */
  readonly agent: number;
  /** An org: its admin keys and its agents together. */
  readonly admin: number;
  /** One platform key. */
  readonly platform: number;
  /** Creations of records, by key; every item of a bulk is one. */
  readonly recordsCreate: number;
  /** One peer, once its signature was verified. */
  readonly peer: number;
  /** One address without a credential, and failed authentication from it. */
  readonly anonymous: number;
  /** Scales the limits of single operations, and no other. */
  readonly operationMultiplier: number;
  /** Bytes of an input or an answer that count as one call; 0: those of any size are one call. */
  readonly callBytes: number;
  /** Long answers that may be under way at once. */
  readonly atOnce: SlotLimits;
}

/** The windows that a call counts in, by name. */
export type Policy = readonly { readonly name: string; readonly limit: number }[];

/** What a call has left: the tightest of its windows, and all of them as the policy that a client may read. */
export interface Allowance {
  readonly decision: RateDecision;
  readonly policy: Policy;
}

type Allow = (allowance: Allowance) => void;

/** How much one call counts for. */
export interface Charge {
  /** In calls; the items of a bulk are as many. */
  readonly cost: number;
  /** In calls too, and in no window that counts what is made. */
  readonly forSize?: number;
  /** What the call was charged before its size, or the number of its items, was known; none by default. */
  readonly before?: Charge;
  /** What was charged before counted in no window that counts what is made: it was not known that the call makes anything. */
  readonly isNowCreation?: true;
}

const CREATE = 'records-create';
const PEER = 'peer';

/** Which windows a call counts in, and for how much. Where counts are shared, each answer may take a round trip. */
export class Budgets {
  private readonly policies: {
    readonly [role in Role]: { readonly default: Policy; readonly create: Policy };
  };
  private readonly anonymous: Policy;
  private readonly peer: Policy;
  private readonly anonymousLimit: number;
  private readonly callBytes: number;
  private readonly createSetting: string;
  private readonly slots: Slots;

  /** @param addressKey what addresses are counted under: IPv6 by /64. */
  constructor(
    private readonly limiter: RateLimiter,
    private readonly addressKey: (address: string) => string,
    settings: BudgetSettings,
    private readonly exempt: ExemptOwners = NOBODY_EXEMPT,
  ) {
    const create = {
      name: CREATE,
      limit: Math.floor(settings.recordsCreate * settings.operationMultiplier),
    };
    const org = { name: 'org', limit: settings.admin };
    const both = (...windows: Policy): { default: Policy; create: Policy } => ({
      default: windows,
      create: [...windows, create],
    });
    this.policies = {
      agent: both({ name: 'key', limit: settings.agent }, org),
      admin: both(org),
      platform: both({ name: 'key', limit: settings.platform }),
    };
    this.anonymousLimit = settings.anonymous;
    this.callBytes = settings.callBytes;
    this.slots = new Slots(settings.atOnce);
    this.createSetting =
      settings.operationMultiplier === 1
        ? 'RATE_LIMIT_RECORDS_CREATE'
        : 'RATE_LIMIT_RECORDS_CREATE times RATE_LIMIT_ROUTE_MULTIPLIER';
    this.anonymous = [{ name: 'address', limit: settings.anonymous }];
    this.peer = [{ name: PEER, limit: settings.peer }];
  }

  /**
   * What an exempt owner calls counts in no window, that of its org among them, so it takes nothing from the others.
   *
   * @throws NotaryError RATE_LIMITED, and PAYLOAD_TOO_LARGE where no waiting would help; `allow` hears the allowance
   *   first.
   */
  charge(caller: Caller, budget: Budget, charge: Charge, allow: Allow): Eventually<void> {
    const { default: usual, create } = this.policies[caller.role];
    const policy = budget === 'records-create' ? create : usual;
    const counted = (): Eventually<void> =>
      this.count(policy, windowsOf(policy, caller), charge, caller.role, allow);
    if (caller.agentId === null || policy.every(({ limit }) => limit === 0)) return counted();
    return after(this.exempt.isExempt(caller.agentId), (isExempt) =>
      isExempt ? allow(NO_LIMIT) : counted(),
    );
  }

  /** A call without a credential. */
  chargeAddress(address: string, budget: Budget, charge: Charge, allow: Allow): Eventually<void> {
    const window = { key: this.addressKey(address), limit: this.anonymousLimit };
    if (budget !== 'probe') return this.count(this.anonymous, [window], charge, null, allow);
    return after(this.limiter.peek([window], 0), (decision) =>
      allow({ decision, policy: this.anonymous }),
    );
  }

  /**
   * A request that a peer signed. Until then nothing is counted for it, so nobody spends its allowance but itself.
   *
   * @throws NotaryError RATE_LIMITED.
   */
  chargePeer(hubId: string, bytes: number, allow: Allow): Eventually<void> {
    const windows = this.peer.map(({ limit }) => ({ key: `peer:${hubId}`, limit }));
    const charge = { cost: 1, forSize: this.callsOf(bytes) - 1 };
    return this.count(this.peer, windows, charge, null, allow);
  }

  /**
   * Counts the further calls that a long answer is worth. The work is already done, so this never refuses: if fewer calls
   * are left, it uses them up.
   */
  async chargeAnswer(caller: Caller, calls: number, allow: Allow): Promise<void> {
    if (caller.agentId !== null && (await this.exempt.isExempt(caller.agentId))) return;
    const policy = this.policies[caller.role].default;
    const windows = await Promise.all(
      windowsOf(policy, caller).map(async (window) => {
        const { remaining } = await this.limiter.peek([window], 0);
        return { ...window, cost: Math.min(calls, remaining) };
      }),
    );
    allow({ decision: await this.limiter.hitAll(windows), policy });
  }

  /**
   * For as long as the answer is being made and sent.
   *
   * @throws NotaryError RATE_LIMITED if as many of the caller's, of its org's or of this node's as may run at once are
   *   under way.
   */
  occupy(caller: Caller, pool: SlotPool): GiveBack {
    const key = caller.apiKeyId ?? credentialOwner(caller);
    return this.slots.take(pool, { key, org: caller.orgId });
  }

  /** How many calls an input of this size counts for. */
  callsOf(bytes: number): number {
    return this.callBytes === 0 ? 1 : Math.max(1, Math.ceil(bytes / this.callBytes));
  }

  /** How many calls an answer of this size counts for. Rounded down, so that echoing an input costs no extra call. */
  callsOfAnswer(bytes: number): number {
    return this.callBytes === 0 ? 1 : Math.floor(bytes / this.callBytes);
  }

  /**
   * Before any look-up of a credential: an address that failed too often is told to wait, unless this credential was
   * admitted from somewhere a while ago.
   */
  assertMayAuthenticate(
    address: string,
    wasAdmitted: () => boolean,
    allow: Allow,
  ): Eventually<void> {
    // What is known here needs no round trip, so a call costs one at most.
    if (this.limiter.isShared && wasAdmitted()) return;
    return after(this.limiter.peek(this.failures(address)), (decision) => {
      if (decision.allowed || wasAdmitted()) return;
      allow({ decision, policy: this.anonymous });
      throw rateLimited(FAILURES(this.anonymousLimit), decision);
    });
  }

  /** @param bytes of a body that was read for nothing. */
  chargeFailedAuthentication(address: string, allow: Allow, bytes = 0): Eventually<void> {
    const calls = Math.min(this.callsOf(bytes), Math.max(1, this.anonymousLimit));
    return after(this.limiter.hitAll(this.failures(address), calls), (decision) =>
      allow({ decision, policy: this.anonymous }),
    );
  }

  private failures(address: string): readonly RateWindow[] {
    return [{ key: `failed:${this.addressKey(address)}`, limit: this.anonymousLimit }];
  }

  private count(
    policy: Policy,
    windows: readonly RateWindow[],
    charge: Charge,
    role: Role | null,
    allow: Allow,
  ): Eventually<void> {
    const { cost, forSize = 0, before } = charge;
    const asked =
      forSize === 0 && !before
        ? windows
        : windows.map((window, at) => ({
            ...window,
            cost: callsIn(charge, window.limit, policy[at]?.name === CREATE),
          }));
    return after(this.limiter.hitAll(asked, cost), (decision) => {
      allow({ decision, policy });
      if (!decision.allowed) return this.refuse(policy, asked, charge, role);
    });
  }

  /**
   * Of several limits that refuse, the one that does so longest. Who repeats the call pays for all of it again, so that
   * is what the wait is for.
   */
  private refuse(
    policy: Policy,
    windows: readonly RateWindow[],
    charge: Charge,
    role: Role | null,
  ): Eventually<never> {
    const looks = windows.map(({ key, limit }, at) => {
      const named = this.named(policy[at]!, role);
      const whole = callsInAll(charge, limit, named.name === CREATE);
      return after(this.limiter.peek([{ key, limit }], whole), (decision) => ({ named, decision }));
    });
    const refuse = (refusing: readonly Refusing[]): never => {
      throw refusalOf(refusing, charge.cost);
    };
    return looks.some((look) => look instanceof Promise)
      ? Promise.all(looks.map((look) => Promise.resolve(look))).then(refuse)
      : refuse(looks as readonly Refusing[]);
  }

  private named({ name, limit }: Policy[number], role: Role | null): NamedLimit {
    if (name === CREATE)
      return { name, limit, counts: 'records created with this key', setting: this.createSetting };
    if (name === 'org')
      return { name, limit, counts: 'requests of this org', setting: 'RATE_LIMIT_ADMIN' };
    if (name === PEER)
      return { name, limit, counts: 'requests of this peer', setting: 'RATE_LIMIT_PEER' };
    return name === 'key'
      ? {
          name,
          limit,
          counts: 'requests of this key',
          setting: role === 'platform' ? 'RATE_LIMIT_PLATFORM' : 'RATE_LIMIT_AGENT',
        }
      : {
          name,
          limit,
          counts: 'requests without a valid credential from this address',
          setting: 'RATE_LIMIT_ANONYMOUS',
        };
  }
}

/** Headers say nothing of it, as where every limit is off. */
const NO_LIMIT: Allowance = {
  decision: { allowed: true, limit: 0, remaining: 0, resetSeconds: 0, retryAfterSeconds: 0 },
  policy: [],
};

const FAILURES = (limit: number): NamedLimit => ({
  name: 'address',
  limit,
  counts: 'failed authentications from this address',
  setting: 'RATE_LIMIT_ANONYMOUS',
});

const after = <T, U>(value: Eventually<T>, then: (value: T) => Eventually<U>): Eventually<U> =>
  value instanceof Promise ? value.then(then) : then(value);

/** What is still to be counted of a call in a window. */
const callsIn = (
  { before, isNowCreation, ...charge }: Charge,
  limit: number,
  isCreate: boolean,
): number =>
  callsInAll(charge, limit, isCreate) -
  (before && !(isCreate && isNowCreation) ? callsInAll(before, limit, isCreate) : 0);

/**
 * One record is one creation, whatever its size. Elsewhere the largest input is possible where nothing else was asked
 * for, however low the limit.
 */
const callsInAll = ({ cost, forSize = 0 }: Charge, limit: number, isCreate: boolean): number =>
  isCreate ? cost : Math.max(cost, Math.min(cost + forSize, limit));

const windowsOf = (policy: Policy, caller: Caller): readonly RateWindow[] =>
  policy.map(({ name, limit }) => ({
    key:
      name === 'org'
        ? `org:${caller.orgId}`
        : `${name}:${caller.apiKeyId ?? credentialOwner(caller)}`,
    limit,
  }));
