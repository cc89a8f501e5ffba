import type { Allowance, Policy } from '../../application/call/budgets.ts';

/**
 * X-RateLimit-* and the fields of the IETF draft (draft-ietf-httpapi-ratelimit-headers), for the
 * tightest window. Nothing is added where every limit is off.
 */
export const pushRateHeaders = (
  headers: [string, string][],
  { decision, policy }: Allowance,
): void => {
  if (decision.limit === 0) return;
  const name = policy.find(({ limit }) => limit === decision.limit)?.name ?? policy[0]!.name;
  headers.push(
    ['x-ratelimit-limit', String(decision.limit)],
    ['x-ratelimit-remaining', String(decision.remaining)],
    ['x-ratelimit-reset', String(decision.resetSeconds)],
    ['ratelimit', `"${name}";r=${decision.remaining};t=${decision.resetSeconds}`],
    ['ratelimit-policy', textOf(policy)],
  );
};

const texts = new WeakMap<Policy, string>();

/** The value of RateLimit-Policy. */
const textOf = (policy: Policy): string => {
  const known = texts.get(policy);
  if (known !== undefined) return known;
  const text = policy
    .filter(({ limit }) => limit > 0)
    .map(({ name, limit }) => `"${name}";q=${limit};w=60`)
    .join(', ');
  texts.set(policy, text);
  return text;
};
