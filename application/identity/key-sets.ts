import type { TrustedIssuer } from '../../domain/identity/trusted-issuer.ts';
import { decodeBase64UrlStrict } from '../../domain/kernel/base64.ts';
import type { JsonObject, JsonValue } from '../../domain/kernel/canonical-json.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { decodeUtf8Strict, parseStrictJson } from '../../domain/kernel/strict-json.ts';
import { assertAcceptable } from '../../domain/vault/cose-key.ts';
import type { EgressClient } from '../egress/egress-client.port.ts';
import type { TokenAlgorithm } from './token-signatures.port.ts';
import { tokenRefused } from './token-refusal.ts';

type KeySetPlace = Pick<TrustedIssuer, 'issuerUrl' | 'jwksUri'>;

interface KeySet {
  readonly keys: readonly JsonObject[];
  readonly fetchedAt: number;
}

const KEEP_MS = 600_000;
/** An unknown kid may be a new key, or an invention: it is looked for once a minute. */
const LOOK_AGAIN_MS = 60_000;
/** Whoever asks again right after a failure is told the same. */
const FAILURE_MS = 2_000;
const FETCH_MS = 5_000;
const MAX_BYTES = 65_536;
const MAX_KEYS = 100;
const MAX_CANDIDATES = 5;

/** The public keys of identity providers, fetched when they are first needed and remembered for a while. */
export class KeySets {
  private readonly sets = new Map<string, KeySet>();
  private readonly failures = new Map<string, { readonly at: number; readonly error: unknown }>();
  private readonly looked = new Map<string, number>();
  private readonly running = new Map<string, Promise<KeySet>>();

  constructor(
    private readonly egress: EgressClient,
    private readonly clock: Clock,
  ) {}

  /**
   * The keys that a token may be signed by: with a `kid` those that have it, without one those that fit the algorithm.
   *
   * @throws SERVICE_UNAVAILABLE with reason jwks_fetch_failed.
   */
  async candidates(
    place: KeySetPlace,
    algorithm: TokenAlgorithm,
    kid: string | null,
  ): Promise<readonly JsonObject[]> {
    const name = JSON.stringify([place.issuerUrl, place.jwksUri]);
    const set = await this.current(name, place);
    const known = select(set.keys, algorithm, kid);
    if (known.length > 0 || kid === null || !this.mayLookAgain(name)) return known;
    this.looked.set(name, this.now());
    return select((await this.fetchOnce(name, place)).keys, algorithm, kid);
  }

  private async current(name: string, place: KeySetPlace): Promise<KeySet> {
    const kept = this.sets.get(name);
    if (kept && this.now() - kept.fetchedAt < KEEP_MS) return kept;
    return this.fetchOnce(name, place);
  }

  private mayLookAgain(name: string): boolean {
    return this.now() - (this.looked.get(name) ?? -Infinity) >= LOOK_AGAIN_MS;
  }

  /** Whoever asks while a fetch is under way waits for the same one. */
  private fetchOnce(name: string, place: KeySetPlace): Promise<KeySet> {
    const running = this.running.get(name);
    if (running) return running;
    const started = this.fetch(name, place).finally(() => this.running.delete(name));
    this.running.set(name, started);
    return started;
  }

  private async fetch(name: string, place: KeySetPlace): Promise<KeySet> {
    const failed = this.failures.get(name);
    if (failed && this.now() - failed.at < FAILURE_MS) throw fetchFailed(failed.error);
    try {
      const until = this.now() + FETCH_MS;
      const uri = place.jwksUri ?? (await this.discover(place.issuerUrl, until));
      const set: KeySet = { keys: keysIn(await this.json(uri, until)), fetchedAt: this.now() };
      this.failures.delete(name);
      // As many as there are issuers; an issuer that was changed leaves one behind.
      if (this.sets.size >= 1000) this.sets.clear();
      this.sets.set(name, set);
      return set;
    } catch (error) {
      if (this.failures.size >= 1000) this.failures.clear();
      this.failures.set(name, { at: this.now(), error });
      throw fetchFailed(error);
    }
  }

  /** OpenID Connect Discovery 1.0 section 4: the issuer it names must be the one that was asked. */
  private async discover(issuerUrl: string, until: number): Promise<string> {
    const configuration = await this.json(
      `${issuerUrl.replace(/\/$/, '')}/.well-known/openid-configuration`,
      until,
    );
    if (!isObject(configuration) || configuration['issuer'] !== issuerUrl)
      throw new Error(`the OpenID configuration of ${issuerUrl} names another issuer`);
    const uri = configuration['jwks_uri'];
    if (typeof uri !== 'string')
      throw new Error(`the OpenID configuration of ${issuerUrl} names no jwks_uri`);
    return uri;
  }

  private async json(url: string, until: number): Promise<JsonValue> {
    const timeoutMs = Math.max(1, Math.min(FETCH_MS, until - this.now()));
    return parseStrictJson(
      decodeUtf8Strict(
        await this.egress.get({ url, purpose: 'JWKS', timeoutMs, maxBytes: MAX_BYTES }),
      ),
      { maxDepth: 16 },
    );
  }

  private now(): number {
    return this.clock.now().getTime();
  }
}

const fetchFailed = (cause: unknown): Error =>
  tokenRefused(
    'jwks_fetch_failed',
    'The key set of the issuer cannot be fetched at the moment, so nothing was decided about the token.',
    { retryAfter: 5 },
    { cause },
  );

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** RFC 7517 section 5: keys of kinds that are not known are passed over. */
const keysIn = (value: JsonValue): readonly JsonObject[] => {
  const keys = isObject(value) ? value['keys'] : undefined;
  if (!Array.isArray(keys)) throw new Error('the key set has no member keys that is an array');
  if (keys.length > MAX_KEYS) throw new Error(`the key set holds more than ${MAX_KEYS} keys`);
  return (keys as readonly JsonValue[]).filter(isObject).filter(isUsableKey);
};

const select = (
  keys: readonly JsonObject[],
  algorithm: TokenAlgorithm,
  kid: string | null,
): readonly JsonObject[] =>
  keys
    .filter((key) => fits(key, algorithm) && (kid === null || key['kid'] === kid))
    .slice(0, MAX_CANDIDATES);

const KINDS: {
  readonly [algorithm in TokenAlgorithm]: { readonly kty: string; readonly crv?: string };
} = {
  RS256: { kty: 'RSA' },
  PS256: { kty: 'RSA' },
  ES256: { kty: 'EC', crv: 'P-256' },
  ES384: { kty: 'EC', crv: 'P-384' },
  EdDSA: { kty: 'OKP', crv: 'Ed25519' },
};

const fits = (key: JsonObject, algorithm: TokenAlgorithm): boolean => {
  const { kty, crv } = KINDS[algorithm];
  return (
    key['kty'] === kty &&
    (crv === undefined || key['crv'] === crv) &&
    (key['alg'] === undefined || key['alg'] === algorithm) &&
    (key['use'] === undefined || key['use'] === 'sig')
  );
};

/** No secret and no private key is a public key; an RSA key beyond 8192 bits is there to keep us busy. */
export const isUsableKey = (key: JsonObject): boolean => {
  if (Object.hasOwn(key, 'd') || Object.hasOwn(key, 'k')) return false;
  if (key['kty'] === 'RSA')
    return (
      typeof key['n'] === 'string' &&
      key['n'].length <= 1366 &&
      typeof key['e'] === 'string' &&
      key['e'].length <= 6
    );
  if (key['kty'] === 'OKP') return key['crv'] === 'Ed25519' && isSoundEd25519(key['x']);
  return key['kty'] === 'EC';
};

const isSoundEd25519 = (x: JsonValue | undefined): boolean => {
  const raw = typeof x === 'string' && x.length === 43 ? decodeBase64UrlStrict(x) : null;
  if (!raw) return false;
  try {
    assertAcceptable({ algorithm: 'Ed25519', raw });
    return true;
  } catch {
    return false;
  }
};
