import type { Agent } from '../../domain/identity/agent.ts';
import type { Org } from '../../domain/identity/org.ts';
import type { Manifest, RecordType } from '../../domain/record-type/manifest.ts';
import type { ChainReads } from '../../domain/vault/chain-store.port.ts';
import type { VaultKeyReads } from '../../domain/vault/vault-store.port.ts';

/** A row that its entries are compared with. It proves nothing by itself. */
export interface StoredRow<Value> {
  /** A UUID, or hex where it is none. */
  readonly id: string;
  /** Null where the row cannot be read. */
  readonly value: Value | null;
  /** Of the MAC: `unknown` where it is under a key that is not at hand. */
  readonly mac: 'holds' | 'broken' | 'unknown';
}

export type StoredType = Pick<
  RecordType,
  'id' | 'orgId' | 'publisher' | 'type' | 'version' | 'manifestDigest'
>;

/** Another database of this service at one moment. Nothing in it is changed, and none of its rows is believed. */
export interface ConfigSource {
  readonly vaultKeys: VaultKeyReads;
  readonly chains: ChainReads;
  /** Every row of the table, page by page. */
  orgs(): AsyncIterable<readonly StoredRow<Org>[]>;
  agents(): AsyncIterable<readonly StoredRow<Agent>[]>;
  /** Every row that can be read, without its manifest. */
  recordTypes(): AsyncIterable<readonly StoredType[]>;
  /** Null where there is none, where it is no JSON object, and where it is longer than any that a hub takes. */
  manifest(id: string): Promise<Manifest | null>;
}
