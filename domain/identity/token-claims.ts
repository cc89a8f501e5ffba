import type { JsonObject, JsonValue } from '../kernel/canonical-json.ts';

/** How far the clock of an identity provider may be from ours. */
export const CLOCK_SKEW_SECONDS = 60;

/**
 * The last second that ISO 8601 can express. A NumericDate (RFC 7519 section 2) beyond it is
 * malformed.
 */
const END_OF_TIME = 253_402_300_799;

export interface TokenTimes {
  /** Seconds since 1970, as `exp` says. */
  readonly expiresAt: number;
}

/** When a token expires, or what is wrong with its times, in words. */
export const timesOf = (
  claims: JsonObject,
  now: Date,
): { readonly malformed: string } | { readonly refused: string } | TokenTimes => {
  const { exp, nbf, iat } = claims;
  if (!isNumericDate(exp)) return { malformed: 'it has no exp, or one that is not a time' };
  for (const [name, value] of [
    ['nbf', nbf],
    ['iat', iat],
  ] as const)
    if (value !== undefined && !isNumericDate(value))
      return { malformed: `its ${name} is not a time` };
  const seconds = now.getTime() / 1000;
  if (exp + CLOCK_SKEW_SECONDS <= seconds) return { refused: 'it has expired' };
  if (isNumericDate(nbf) && nbf - CLOCK_SKEW_SECONDS > seconds)
    return { refused: 'it is not valid yet (nbf)' };
  if (isNumericDate(iat) && iat - CLOCK_SKEW_SECONDS > seconds)
    return { refused: 'it was issued in the future (iat)' };
  return { expiresAt: exp };
};

const isNumericDate = (value: JsonValue | undefined): value is number =>
  typeof value === 'number' && value >= 0 && value <= END_OF_TIME;

/** Whether `aud` (RFC 7519 section 4.1.3: one or several) names the audience. */
export const audiencesOf = (claims: JsonObject): readonly JsonValue[] =>
  Array.isArray(claims['aud']) ? (claims['aud'] as readonly JsonValue[]) : [claims['aud'] ?? null];

/** @param where the name of a claim, or a JSON Pointer (RFC 6901). */
export const claimAt = (claims: JsonObject, where: string): JsonValue | undefined => {
  if (!where.startsWith('/')) return Object.hasOwn(claims, where) ? claims[where] : undefined;
  let value: JsonValue | undefined = claims;
  for (const token of where
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token))
      return undefined;
    value = (value as JsonObject)[token];
  }
  return value;
};

/** A name of a claim, or a pointer whose every `~` is an escape. */
export const isClaimPlace = (text: string): boolean =>
  text !== '' && text.length <= 256 && (!text.startsWith('/') || !/~(?![01])/.test(text));

/**
 * Scopes as identity providers write them: separated by spaces (RFC 6749 section 3.3), or as an
 * array. Null where the token asserts none.
 */
export const assertedScopes = (claim: JsonValue | undefined): readonly string[] | null => {
  const names =
    typeof claim === 'string'
      ? claim.split(' ').filter((name) => name !== '')
      : Array.isArray(claim)
        ? (claim as readonly JsonValue[])
        : [];
  return names.length > 0 && names.every((name) => typeof name === 'string')
    ? [...new Set(names)]
    : null;
};

/**
 * Whether the token is bound to a key of its holder (RFC 7800 section 3.1, as RFC 9449 and RFC 8705
 * use it). Such a token must not be accepted without a proof by that key.
 */
export const isSenderConstrained = (claims: JsonObject): boolean => claims['cnf'] !== undefined;
