import type { Dispute } from '../../../domain/dispute/dispute.ts';
import type { Completion } from '../../../domain/record/completion.ts';
import type { RecordState } from '../../../domain/record/record-state.ts';
import type { RecordType } from '../../../domain/record-type/manifest.ts';
import type { ChainKey } from '../../../domain/vault/chain-key.ts';
import type { ChainEntry, ChainHead } from '../../../domain/vault/chain.ts';
import type { KeyStatement, VaultKey } from '../../../domain/vault/key-statement.ts';
import type { HubIdentity } from '../../../domain/vault/vault-store.port.ts';
import type { ScanLogSnapshot } from './scan-log-snapshot.port.ts';

/** A row that may not be readable: somebody may have written anything into it. */
export interface StoredRow<Value> {
  /** What names the row, and its place in the order of the rows. */
  readonly key: string;
  /** Null where the row does not hold a value of its kind. */
  readonly value: Value | null;
}

/** An entry with its place, which is known even where the rest of the row cannot be read. */
export interface StoredEntry {
  readonly chainKey: ChainKey;
  readonly position: number;
  readonly entry: ChainEntry | null;
}

/** A record with every row that hangs on it. */
export interface StoredRecord {
  readonly record: RecordState;
  readonly completions: readonly StoredRow<Completion>[];
  readonly disputes: readonly StoredRow<Dispute>[];
  /** The records that name it as their parent, with the hash of the first entry of each; null where it has none. */
  readonly children: readonly { readonly id: string; readonly firstHash: string | null }[];
  /** Of a mirror: the manifest that is kept with it, as text; null where none is. */
  readonly keptManifest: string | null;
}

/** A row under a MAC. */
export interface SealedRow {
  readonly table: string;
  /** Null where the row does not say. */
  readonly id: string | null;
  readonly holds: boolean;
  /** Null where no entry tells of its version. */
  readonly revision: { readonly id: string; readonly version: number } | null;
}

/**
 * One moment of the whole database, for a scan. Pages are read as they are asked for. Nothing is verified but MACs, and
 * no row stops a page.
 */
export interface ScanSnapshot {
  readonly logs: ScanLogSnapshot;
  hub(): Promise<HubIdentity | null>;
  /** Without the pending ones. */
  keys(): Promise<readonly VaultKey[]>;
  /** In order of chain position. */
  statements(): Promise<readonly KeyStatement[]>;
  /** In order of chain key, by its bytes, and of position. */
  entries(): AsyncIterable<readonly StoredEntry[]>;
  /** In order of chain key; chains that were locked and have no entry are left out. */
  heads(): AsyncIterable<readonly StoredRow<ChainHead>[]>;
  /** In order of their ids. */
  records(): AsyncIterable<readonly StoredRow<StoredRecord>[]>;
  recordTypes(): AsyncIterable<readonly StoredRow<RecordType>[]>;
  sealedRows(): AsyncIterable<readonly SealedRow[]>;
}
