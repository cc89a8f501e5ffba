import type { JsonObject } from '../kernel/canonical-json.ts';
import type { Slice, SliceRequest } from '../kernel/page.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { Completion } from './completion.ts';
import type { RecordStatus } from './record-status.ts';
import type { RecordState } from './record-state.ts';
import type { Reference } from './reference.ts';

/**
 * Records inside a unit of work.
 *
 * `insert` may be deferred to the commit. `lock` holds the row until the end of the unit of work and gives the
 * database's own time, by which deadlines bind; below a root it locks the root first, so that whoever holds one
 * record of a tree holds the tree. The reads that follow are for whoever does. `update` writes the row whose
 * `version` is one less than the given one; where that is gone, somebody broke the lock rule, and the unit of
 * work fails.
 *
 * Criteria that are large are never read here, so that nobody waits for the content of others: `NOT_READ` stands in
 * their place. What comes by `lockInTree` and `findInTree` is carried along, and has no criteria at all.
 */
export interface RecordStore {
  insert(record: RecordState): Promise<void>;
  lock(id: Uuid): Promise<{ readonly record: RecordState; readonly now: Date } | null>;
  lockInTree(id: Uuid): Promise<RecordState | null>;
  /** In no particular order; those that are missing are left out. */
  findInTree(ids: readonly Uuid[]): Promise<readonly RecordState[]>;
  /** Records directly under this one that are not final. */
  hasOpenChild(id: Uuid): Promise<boolean>;
  /** Records directly under this one whose expiry has passed at a time (ISO 8601), and that have not expired yet. */
  dueChildren(id: Uuid, now: string): Promise<readonly Uuid[]>;
  /** What is directly under these records, in no particular order and without what may be large. */
  childrenOf(
    ids: readonly Uuid[],
  ): Promise<readonly Pick<RecordState, 'id' | 'status' | 'childCount'>[]>;
  /** @param before as it was locked: criteria that are the same object are left as they are stored. */
  update(record: RecordState, before?: RecordState): Promise<void>;
}

export interface CompletionStore {
  insert(completion: Completion): Promise<void>;
  find(id: Uuid): Promise<Completion | null>;
  /** Writes what may change of a completion: its gate and its verdict. */
  update(completion: Completion): Promise<void>;
}

/**
 * A record brings its references along; this only adds one. The record itself is updated beside it, which counts them.
 */
export interface ReferenceStore {
  /** @param entryPosition of the entry that sealed it; references come in the order of their entries. */
  insert(reference: Reference, entryPosition: number): Promise<void>;
}

export interface RecordFilter {
  /** Whom the caller may read for: one agent's records, one org's, or all (null). */
  readonly reader: { readonly agentId: Uuid } | { readonly orgId: Uuid } | null;
  /** With the expiry applied: a record whose time is out is EXPIRED, whether or not its row says so yet. */
  readonly status?: RecordStatus;
  /** In one of these, each once. */
  readonly statuses?: readonly RecordStatus[];
  readonly type?: string;
  readonly publisher?: string;
  readonly principalAgentId?: Uuid;
  readonly performerAgentId?: Uuid;
  readonly parentRecordId?: Uuid;
  readonly rootRecordId?: Uuid;
  readonly platform?: string;
  readonly platformRef?: string;
  readonly disputed?: boolean;
  /** ISO 8601, from inclusive, to exclusive. */
  readonly createdFrom?: string;
  readonly createdTo?: string;
  readonly updatedFrom?: string;
  readonly updatedTo?: string;
  /** Prefix of platformRef or of the id. */
  readonly q?: string;
  readonly sort: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt';
}

/** A record as its tree shows it: without criteria, which may be large. */
export type TreeRecord = Pick<
  RecordState,
  | 'id'
  | 'parentRecordId'
  | 'depth'
  | 'status'
  | 'orgId'
  | 'performerOrgId'
  | 'principalAgentId'
  | 'performerAgentId'
> & { readonly type: string };

/** A completion as the status of its gates shows it. */
export type CompletionGate = Pick<Completion, 'id' | 'gate'>;

/** Committed rows, outside of a unit of work. Null where missing. */
export interface RecordReads {
  /** Criteria that are large are left where they are: `NOT_READ` stands in their place. */
  find(id: Uuid): Promise<{ readonly record: RecordState; readonly now: Date } | null>;
  /** The record with its large criteria read. */
  whole(record: RecordState): Promise<RecordState>;
  /** The large criteria of a record that stand under a hash; nobody has checked that it is theirs. Null where missing. */
  content(id: Uuid, hash: string): Promise<JsonObject | null>;
  /** A delegation tree, the nearest to the root first. */
  tree(rootId: Uuid, limit: number): Promise<readonly TreeRecord[]>;
  list(filter: RecordFilter, slice: SliceRequest): Promise<Slice<RecordState>>;
  /** The ids of the same listing. */
  ids(filter: RecordFilter, slice: SliceRequest): Promise<Slice<Uuid>>;
  /** How many a listing has, exactly, however many there are. */
  count(filter: RecordFilter): Promise<number>;
  /** Records to which something happens by itself, because a deadline passed by the database's own time. */
  due(limit: number): Promise<readonly Uuid[]>;
  /**
   * Records directly under a parent, or of the whole tree of a root, whose expiry has passed by the database's own time,
   * and that have not expired yet; the deepest first.
   */
  dueIn(
    tree: { readonly parentRecordId: Uuid } | { readonly rootRecordId: Uuid },
    limit: number,
  ): Promise<readonly Uuid[]>;
  /** Records that the reader may read whose dispute has a phase that ended by the database's own time. */
  duePhases(reader: RecordFilter['reader'], limit: number): Promise<readonly Uuid[]>;
  /** Records that wait for their gates and did not change for so many ms, the longest waiting first. */
  unevaluated(forMs: number, limit: number): Promise<readonly Uuid[]>;
  /** The org of a manifest that some record, which the reader is a party to, pins; null where there is none. */
  pinnedBy(
    reader: NonNullable<RecordFilter['reader']>,
    manifest: { readonly publisher: string; readonly type: string; readonly version: number },
  ): Promise<Uuid | null>;
}

export interface CompletionReads {
  find(id: Uuid): Promise<Completion | null>;
  /** Leaves out the evidence, which may be large. */
  gateOf(id: Uuid): Promise<CompletionGate | null>;
  /** Of one record, in order of revision. */
  ofRecord(recordId: Uuid): Promise<readonly Completion[]>;
}
