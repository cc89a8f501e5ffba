import { BoundedCache } from '../../../kernel/bounded-cache.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../kernel/canonical-json.ts';
import { EnabledIssuers } from './enabled-issuers.ts';
import { NameTable, type NameWords } from './name-table.ts';

/** Between the check of a credential and the time that is sealed, a call may wait for a lock, and clocks of nodes differ. */
export const WAIT_SECONDS = 60;
/** A call that began with an API key may seal entries for so long after the key has ended: one can revoke thousands of keys. */
const LONGEST_CALL_SECONDS = 3_600;
const END_OF_TIME = 0xff_ff_ff_ff;
/** Names whose answers are remembered. Most entries are of few actors. */
const REMEMBERED = 4_096;

/** What a registry holds, as data that a thread can be given. Null: the platform chain lost entries, so nothing is judged. */
export interface RegistryData {
  readonly words: NameWords;
  /** Seconds since 1970: the platform chain in this dump goes as far. */
  readonly wholeUpTo: number;
}

/**
 * What the platform chain establishes: the orgs, agents, API keys, certificates, issuers and peers, each with when it came into
 * being and when it ended. Times are in seconds since 1970. It takes 32 to 64 bytes a name, because a dump may hold millions of
 * certificates.
 *
 * Times of two chains are never compared. Clocks of nodes and of the database differ and may be wrong for a while, and the
 * holder of the signing key writes any time. So whether a credential had ended is judged for the platform chain alone.
 */
export class PlatformRegistry {
  private readonly issuers = new EnabledIssuers();
  private readonly remembered = new BoundedCache<readonly [number, number] | null>(REMEMBERED);

  private constructor(
    private readonly table: NameTable,
    private newestAt: number,
  ) {}

  static empty(): PlatformRegistry {
    return new PlatformRegistry(new NameTable(), 0);
  }

  static of({ words, wholeUpTo }: RegistryData): PlatformRegistry {
    return new PlatformRegistry(NameTable.of(words), wholeUpTo);
  }

  get data(): RegistryData {
    return { words: this.table.words, wholeUpTo: this.newestAt };
  }

  /** Whether what was there at this time is on the platform chain of the dump. */
  isWholeAt(at: number): boolean {
    return at + WAIT_SECONDS < this.newestAt;
  }

  /** Adds the next entry of the platform chain. Its bytes are verified elsewhere. */
  take(predicate: JsonObject): void {
    const { entryType, at: sealedAt, orgId = null, actor } = predicate;
    const { agentId, apiKeyId, role, ownerId, issuerUrl, peerHubId } = predicate;
    const at = secondsOf(sealedAt);
    this.newestAt = Math.max(this.newestAt, at);
    switch (entryType) {
      case 'KEY_ACTIVATED':
        return this.begin(['activated', sealedAt], at);
      case 'ORG_CREATED':
        this.begin(['publisher', predicate['slug'], orgId], at);
        return this.begin(['org', orgId], at);
      case 'PUBLISHER_CLAIMED':
        return this.begin(['publisher', predicate['publisher'], orgId], at);
      case 'AGENT_CREATED':
        this.begin(['agent', agentId], at);
        return this.begin(['agent', agentId, orgId], at);
      case 'API_KEY_MINTED':
      case 'API_KEY_ROTATED': {
        const { previousApiKeyId, previousKeyDeactivatesAt, expiresAt } = predicate;
        // The end is by the clock of the node, which may be hours behind the times that the chain seals.
        if (previousApiKeyId !== undefined)
          this.endAt(
            previousApiKeyId,
            Math.max(secondsOf(previousKeyDeactivatesAt, END_OF_TIME), at),
          );
        this.begin(['key', apiKeyId], at);
        const end = secondsOf(expiresAt, END_OF_TIME);
        return this.begin(['key', apiKeyId, role, ownerId, orgId], at, end);
      }
      case 'API_KEY_REVOKED':
        return this.endAt(apiKeyId, at);
      case 'API_KEY_REENABLED':
        return this.put(nameOf(ended(apiKeyId)), this.storedEnd(apiKeyId)[0], at);
      case 'CERT_ISSUED': {
        const { certId, issuedAt, expiresAt } = predicate;
        if (!isObject(actor) || actor['certId'] !== certId) return;
        return this.begin(certName(actor), secondsOf(issuedAt), secondsOf(expiresAt, END_OF_TIME));
      }
      case 'CERT_REVOKED':
        for (const certId of listOf(predicate['certIds'])) this.endAt(certId, at);
        return;
      case 'ISSUER_CREATED':
        this.begin(['issuer', predicate['issuerId'], issuerUrl, orgId], at);
        // One for agents lets nobody in by itself: its tokens are exchanged for certificates.
        if (predicate['appliesTo'] !== 'agent') this.begin(['issuer', issuerUrl, orgId], at);
        return this.enable(predicate, at);
      case 'ISSUER_UPDATED':
      case 'ISSUER_DELETED':
        return this.enable(predicate, at);
      case 'PEER_REGISTERED':
      case 'PEER_APPROVED':
        return this.begin(['peer', peerHubId], at);
      default:
    }
  }

  orgFault(orgId: JsonValue | undefined): string | null {
    return this.faultOf(['org', orgId], `the org ${textOf(orgId)}`);
  }

  /** @param orgId the org that registers types under this label. */
  publisherFault(publisher: JsonValue | undefined, orgId: JsonValue): string | null {
    const name = `the publisher ${textOf(publisher)} of the org ${textOf(orgId)}`;
    return this.faultOf(['publisher', publisher, orgId], name);
  }

  /** @param orgId which the agent has to be of. */
  agentFault(agentId: JsonValue, orgId: JsonValue | undefined): string | null {
    const name = `the agent ${textOf(agentId)} of the org ${textOf(orgId)}`;
    return this.faultOf(['agent', agentId, orgId], name);
  }

  /** @param orgId null of a platform key. */
  keyFault(
    apiKeyId: JsonValue | undefined,
    role: JsonValue | undefined,
    ownerId: JsonValue | undefined,
    orgId: JsonValue,
  ): string | null {
    const name = `the API key ${textOf(apiKeyId)} of the ${textOf(role)} ${textOf(ownerId)}`;
    return this.faultOf(['key', apiKeyId, role, ownerId, orgId], name);
  }

  /** @param orgId null of an issuer for every org. */
  issuerFault(
    issuerId: JsonValue | undefined,
    issuerUrl: JsonValue | undefined,
    orgId: JsonValue,
  ): string | null {
    const name = `the trusted issuer ${textOf(issuerId)} at ${textOf(issuerUrl)}`;
    return this.faultOf(['issuer', issuerId, issuerUrl, orgId], name);
  }

  /**
   * What is wrong with the credential of a sealed actor; null: nothing. Its form is judged elsewhere.
   *
   * @param at when the credential was used, by an entry of the platform chain; null if that is not known, or for another
   *   chain. Then whether it had ended is not judged.
   */
  actorFault(actor: JsonObject, at: number | null): string | null {
    const { kind, orgId = null, agentId, apiKeyId, certId, oidc, peerHubId } = actor;
    if (kind === 'peer') return this.faultOf(['peer', peerHubId], `the peer ${textOf(peerHubId)}`);
    if (apiKeyId !== undefined) {
      const what = `the API key ${textOf(apiKeyId)} of the ${textOf(kind)} ${textOf(agentId)}`;
      const name = ['key', apiKeyId, kind, agentId, orgId];
      return (
        this.faultOf(name, what) ?? this.endFault(name, apiKeyId, what, at, LONGEST_CALL_SECONDS)
      );
    }
    if (certId !== undefined) {
      const what = `the certificate ${textOf(certId)} of the agent ${textOf(agentId)}`;
      const name = certName(actor);
      return (
        this.faultOf(name, what) ??
        // Who is issued it is sealed without an org.
        (orgId === null ? null : this.agentFault(agentId ?? null, orgId)) ??
        this.endFault(name, certId, what, at, WAIT_SECONDS)
      );
    }
    const issuer = isObject(oidc) ? oidc['iss'] : undefined;
    if (issuer === undefined) return null;
    // The provider of an org lets in no operator, and one without an org lets in nobody else.
    const isOperator = kind === 'platform';
    if (isOperator !== (orgId === null))
      return `the ${textOf(kind)} of the org ${textOf(orgId)} has no identity provider`;
    const name = ['issuer', issuer, orgId];
    const what = `the identity provider ${textOf(issuer)}`;
    return (
      this.faultOf(name, what) ??
      this.endFault(name, issuerName(issuer, orgId), what, at, LONGEST_CALL_SECONDS)
    );
  }

  /**
   * Whether an entry's time tells when its credential was used. It does not if the clock was set back: the entry then gets
   * the time of the entry before it, or of the activation of its signing key.
   */
  isTimeOfUse(at: JsonValue | undefined, previousAt: JsonValue | undefined): boolean {
    return at !== previousAt && this.find(['activated', at]) === null;
  }

  private endFault(
    name: Name,
    id: JsonValue,
    what: string,
    at: number | null,
    latest: number,
  ): string | null {
    if (at === null) return null;
    const [, expires] = this.find(name)!;
    if (at > expires + latest) return `${what} expired at ${timeOf(expires)}, before this`;
    const [end, again] = this.find(ended(id)) ?? NEVER;
    return at > end + latest && at < again ? `${what} ended at ${timeOf(end)}, before this` : null;
  }

  private faultOf(name: Name, what: string): string | null {
    return this.find(name) ? null : `no entry of the platform chain establishes ${what}`;
  }

  /** What was established earlier counts. */
  private begin(name: Name, at: number, end = END_OF_TIME): void {
    const text = nameOf(name);
    if (!this.table.get(text)) this.put(text, at, end);
  }

  /** A disabled or deleted issuer lets nobody in. */
  private enable(act: JsonObject, at: number): void {
    const name = issuerName(act['issuerUrl'], act['orgId'] ?? null);
    const change = this.issuers.take(act);
    if (change === 'ended') return this.endAt(name, at);
    const [end] = this.storedEnd(name);
    if (change === 'enabled' && end !== END_OF_TIME) this.put(nameOf(ended(name)), end, at);
  }

  private endAt(id: JsonValue | undefined, at: number): void {
    const [from, again] = this.storedEnd(id);
    // The end of a key that was brought back is over.
    const end = again === END_OF_TIME ? Math.min(from, at) : at;
    this.put(nameOf(ended(id)), end, END_OF_TIME);
  }

  private put(text: string, first: number, second: number): void {
    this.table.set(text, first, second);
    this.remembered.set(text, [first, second]);
  }

  /** When a key or a certificate ended, and when it was brought back. */
  private storedEnd(id: JsonValue | undefined): readonly [number, number] {
    return this.table.get(nameOf(ended(id))) ?? NEVER;
  }

  private find(name: Name): readonly [number, number] | null {
    const text = nameOf(name);
    const known = this.remembered.get(text);
    if (known !== undefined) return known;
    const found = this.table.get(text);
    this.remembered.set(text, found);
    return found;
  }
}

type Name = readonly (JsonValue | undefined)[];

const issuerName = (issuerUrl: JsonValue | undefined, orgId: JsonValue): JsonValue => [
  'issuer',
  issuerUrl ?? null,
  orgId,
];
const ended = (id: JsonValue | undefined): Name => ['ended', id];
const NEVER = [END_OF_TIME, END_OF_TIME] as const;

const nameOf = (name: Name): string => JSON.stringify(name.map((part) => part ?? null));

/** A certificate is that of one agent, by one subject of one identity provider. */
const certName = ({ certId, agentId, oidc }: JsonObject): Name => {
  const { iss, sub } = isObject(oidc) ? oidc : {};
  return ['cert', certId, agentId, iss, sub];
};

const listOf = (value: JsonValue | undefined): readonly JsonValue[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]) : [];

/** Whole seconds since 1970 of an ISO 8601 time. */
export const secondsOf = (at: JsonValue | undefined, otherwise = 0): number => {
  const seconds = typeof at === 'string' ? Math.floor(Date.parse(at) / 1000) : NaN;
  return seconds >= 0 && seconds <= END_OF_TIME ? seconds : otherwise;
};
const timeOf = (seconds: number): string => new Date(seconds * 1000).toISOString();

/** Never `String(value)`: a hostile object may have a member `toString`. */
export const textOf = (value: JsonValue | undefined): string =>
  typeof value === 'string' ? value.slice(0, 80) : JSON.stringify(value ?? null).slice(0, 80);
