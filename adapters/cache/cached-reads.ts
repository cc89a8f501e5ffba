import type { Agent } from '../../domain/identity/agent.ts';
import type {
  AgentReads,
  ApiKeyReads,
  Credential,
  OrgReads,
} from '../../domain/identity/identity-store.port.ts';
import type { RecordType } from '../../domain/record-type/manifest.ts';
import type { RecordTypeReads } from '../../domain/record-type/record-type-store.port.ts';
import type {
  CertReads,
  TrustedIssuerReads,
} from '../../domain/identity/certificate-store.port.ts';
import type { EphemeralCert } from '../../domain/identity/ephemeral-cert.ts';
import type { Org } from '../../domain/identity/org.ts';
import type { TrustedIssuer } from '../../domain/identity/trusted-issuer.ts';
import type { ChangeNotices } from './change-notices.ts';
import { TtlCache } from './ttl-cache.ts';

/**
 * Caches what every request reads. A change must take effect on every node within a second, so an
 * entry lives for less. The node that makes a change forgets at once. A missing row is never
 * cached.
 */
export const CACHED_MS = 900;
const CAPACITY = 50_000;

export const cachedAgents = (reads: AgentReads, notices: ChangeNotices): AgentReads => {
  const cache = new TtlCache<string, Agent | null>(CACHED_MS, CAPACITY);
  notices.on('agent', () => cache.clear());
  return {
    find: (id) => cache.get(id, () => reads.find(id), isFound),
    list: (filter, slice) => reads.list(filter, slice),
  };
};

export const cachedOrgs = (reads: OrgReads, notices: ChangeNotices): OrgReads => {
  const cache = new TtlCache<string, Org | null>(CACHED_MS, CAPACITY);
  notices.on('org', () => cache.clear());
  return {
    find: (id) => cache.get(id, () => reads.find(id), isFound),
    list: (filter, slice) => reads.list(filter, slice),
  };
};

export const cachedApiKeys = (reads: ApiKeyReads, notices: ChangeNotices): ApiKeyReads => {
  const cache = new TtlCache<string, Credential | null>(CACHED_MS, CAPACITY);
  for (const kind of ['api-key', 'agent'] as const) notices.on(kind, () => cache.clear());
  return {
    find: (id) => reads.find(id),
    findCredential: (hashes) =>
      cache.get(nameOf(hashes[0]!), () => reads.findCredential(hashes), isFound),
    list: (filter, slice) => reads.list(filter, slice),
    selectIds: (selection, limit) => reads.selectIds(selection, limit),
  };
};

export const cachedRecordTypes = (
  reads: RecordTypeReads,
  notices: ChangeNotices,
): RecordTypeReads => {
  const cache = new TtlCache<string, readonly RecordType[]>(CACHED_MS, 2_000);
  notices.on('record-type', () => cache.clear());
  return {
    find: (orgId, type) =>
      cache.get(
        `${orgId}/${type}`,
        () => reads.find(orgId, type),
        (rows) => rows.length > 0,
      ),
    list: (filter, slice) => reads.list(filter, slice),
    activeNames: (orgId) => reads.activeNames(orgId),
    published: (publisher, type, version) => reads.published(publisher, type, version),
  };
};

const nameOf = (hash: Uint8Array): string =>
  Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('latin1');
export const cachedTrustedIssuers = (
  reads: TrustedIssuerReads,
  notices: ChangeNotices,
): TrustedIssuerReads => {
  const cache = new TtlCache<string, readonly TrustedIssuer[]>(CACHED_MS, 2_000);
  notices.on('issuer', () => cache.clear());
  return {
    find: (id) => reads.find(id),
    ofUrl: (issuerUrl) =>
      cache.get(
        issuerUrl,
        () => reads.ofUrl(issuerUrl),
        (rows) => rows.length > 0,
      ),
    list: (filter, slice) => reads.list(filter, slice),
  };
};

export const cachedCerts = (reads: CertReads, notices: ChangeNotices): CertReads => {
  const cache = new TtlCache<string, EphemeralCert | null>(CACHED_MS, CAPACITY);
  notices.on('cert', () => cache.clear());
  return { find: (id) => cache.get(id, () => reads.find(id), isFound) };
};

const isFound = (row: object | null): boolean => row !== null;
