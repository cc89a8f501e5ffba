import type { Uuid } from '../../domain/kernel/ids.ts';
import type { Slice, SliceRequest } from '../../domain/kernel/page.ts';
import type { ComplianceExport } from './compliance-export.ts';

/** Committed rows. Null where missing. */
export interface ComplianceExportReads {
  find(id: Uuid): Promise<ComplianceExport | null>;
  /** Newest first; of all orgs where none is named. */
  list(filter: { readonly orgId?: Uuid }, slice: SliceRequest): Promise<Slice<ComplianceExport>>;
  /** The oldest that is neither made nor given up. Rows that somebody else wrote stand in the way of no other. */
  next(): Promise<ComplianceExport | null>;
  /** As it was stored; nobody has compared it with its hash. */
  piece(id: Uuid, claim: Uuid, ordinal: number): Promise<Uint8Array | null>;
  /** Those that expired by then (ISO 8601), the oldest first. */
  expired(now: string, limit: number): Promise<readonly Uuid[]>;
}

/** Inside a unit of work. */
export interface ComplianceExportStore {
  insert(made: ComplianceExport): Promise<void>;
  /** Holds the row until the end of the unit of work. */
  lock(id: Uuid): Promise<ComplianceExport | null>;
  /** How many of an org have not expired at this time (ISO 8601), those that failed left out. */
  live(orgId: Uuid, now: string): Promise<number>;
  /** Attempts, claim, what was made, and why it failed. */
  update(made: ComplianceExport): Promise<void>;
  /** In the place of the one that the same attempt wrote with this number. */
  addPiece(id: Uuid, claim: Uuid, ordinal: number, content: Uint8Array): Promise<void>;
  /** Of every attempt, or of every other one than this. */
  deletePieces(id: Uuid, but?: Uuid): Promise<void>;
  delete(id: Uuid): Promise<void>;
}
