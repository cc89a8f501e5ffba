import type { JsonObject } from '../kernel/canonical-json.ts';
import { coveredReadsIn, type CoveredReads } from '../vault/covered-reads.ts';
import { revocableName, revocationsIn, type Revocation } from '../vault/revocation.ts';
import type { RewindAcknowledged } from '../vault/rewind.ts';
import type { Uuid } from '../kernel/ids.ts';
import { CLOCK_SKEW_SECONDS } from './token-claims.ts';
import { MAX_TTL_SECONDS } from './trusted-issuer.ts';

/**
 * What the platform chain says of rows: the version of each, whose a slug is, and whose a publisher label. A row that no
 * entry changed is not held: its version is 1. The revocation of a certificate is held for as long as the certificate
 * could be valid.
 */
export class PlatformFacts {
  private readonly versions = new Map<string, number>();
  private readonly slugs = new Map<string, Uuid>();
  private readonly publishers = new Map<string, Uuid>();
  private readonly peerKeys = new Map<string, Uuid>();
  private readonly hubKeys = new Set<string>();
  private readonly reads = new Map<Uuid, CoveredReads>();
  private readonly revoked = new Map<string, Revocation>();
  private files: string | null = null;
  private readonly losses: {
    readonly chainKey: string;
    readonly from: number;
    readonly to: number;
    readonly checkpoint: string;
    readonly acknowledgedAt: string;
    readonly position: number;
  }[] = [];
  private readonly ending: {
    readonly ids: readonly string[];
    readonly names: readonly string[];
    readonly at: number;
  }[] = [];

  /** @param before entries before these, which are not changed. */
  constructor(private readonly before: PlatformFacts | null = null) {}

  /** Whether the platform chain says that this was lost: an entry that a checkpoint of that time saw. */
  isLost(chainKey: string, position: number, at: string): boolean {
    return (
      this.losses.some(
        (loss) =>
          loss.chainKey === chainKey &&
          loss.from <= position &&
          position <= loss.to &&
          at < loss.acknowledgedAt,
      ) ||
      (this.before?.isLost(chainKey, position, at) ?? false)
    );
  }

  /** @param checkpoint SHA-256 of the one that shows the loss, lowercase hex. */
  isAcknowledged(chainKey: string, checkpoint: string): boolean {
    return (
      this.losses.some((loss) => loss.chainKey === chainKey && loss.checkpoint === checkpoint) ||
      (this.before?.isAcknowledged(chainKey, checkpoint) ?? false)
    );
  }

  /** Where the chain says of entries of another chain, or of its own, that they were lost: its positions. */
  acknowledgementsOf(chainKey: string): readonly number[] {
    const mine = this.losses.filter((loss) => loss.chainKey === chainKey);
    return [
      ...(this.before?.acknowledgementsOf(chainKey) ?? []),
      ...mine.map(({ position }) => position),
    ];
  }

  /** How many rows are held in memory. */
  get size(): number {
    return this.versions.size;
  }

  versionOf(id: string): number {
    return this.versions.get(id) ?? this.before?.versionOf(id) ?? 1;
  }

  /** The org that was created with the slug. */
  orgOfSlug(slug: string): Uuid | null {
    return this.slugs.get(slug) ?? this.before?.orgOfSlug(slug) ?? null;
  }

  /** Every org that was created, the system org among them. */
  *orgs(): Generator<Uuid> {
    if (this.before) yield* this.before.orgs();
    yield* this.slugs.values();
  }

  /** The org that claimed the label; an org's own slug needs no claim. */
  publisherOf(label: string): Uuid | null {
    return this.publishers.get(label) ?? this.before?.publisherOf(label) ?? null;
  }

  /** The peer that a key was registered for, once and for ever. @param thumbprint RFC 9679, lowercase hex. */
  peerOfKey(thumbprint: string): Uuid | null {
    return this.peerKeys.get(thumbprint) ?? this.before?.peerOfKey(thumbprint) ?? null;
  }

  /** Whether this is, or was, a hub key of this hub. */
  isHubKey(thumbprint: string): boolean {
    return this.hubKeys.has(thumbprint) || (this.before?.isHubKey(thumbprint) ?? false);
  }

  get hasHubKey(): boolean {
    return this.hubKeys.size > 0 || (this.before?.hasHubKey ?? false);
  }

  /** SHA-256 over the provisioning files that were applied last, lowercase hex; null where none ever were. */
  get appliedFiles(): string | null {
    return this.files ?? this.before?.appliedFiles ?? null;
  }

  /** How far the newest round covered the org's log of reads; null before the first one. */
  coveredReadsOf(orgId: Uuid): CoveredReads | null {
    return this.reads.get(orgId) ?? this.before?.coveredReadsOf(orgId) ?? null;
  }

  /** The newest act by which this was revoked or made usable again; null if there is none. */
  revocationOf(name: string): Revocation | null {
    return this.revoked.get(name) ?? this.before?.revocationOf(name) ?? null;
  }

  /** The newest such act on each thing. */
  *revocations(): Generator<Revocation> {
    for (const one of this.before?.revocations() ?? [])
      if (!this.revoked.has(revocableName(one))) yield one;
    yield* this.revoked.values();
  }

  /** The newest of each org. */
  *coveredReads(): Generator<CoveredReads> {
    for (const covered of this.before?.coveredReads() ?? [])
      if (!this.reads.has(covered.orgId)) yield covered;
    yield* this.reads.values();
  }

  /** Adds the next entry. */
  take(predicate: JsonObject, position: number): void {
    const rows = Object.entries((predicate['rowVersions'] ?? {}) as Record<string, number>);
    for (const [id, version] of rows) if (version > 1) this.versions.set(id, version);
    const { entryType, orgId, slug, publisher, at } = predicate as Record<string, string>;
    if (entryType === 'ORG_CREATED') this.slugs.set(slug!, orgId!);
    if (entryType === 'PUBLISHER_CLAIMED') this.publishers.set(publisher!, orgId!);
    const { peerHubId, publicKeyThumbprint } = predicate as Record<string, string>;
    if (entryType?.startsWith('PEER_')) this.peerKeys.set(publicKeyThumbprint!, peerHubId!);
    if (entryType?.startsWith('HUB_KEY_')) this.hubKeys.add(publicKeyThumbprint!);
    if (entryType === 'PROVISIONING_APPLIED') this.files = String(predicate['filesHash']);
    if (entryType === 'ORG_READS_COVERED')
      for (const covered of coveredReadsIn(predicate) ?? []) this.reads.set(covered.orgId, covered);
    const revocations = revocationsIn(predicate);
    for (const one of revocations) this.revoked.set(revocableName(one), one);
    if (entryType === 'CERT_REVOKED')
      this.ending.push({
        ids: rows.map(([id]) => id),
        names: revocations.map(revocableName),
        at: longestCertEnd(at!),
      });
    if (entryType === 'REWIND_ACKNOWLEDGED') {
      const { chainKey, lostRange, checkpoint } = predicate as unknown as RewindAcknowledged;
      this.losses.push({ chainKey, ...lostRange, checkpoint, acknowledgedAt: at!, position });
    }
    this.forgetEnded(Date.parse(at!));
  }

  private forgetEnded(now: number): void {
    while (this.ending[0] && this.ending[0].at < now) {
      const { ids, names } = this.ending.shift()!;
      for (const id of ids) this.versions.delete(id);
      for (const name of names) this.revoked.delete(name);
    }
  }
}

/** When a certificate that was valid at this time has ended, ms since 1970. */
export const longestCertEnd = (at: string): number => Date.parse(at) + LONGEST_CERT_MS;

const LONGEST_CERT_MS = (MAX_TTL_SECONDS + CLOCK_SKEW_SECONDS) * 1000;
