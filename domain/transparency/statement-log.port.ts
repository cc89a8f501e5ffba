import type { Uuid } from '../kernel/ids.ts';
import type { ChainKey } from '../vault/chain-key.ts';
import type { LogKey } from './tree-store.port.ts';

/** The name of the log of an org. */
export const statementLog = (orgId: Uuid): LogKey => `${PREFIX}${orgId}`;
export const orgOfLog = (log: LogKey): Uuid => log.slice(PREFIX.length);
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

/** A chain entry that stands in no log yet, as its row says. */
export interface UnloggedEntry extends EntryPlace {
  /** ISO 8601 with milliseconds. */
  readonly at: string;
  readonly orgId: Uuid;
}

/**
 * The logs of orgs. Their rows are no evidence: whoever reads a leaf compares it with the bytes that it is the hash of, and
 * the tree over all of them with a signed root. Null where missing.
 */
export interface StatementLogReads {
  leaf(log: LogKey, hash: Uint8Array): Promise<LogLeaf | null>;
  /** In order, from this index on. */
  leaves(log: LogKey, fromIndex: number, limit: number): Promise<readonly LogLeaf[]>;
  /** The log whose name follows, with its number of leaves. */
  next(after: LogKey): Promise<{ readonly log: LogKey; readonly size: number } | null>;
  statement(orgId: Uuid, hash: Uint8Array): Promise<RegisteredStatement | null>;
  statementBy(orgId: Uuid, identity: Uint8Array): Promise<RegisteredStatement | null>;
  /**
   * Entries of records and of schema chains that stand in no log, the oldest first.
   *
   * @param since ISO 8601: older ones are not looked for.
   */
  unlogged(since: string, limit: number): Promise<readonly UnloggedEntry[]>;
}

/** Inside a unit of work. An index, a hash or an identity that is taken comes out of it as DuplicateError. */
export interface StatementLogStore extends StatementLogReads {
  add(log: LogKey, leaves: readonly LogLeaf[]): Promise<void>;
  register(statement: RegisteredStatement): Promise<void>;
}
