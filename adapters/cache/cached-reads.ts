import type { Agent } from '../../domain/identity/agent.ts';
import type { ApiKey } from '../../domain/identity/api-key.ts';
import type { AgentReads, ApiKeyReads } from '../../domain/identity/identity-store.port.ts';
import type { RecordType } from '../../domain/record-type/manifest.ts';
import type { RecordTypeReads } from '../../domain/record-type/record-type-store.port.ts';
import type { ChangeNotices } from './change-notices.ts';
import { TtlCache } from './ttl-cache.ts';

/**
 * What every request asks for again, remembered for less than the second within which a change must take effect on every node.
 * The node that makes a change forgets at once. What is missing is never remembered.
 */
const TTL_MS = 900;
const CAPACITY = 50_000;

export const cachedAgents = (reads: AgentReads, notices: ChangeNotices): AgentReads => {
  const cache = new TtlCache<string, Agent | null>(TTL_MS, CAPACITY);
  notices.on('agent', () => cache.clear());
  return { find: (id) => cache.get(id, () => reads.find(id), isFound), list: (filter, slice) => reads.list(filter, slice) };
};

export const cachedApiKeys = (reads: ApiKeyReads, notices: ChangeNotices): ApiKeyReads => {
  const cache = new TtlCache<string, ApiKey | null>(TTL_MS, CAPACITY);
  notices.on('api-key', () => cache.clear());
  return {
    find: (id) => reads.find(id),
    findByHash: (hash) => cache.get(Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('latin1'), () => reads.findByHash(hash), isFound),
    list: (filter, slice) => reads.list(filter, slice),
  };
};

export const cachedRecordTypes = (reads: RecordTypeReads, notices: ChangeNotices): RecordTypeReads => {
  const cache = new TtlCache<string, readonly RecordType[]>(TTL_MS, 2_000);
  notices.on('record-type', () => cache.clear());
  return {
    find: (orgId, type) => cache.get(`${orgId}/${type}`, () => reads.find(orgId, type), (rows) => rows.length > 0),
    list: (filter, slice) => reads.list(filter, slice),
    activeNames: (orgId) => reads.activeNames(orgId),
    published: (publisher, type, version) => reads.published(publisher, type, version),
  };
};

const isFound = (row: object | null): boolean => row !== null;
