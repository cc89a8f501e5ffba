import type { Caller } from '../../domain/identity/caller.ts';
import type { Role } from '../../domain/identity/scopes.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { RateDecision, RateLimiter, RateWindow } from '../limits/rate-limiter.port.ts';
import { credentialOwner } from './credential-owner.ts';

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
  /** One address without a credential, and failed authentication from it. */
  readonly anonymous: number;
  /** Scales the limits of single operations, and no other. */
  readonly operationMultiplier: number;
  /** Bytes of an input that count as one call; 0: an input of any size is one call. */
  readonly callBytes: number;
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
}

const CREATE = 'records-create';

/** Which windows a call counts in, and for how much. */
export class Budgets {
  private readonly policies: {
    readonly [role in Role]: { readonly default: Policy; readonly create: Policy };
  };
  private readonly anonymous: Policy;
  private readonly anonymousLimit: number;
  private readonly callBytes: number;

  /** @param addressKey what addresses are counted under: IPv6 by /64. */
  constructor(
    private readonly limiter: RateLimiter,
    private readonly addressKey: (address: string) => string,
    settings: BudgetSettings,
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
    this.anonymous = [{ name: 'address', limit: settings.anonymous }];
  }

  /** @throws NotaryError RATE_LIMITED; `allow` hears the allowance first. */
  charge(caller: Caller, budget: Budget, { cost, forSize = 0 }: Charge, allow: Allow): void {
    const { default: usual, create } = this.policies[caller.role];
    const policy = budget === 'records-create' ? create : usual;
    const windows = windowsOf(policy, caller);
    this.count(
      policy,
      forSize === 0 ? windows : sized(windows, policy, cost, forSize),
      cost,
      allow,
    );
  }

  /** A call without a credential. */
  chargeAddress(
    address: string,
    budget: Budget,
    { cost, forSize = 0 }: Charge,
    allow: Allow,
  ): void {
    const window = { key: this.addressKey(address), limit: this.anonymousLimit };
    if (budget === 'probe')
      allow({ decision: this.limiter.peek([window], 0), policy: this.anonymous });
    else this.count(this.anonymous, [withSize(window, cost, forSize)], cost, allow);
  }

  /** How many calls an input of this size counts for. */
  callsOf(bytes: number): number {
    return this.callBytes === 0 ? 1 : Math.max(1, Math.ceil(bytes / this.callBytes));
  }

  /**
   * Before any look-up of a credential: an address that failed too often is told to wait, unless this credential was
   * admitted from somewhere a while ago.
   */
  assertMayAuthenticate(address: string, wasAdmitted: () => boolean, allow: Allow): void {
    const decision = this.limiter.peek(this.failures(address));
    if (decision.allowed || wasAdmitted()) return;
    allow({ decision, policy: this.anonymous });
    throw limited(decision);
  }

  chargeFailedAuthentication(address: string, allow: Allow): void {
    allow({ decision: this.limiter.hitAll(this.failures(address)), policy: this.anonymous });
  }

  private failures(address: string): readonly RateWindow[] {
    return [{ key: `failed:${this.addressKey(address)}`, limit: this.anonymousLimit }];
  }

  private count(policy: Policy, windows: readonly RateWindow[], cost: number, allow: Allow): void {
    const decision = this.limiter.hitAll(windows, cost);
    allow({ decision, policy });
    if (!decision.allowed) throw limited(decision);
  }
}

/** One record is one creation, whatever its size. */
const sized = (
  windows: readonly RateWindow[],
  policy: Policy,
  cost: number,
  forSize: number,
): readonly RateWindow[] =>
  windows.map((window, at) =>
    policy[at]?.name === CREATE ? window : withSize(window, cost, forSize),
  );

/** The largest input is possible where nothing else was asked for, however low the limit. */
const withSize = (window: RateWindow, cost: number, forSize: number): RateWindow => ({
  ...window,
  cost: Math.max(cost, Math.min(cost + forSize, window.limit)),
});

const windowsOf = (policy: Policy, caller: Caller): readonly RateWindow[] =>
  policy.map(({ name, limit }) => ({
    key:
      name === 'org'
        ? `org:${caller.orgId}`
        : `${name}:${caller.apiKeyId ?? credentialOwner(caller)}`,
    limit,
  }));

const limited = (decision: RateDecision): NotaryError =>
  new NotaryError(
    'RATE_LIMITED',
    `More than ${decision.limit} requests within a minute. Try again in ${decision.retryAfterSeconds} s.`,
    { retryAfter: decision.retryAfterSeconds },
  );
