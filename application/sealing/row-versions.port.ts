import type { ChainStore } from '../../domain/vault/chain-store.port.ts';

/** The version of a row by its id, as the newest entry about it seals it: 1 where no entry changed it. */
export type VersionLookup = (id: string) => number;

/**
 * Which version of each row the platform chain sealed last. A row that is put back with its genuine MAC has an earlier
 * one. Every look-up rejects with CONFLICT and reason payload_drift where the chain does not verify.
 */
export interface RowVersions {
  /** As the chain was at most a tenth of a second ago; usually answers without asking the database. */
  recent(): Promise<VersionLookup>;
  /** As the chain is committed now or later. */
  now(): Promise<VersionLookup>;
  /** As a unit of work sees the chain, its own entries included. */
  within(chains: Pick<ChainStore, 'upFrom'>): Promise<VersionLookup>;
}
