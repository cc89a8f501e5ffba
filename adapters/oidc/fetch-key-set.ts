import type { EgressClient } from '../../application/ports/egress-client.port.ts';
import type { KeySetLocation } from '../../application/identity/jwks-source.port.ts';
import { isUsableKey } from '../../application/identity/token-key.ts';
import type { JsonObject, JsonValue } from '../../domain/kernel/canonical-json.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { decodeUtf8Strict, parseStrictJson } from '../../domain/kernel/strict-json.ts';

/** For discovery and the key set together. */
const FETCH_MS = 5_000;
const MAX_BYTES = 65_536;
const MAX_KEYS = 100;

/**
 * The usable keys of an issuer, fetched now.
 *
 * @throws EgressError, or another error that says what is wrong with a document.
 */
export const fetchKeySet = async (
  egress: EgressClient,
  clock: Clock,
  { issuerUrl, jwksUri }: KeySetLocation,
): Promise<readonly JsonObject[]> => {
  const now = (): number => clock.now().getTime();
  const deadline = now() + FETCH_MS;
  const fetchJson = async (url: string): Promise<JsonValue> => {
    const timeoutMs = Math.max(1, Math.min(FETCH_MS, deadline - now()));
    const body = await egress.get({ url, purpose: 'JWKS', timeoutMs, maxBytes: MAX_BYTES });
    return parseStrictJson(decodeUtf8Strict(body), { maxDepth: 16 });
  };
  const uri = jwksUri ?? jwksUriIn(await fetchJson(configurationUrl(issuerUrl)), issuerUrl);
  return keysIn(await fetchJson(uri));
};

const configurationUrl = (issuerUrl: string): string =>
  `${issuerUrl.replace(/\/$/, '')}/.well-known/openid-configuration`;

/**
 * OpenID Connect Discovery 1.0 section 4.3: the issuer that it names must be the one that was
 * asked.
 */
const jwksUriIn = (configuration: JsonValue, issuerUrl: string): string => {
  if (!isObject(configuration) || configuration['issuer'] !== issuerUrl)
    throw new Error(`the OpenID configuration of ${issuerUrl} names another issuer`);
  const uri = configuration['jwks_uri'];
  if (typeof uri !== 'string')
    throw new Error(`the OpenID configuration of ${issuerUrl} names no jwks_uri`);
  return uri;
};

/** RFC 7517 section 5: keys of a type that is not known are ignored. */
const keysIn = (value: JsonValue): readonly JsonObject[] => {
  const keys = isObject(value) ? value['keys'] : undefined;
  if (!Array.isArray(keys)) throw new Error('the key set has no member keys that is an array');
  if (keys.length > MAX_KEYS) throw new Error(`the key set holds more than ${MAX_KEYS} keys`);
  return (keys as readonly JsonValue[]).filter(isObject).filter(isUsableKey);
};

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
