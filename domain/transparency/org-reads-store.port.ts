import type { Uuid } from '../kernel/ids.ts';
import type { Slice, SliceRequest } from '../kernel/page.ts';
import type { OrgRead } from './org-read.ts';
import type {
  CosignedCheckpoint,
  Cosignature,
  OrgReadsCheckpoint,
} from './org-reads-checkpoint.ts';

/** How far the log of an org goes, and how far its checkpoints do; 0: none. */
export interface ReadsExtent {
  readonly orgId: Uuid;
  readonly leaves: number;
  readonly covered: number;
  /** By the key that was asked about. */
  readonly coveredByKey: number;
  /** When the newest checkpoint was made, or else the first leaf. ISO 8601. */
  readonly since: string;
}

/** The logs of reads, committed or as a unit of work sees them. Null where there is none. */
export interface OrgReadsLeaves {
  newest(orgId: Uuid): Promise<OrgRead | null>;
  /** In order of index, from this one on. */
  from(orgId: Uuid, leafIndex: number, limit: number): Promise<readonly OrgRead[]>;
  /** The largest by this key; where there is none, the largest by any other. */
  newestCheckpoint(orgId: Uuid, signingKeyId: string): Promise<OrgReadsCheckpoint | null>;
  /** The orgs after this one (the first: null) with a log, in order of id. */
  extents(after: Uuid | null, limit: number, signingKeyId: string): Promise<readonly ReadsExtent[]>;
}

export interface OrgReadsReads extends OrgReadsLeaves {
  checkpoint(id: Uuid): Promise<CosignedCheckpoint | null>;
  /** Newest first. */
  checkpoints(
    filter: { readonly orgId?: Uuid },
    slice: SliceRequest,
  ): Promise<Slice<CosignedCheckpoint>>;
}

/** Inside a unit of work. */
export interface OrgReadsStore extends OrgReadsLeaves {
  /** An index that is taken comes out of the unit of work as DuplicateError. */
  insert(read: OrgRead): Promise<void>;
  /** Whoever locks the log of this org as well, or inserts, waits until the end of the unit of work. */
  lock(orgId: Uuid): Promise<void>;
  /** A second one of the same size by the same key comes out as DuplicateError. */
  insertCheckpoint(checkpoint: OrgReadsCheckpoint): Promise<void>;
  /** A second one of the same checkpoint comes out as DuplicateError. */
  insertCosignature(cosignature: Cosignature): Promise<void>;
}
