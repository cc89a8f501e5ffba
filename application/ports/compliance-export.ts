import type { Uuid } from '../../domain/kernel/ids.ts';
import type { RecordStatus } from '../../domain/record/record-status.ts';
import type { ActorClaim } from '../../domain/vault/statement.ts';
import type { Protocol } from '../../domain/vault/statement.ts';

export const EXPORT_FORMATS = ['ndjson', 'json', 'csv'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Which records: created from an instant on and before another one (ISO 8601). */
export interface ExportFilters {
  readonly from: string;
  readonly to: string;
  readonly type?: string;
  readonly status?: RecordStatus;
}

/** Who asked for it, and how: what the logs of reads say of it. */
export interface ExportAsker {
  readonly actor: ActorClaim;
  readonly requestId: string;
  readonly protocol: Protocol;
}

/** A record that is left out, and why: a sentence. */
export interface Omission {
  readonly recordId: Uuid;
  readonly reason: string;
}

/** What came of it. */
export interface MadeExport {
  /** Records that the filters meet. */
  readonly total: number;
  /** The newest of them that are in it. */
  readonly exported: number;
  /** Those of the newest that cannot be shown, because somebody edited what is stored of them. */
  readonly omitted: number;
  /** The first of these, in the order of the export. */
  readonly omissions: readonly Omission[];
  readonly sha256: string;
  /** Of each piece, hex, in order. */
  readonly pieces: readonly string[];
  /** Whose data it shows. */
  readonly orgs: readonly Uuid[];
}

/** An export of the records of an org, for those who audit it. Times are ISO 8601 with milliseconds. */
export interface ComplianceExport {
  readonly id: Uuid;
  readonly orgId: Uuid;
  readonly format: ExportFormat;
  readonly filters: ExportFilters;
  readonly askedBy: ExportAsker;
  readonly createdAt: string;
  readonly expiresAt: string;
  /** How often it was begun: more than once where a node died over it. */
  readonly attempts: number;
  /** The attempt that counts: whoever writes a piece under another one has lost it. */
  readonly claim: Uuid | null;
  /** Null until it is completed. */
  readonly made: MadeExport | null;
  /** Why it was given up; null where it was not. */
  readonly failure: string | null;
}

export type ExportState = 'created' | 'completed' | 'failed';

export const stateOf = ({ made, failure }: ComplianceExport): ExportState =>
  made ? 'completed' : failure === null ? 'created' : 'failed';

/** The newest records that one export takes. */
export const MAX_EXPORTED = 10_000;
/** Records that were left out which an export names; their number it always has. */
export const MAX_OMISSIONS = 100;
/** Exports of an org that have not expired. */
export const MAX_LIVE = 10;
export const LIFETIME_MS = 7 * 86_400_000;
/** The largest piece that is stored, bytes. */
export const PIECE_BYTES = 1_048_576;
