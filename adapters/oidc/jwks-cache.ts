import type { EgressClient } from '../../application/ports/egress-client.port.ts';
import {
  JwksUnavailableError,
  type JwksSource,
  type KeySetLocation,
} from '../../application/identity/jwks-source.port.ts';
import { fitsAlgorithm } from '../../application/identity/token-key.ts';
import type { TokenAlgorithm } from '../../application/identity/token-signatures.port.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import { hasPassed } from '../../domain/kernel/due.ts';
import { fetchKeySet } from './fetch-key-set.ts';

interface KeySet {
  readonly keys: readonly JsonObject[];
  readonly fetchedAt: number;
}

/** How long a key set is used. */
const MAX_AGE_MS = 600_000;
/** How often a key set is fetched for kids that it does not have. */
const UNKNOWN_KID_COOLDOWN_MS = 60_000;
/** How long the next caller gets the same error instead of another attempt. */
const FAILURE_COOLDOWN_MS = 2_000;
/** There are as many entries as issuers, but an issuer whose location changes leaves one behind. */
const MAX_ENTRIES = 1000;

/** Key sets, fetched over HTTPS when they are first needed and kept in memory for a while. */
export class JwksCache implements JwksSource {
  private readonly sets = new Map<string, KeySet>();
  private readonly failures = new Map<string, { readonly at: number; readonly error: unknown }>();
  private readonly fetchedForUnknownKid = new Map<string, number>();
  private readonly running = new Map<string, Promise<KeySet>>();

  constructor(
    private readonly egress: EgressClient,
    private readonly clock: Clock,
  ) {}

  async keysFor(
    location: KeySetLocation,
    algorithm: TokenAlgorithm,
    kid: string | null,
  ): Promise<readonly JsonObject[]> {
    const name = JSON.stringify([location.issuerUrl, location.jwksUri]);
    const known = select(await this.current(name, location), algorithm, kid);
    if (known.length > 0 || kid === null || !this.mayFetchForUnknownKid(name)) return known;
    this.fetchedForUnknownKid.set(name, this.now());
    return select(await this.fetchOnce(name, location), algorithm, kid);
  }

  private async current(name: string, location: KeySetLocation): Promise<KeySet> {
    const kept = this.sets.get(name);
    if (kept && !hasPassed(MAX_AGE_MS, kept.fetchedAt, this.now())) return kept;
    return this.fetchOnce(name, location);
  }

  private mayFetchForUnknownKid(name: string): boolean {
    const last = this.fetchedForUnknownKid.get(name) ?? -Infinity;
    return hasPassed(UNKNOWN_KID_COOLDOWN_MS, last, this.now());
  }

  /** Callers that ask while a fetch is running share it. */
  private fetchOnce(name: string, location: KeySetLocation): Promise<KeySet> {
    const running = this.running.get(name);
    if (running) return running;
    const started = this.fetch(name, location).finally(() => this.running.delete(name));
    this.running.set(name, started);
    return started;
  }

  private async fetch(name: string, location: KeySetLocation): Promise<KeySet> {
    const failed = this.failures.get(name);
    if (failed && !hasPassed(FAILURE_COOLDOWN_MS, failed.at, this.now()))
      throw new JwksUnavailableError(location.issuerUrl, failed.error);
    try {
      const keys = await fetchKeySet(this.egress, this.clock, location);
      const set: KeySet = { keys, fetchedAt: this.now() };
      this.failures.delete(name);
      if (this.sets.size >= MAX_ENTRIES) this.sets.clear();
      this.sets.set(name, set);
      return set;
    } catch (error) {
      if (this.failures.size >= MAX_ENTRIES) this.failures.clear();
      this.failures.set(name, { at: this.now(), error });
      throw new JwksUnavailableError(location.issuerUrl, error);
    }
  }

  private now(): number {
    return this.clock.now().getTime();
  }
}

const select = (
  { keys }: KeySet,
  algorithm: TokenAlgorithm,
  kid: string | null,
): readonly JsonObject[] =>
  keys.filter((key) => fitsAlgorithm(key, algorithm) && (kid === null || key['kid'] === kid));
