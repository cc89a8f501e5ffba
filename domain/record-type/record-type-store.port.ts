import type { Uuid } from '../kernel/ids.ts';
import type { Slice, SliceRequest } from '../kernel/page.ts';
import type { RecordType, RecordTypeStatus } from './manifest.ts';

/** Writes record types, inside a unit of work. */
export interface RecordTypeStore {
  /**
   * The org that owns the publisher label, or null where nobody does yet. Whoever asks holds the label until
   * the end of the unit of work, so that two orgs, and two registrations of one publisher, follow each other.
   */
  lockPublisher(label: string): Promise<Uuid | null>;
  /** Gives the label, locked and unowned, to the org. */
  claimPublisher(label: string, orgId: Uuid): Promise<void>;
  /** Every version of one type of one publisher in the org, disabled ones too, newest first. */
  versions(orgId: Uuid, type: string, publisher: string): Promise<readonly RecordType[]>;
  /** A second row of one (orgId, publisher, type, version) is impossible by a database constraint. */
  insert(type: RecordType): Promise<void>;
  /** `version` null: all versions. Returns how many rows changed. */
  setStatus(key: { readonly orgId: Uuid; readonly type: string; readonly publisher: string; readonly version: number | null }, status: RecordTypeStatus): Promise<number>;
}

export interface RecordTypeFilter {
  /** Null: the types of every org. */
  readonly orgId: Uuid | null;
  readonly type?: string;
  readonly publisher?: string;
  readonly status?: RecordTypeStatus;
}

/** Reads record types as they are committed, outside of any unit of work. Rows never change but for `status`. */
export interface RecordTypeReads {
  /** Every publisher and version of the name in the org, newest version first; empty where there is none. */
  find(orgId: Uuid, type: string): Promise<readonly RecordType[]>;
  /** Newest registration first. */
  list(filter: RecordTypeFilter, slice: SliceRequest): Promise<Slice<RecordType>>;
  /** The names of the org that have an active version, sorted. */
  activeNames(orgId: Uuid): Promise<readonly string[]>;
}
