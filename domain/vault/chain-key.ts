import { isUuid, ZERO_UUID, type Uuid } from '../kernel/ids.ts';

/** The name of a chain: a record id, `schema:<orgId>`, or the zero UUID for platform operations. */
export type ChainKey = string;
export type ChainKind = 'record' | 'schema' | 'admin';

export const PLATFORM_CHAIN: ChainKey = ZERO_UUID;
export const recordChain = (recordId: Uuid): ChainKey => recordId;
export const schemaChain = (orgId: Uuid): ChainKey => `schema:${orgId}`;

/** The org of a schema chain; null of any other. */
export const schemaChainOrg = (chainKey: ChainKey): Uuid | null =>
  chainKindOf(chainKey) === 'schema' ? chainKey.slice('schema:'.length) : null;

/** Null where the text names no chain at all. */
export const chainKindOf = (chainKey: string): ChainKind | null => {
  if (chainKey === PLATFORM_CHAIN) return 'admin';
  if (isUuid(chainKey)) return 'record';
  return chainKey.startsWith('schema:') && isUuid(chainKey.slice('schema:'.length))
    ? 'schema'
    : null;
};
