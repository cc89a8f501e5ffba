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
  /** Every publisher and version of the name in the org, newest version first. */
  ofName(orgId: Uuid, type: string): Promise<readonly RecordType[]>;
  /** The versions of one type of one publisher that any org of the hub holds, each once. Asked while its label is locked. */
  held(publisher: string, type: string): Promise<readonly HeldVersion[]>;
  /** A second row of one (orgId, publisher, type, version) is impossible by a database constraint. */
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
  /** Takes one row away. Returns how many went: 0 or 1. */
  remove(id: Uuid): Promise<number>;
  /** How many records pin this row; counted no further than MAX_COUNTED_RECORDS. */
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

export interface RecordTypeFilter {
  /** Null: the types of every org. */
  readonly orgId: Uuid | null;
  readonly type?: string;
  readonly publisher?: string;
  readonly status?: RecordTypeStatus;
}

/** Reads record types as they are committed, outside of any unit of work. Rows never change but for `status`, until they go away. */
export interface RecordTypeReads {
  /** Every publisher and version of the name in the org, newest version first; empty where there is none. */
  find(orgId: Uuid, type: string): Promise<readonly RecordType[]>;
  /** Newest registration first. */
  list(filter: RecordTypeFilter, slice: SliceRequest): Promise<Slice<RecordType>>;
  /** The names of the org that have an active version, sorted. */
  activeNames(orgId: Uuid): Promise<readonly string[]>;
  /** One version as some org of the hub holds it: the manifest is the same in all of them. Null where none does. */
  published(publisher: string, type: string, version: number): Promise<RecordType | null>;
}
