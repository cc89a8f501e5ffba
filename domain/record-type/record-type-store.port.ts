import type { Uuid } from '../kernel/ids.ts';
import type { Slice, SliceRequest } from '../kernel/page.ts';
import type { RecordType, RecordTypeStatus } from './manifest.ts';

/** Writes record types, inside a unit of work. */
export interface RecordTypeStore {
  /**
   * The label stays locked until the end of the unit of work, so two orgs, or two registrations by
   * one publisher, run one after the other. Whose the label is, the platform chain says.
   */
  lockPublisher(label: string): Promise<void>;
  /** Every version of one type of one publisher in the org, disabled ones too, newest first. */
  versions(orgId: Uuid, type: string, publisher: string): Promise<readonly RecordType[]>;
  /** Every publisher and version of the name in the org, newest version first. */
  ofName(orgId: Uuid, type: string): Promise<readonly RecordType[]>;
  /**
   * Each version of one type of one publisher that any org of the hub holds, listed once. Called
   * while the publisher's label is locked.
   */
  held(publisher: string, type: string): Promise<readonly HeldVersion[]>;
  /**
   * A database constraint rules out a second row with the same (orgId, publisher, type, version).
   */
  insert(type: RecordType): Promise<void>;
  /** `version` null: all versions. Returns how many rows changed. */
  setStatus(
    key: {
      readonly orgId: Uuid;
      readonly type: string;
      readonly publisher: string;
      readonly version: number | null;
    },
    status: RecordTypeStatus,
  ): Promise<number>;
  /** Deletes one row. Returns how many were deleted: 0 or 1. */
  remove(id: Uuid): Promise<number>;
  /** How many records pin this row. Counting stops at MAX_COUNTED_RECORDS. */
  countRecords(pin: {
    readonly orgId: Uuid;
    readonly publisher: string;
    readonly type: string;
    readonly version: number;
  }): Promise<number>;
}

export const MAX_COUNTED_RECORDS = 10_000;

export interface HeldVersion {
  readonly version: number;
  readonly manifestDigest: string;
}

/** Committed rows by their ids. */
export interface RecordTypeRows {
  /** In no particular order; those that are missing are left out. */
  withIds(ids: readonly Uuid[]): Promise<readonly RecordType[]>;
}

export interface RecordTypeFilter {
  /** Null: the types of every org. */
  readonly orgId: Uuid | null;
  readonly type?: string;
  readonly publisher?: string;
  readonly status?: RecordTypeStatus;
}

/**
 * Reads committed record types, outside of any unit of work. A row never changes, except for its
 * `status`, until it is deleted.
 */
export interface RecordTypeReads {
  /** Every publisher and version of the name in the org, newest version first; empty where there is none. */
  find(orgId: Uuid, type: string): Promise<readonly RecordType[]>;
  /** Newest registration first. */
  list(filter: RecordTypeFilter, slice: SliceRequest): Promise<Slice<RecordType>>;
  /** The names of the org that have an active version, sorted. */
  activeNames(orgId: Uuid): Promise<readonly string[]>;
  /**
   * One version as any org of the hub holds it: all orgs hold the same manifest. Null where no org
   * holds it.
   */
  published(publisher: string, type: string, version: number): Promise<RecordType | null>;
}
