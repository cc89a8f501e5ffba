import type { Uuid } from '../kernel/ids.ts';
import type { ChainKey } from '../vault/chain-key.ts';
import type { LogKey } from './tree-store.port.ts';

/** The name of the log of an org. */
export const statementLog = (orgId: Uuid): LogKey => `${PREFIX}${orgId}`;
export const orgOfLog = (log: LogKey): Uuid => log.slice(PREFIX.length);
export const isStatementLog = (log: LogKey): boolean => log.startsWith(PREFIX);
const PREFIX = 'scitt:';

export interface EntryPlace {
  readonly chainKey: ChainKey;
  readonly position: number;
}

/** A leaf of the log of an org. */
export interface LogLeaf {
  /** From 0, without a gap. */
  readonly index: number;
  readonly hash: Uint8Array;
  /** The chain entry that it is; null where it is a registered statement. */
  readonly entry: EntryPlace | null;
}

/** A statement that was registered, as it was when its signature was found to hold. */
export interface RegisteredStatement {
  readonly orgId: Uuid;
  /** Of its leaf. */
  readonly hash: Uint8Array;
  /** `identityOf` it: one org has it once. */
  readonly identity: Uint8Array;
  /** Whose key signed it. */
  readonly agentId: Uuid;
  /** The input of its leaf. */
  readonly coseSign1: Uint8Array;
  /** ISO 8601 with milliseconds. */
  readonly registeredAt: string;
}

/** The chain of a record, and when that changed last, as its row says: ISO 8601 with milliseconds. */
export interface RecordInSight {
  readonly chainKey: ChainKey;
  readonly changedAt: string;
}

/** Entries of a chain, from a position up to its head, that stand in no log. */
export interface UnloggedChain {
  readonly chainKey: ChainKey;
  readonly from: number;
  readonly to: number;
  /** Hash of the entry at `to`, as the head says. */
  readonly hash: Uint8Array;
}

/**
 * The logs of orgs. Their rows are no evidence: whoever reads a leaf compares it with the bytes that it is the hash of, and
 * the tree over all of them with a signed root. Null where missing.
 */
export interface StatementLogReads {
  /** For whoever knows nothing of it but its hash: the longer the log, the longer it is looked for. */
  leaf(log: LogKey, hash: Uint8Array): Promise<LogLeaf | null>;
  /** In order, from this index on. */
  leaves(log: LogKey, fromIndex: number, limit: number): Promise<readonly LogLeaf[]>;
  /** The log whose name follows, with its number of leaves. */
  next(after: LogKey): Promise<{ readonly log: LogKey; readonly size: number } | null>;
  statement(orgId: Uuid, hash: Uint8Array): Promise<RegisteredStatement | null>;
  statementBy(orgId: Uuid, identity: Uint8Array): Promise<RegisteredStatement | null>;
  /** The entries of a chain that stand in it, in order, from one position to another. */
  leavesOfChain(
    log: LogKey,
    chainKey: ChainKey,
    from: number,
    to: number,
  ): Promise<readonly LogLeaf[]>;
  /** Which of these stand in a log already, each at its place among them. */
  logged(log: LogKey, leaves: readonly Omit<LogLeaf, 'index'>[]): Promise<readonly boolean[]>;
  /** Records in order of their last change, then of their key, after this one. */
  changedRecords(after: RecordInSight, limit: number): Promise<readonly RecordInSight[]>;
  /** Schema chains that have grown since. @param since ISO 8601. */
  schemaChains(since: string): Promise<readonly ChainKey[]>;
  /** What is missing of these chains behind the last entry that stands in a log; those that miss nothing are left out. */
  unlogged(chainKeys: readonly ChainKey[]): Promise<readonly UnloggedChain[]>;
}

/** Inside a unit of work. An index, an entry or an identity that is taken comes out of it as DuplicateError. */
export interface StatementLogStore extends StatementLogReads {
  add(log: LogKey, leaves: readonly LogLeaf[]): Promise<void>;
  register(statement: RegisteredStatement): Promise<void>;
}
