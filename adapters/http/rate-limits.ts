import type {
  RateDecision,
  RateLimiter,
  RateWindow,
} from '../../application/limits/rate-limiter.port.ts';
import { credentialOwner } from './credential-owner.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import type { Role } from '../../domain/identity/scopes.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { LimitClass } from './route.ts';

/** Requests a minute; 0 switches a limit off. */
export interface RateLimitSettings {
  /** One agent's key. */
  readonly agent: number;
  /** An org: its admin keys and its agents together. */
  readonly admin: number;
  /** One platform key. */
  readonly platform: number;
  /** POST of records, by key; every item of a bulk is one. */
  readonly recordsCreate: number;
  /** One address without a credential, and failed authentication from it. */
  readonly anonymous: number;
  /** Scales the limits of single routes, and no other. */
  readonly routeMultiplier: number;
}

/** What a call has left: the tightest of its windows, and all of them as the policy that a client may read. */
export interface Allowance {
  readonly decision: RateDecision;
  readonly policy: Policy;
}

/** Which windows a call counts in. */
export class RateLimits {
  private readonly policies: {
    readonly [role in Role]: { readonly default: Policy; readonly create: Policy };
  };
  private readonly anonymous: Policy;

  constructor(
    private readonly limiter: RateLimiter,
    settings: RateLimitSettings,
  ) {
    const create = {
      name: 'records-create',
      limit: Math.floor(settings.recordsCreate * settings.routeMultiplier),
    };
    const org = { name: 'org', limit: settings.admin };
    const both = (...windows: readonly NamedLimit[]): { default: Policy; create: Policy } => ({
      default: policyOf(windows),
      create: policyOf([...windows, create]),
    });
    this.policies = {
      agent: both({ name: 'key', limit: settings.agent }, org),
      admin: both(org),
      platform: both({ name: 'key', limit: settings.platform }),
    };
    this.anonymous = policyOf([{ name: 'address', limit: settings.anonymous }]);
  }

  /** @throws NotaryError RATE_LIMITED, with the allowance in hand of `onAllowance` first. */
  count(
    caller: Caller,
    limit: LimitClass,
    cost: number,
    onAllowance: (allowance: Allowance) => void,
  ): void {
    const policy =
      limit === 'records-create'
        ? this.policies[caller.role].create
        : this.policies[caller.role].default;
    this.charge(policy, windowsOf(policy, caller), cost, onAllowance);
  }

  /** A call without a credential. Probes look at the window and leave it as it is: they are never refused. */
  countAnonymous(
    addressKey: string,
    limit: LimitClass,
    onAllowance: (allowance: Allowance) => void,
  ): void {
    const windows = [{ key: addressKey, limit: this.anonymous.windows[0]!.limit }];
    if (limit === 'probe')
      onAllowance({ decision: this.limiter.peek(windows, 0), policy: this.anonymous });
    else this.charge(this.anonymous, windows, 1, onAllowance);
  }

  /** Before any look-up of a credential: an address that failed too often is told to wait, unless it was here with this one before. */
  assertMayAuthenticate(
    addressKey: string,
    onAllowance: (allowance: Allowance) => void,
    wasAdmitted: () => boolean,
  ): void {
    const decision = this.limiter.peek(this.failures(addressKey));
    if (decision.allowed || wasAdmitted()) return;
    onAllowance({ decision, policy: this.anonymous });
    throw limited(decision);
  }

  countFailedAuthentication(addressKey: string, onAllowance: (allowance: Allowance) => void): void {
    onAllowance({
      decision: this.limiter.hitAll(this.failures(addressKey)),
      policy: this.anonymous,
    });
  }

  private failures(addressKey: string): readonly RateWindow[] {
    return [{ key: `failed:${addressKey}`, limit: this.anonymous.windows[0]!.limit }];
  }

  private charge(
    policy: Policy,
    windows: readonly RateWindow[],
    cost: number,
    onAllowance: (allowance: Allowance) => void,
  ): void {
    const decision = this.limiter.hitAll(windows, cost);
    onAllowance({ decision, policy });
    if (!decision.allowed) throw limited(decision);
  }
}

interface NamedLimit {
  readonly name: string;
  readonly limit: number;
}

interface Policy {
  readonly windows: readonly NamedLimit[];
  /** The value of RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers). */
  readonly text: string;
}

const policyOf = (windows: readonly NamedLimit[]): Policy => ({
  windows,
  text: windows
    .filter(({ limit }) => limit > 0)
    .map(({ name, limit }) => `"${name}";q=${limit};w=60`)
    .join(', '),
});

const windowsOf = (policy: Policy, caller: Caller): readonly RateWindow[] =>
  policy.windows.map(({ name, limit }) => ({
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

/** X-RateLimit-* and the fields of the IETF draft, of the tightest window. None where every limit is off. */
export const pushRateHeaders = (
  headers: [string, string][],
  { decision, policy }: Allowance,
): void => {
  if (decision.limit === 0) return;
  const name =
    policy.windows.find(({ limit }) => limit === decision.limit)?.name ?? policy.windows[0]!.name;
  headers.push(
    ['x-ratelimit-limit', String(decision.limit)],
    ['x-ratelimit-remaining', String(decision.remaining)],
    ['x-ratelimit-reset', String(decision.resetSeconds)],
    ['ratelimit', `"${name}";r=${decision.remaining};t=${decision.resetSeconds}`],
    ['ratelimit-policy', policy.text],
  );
};
