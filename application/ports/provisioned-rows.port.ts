import type { Uuid } from '../../domain/kernel/ids.ts';
import type { Kind } from './kinds.ts';

/** A row that provisioning files made, under the natural key that they call it by. It never changes. */
export interface ProvisionedRow {
  /** Of the row itself. */
  readonly id: Uuid;
  readonly kind: Kind;
  /** NO_ORG where it belongs to none. */
  readonly orgSlug: string;
  /** The `key` of the document; an org's slug; of a version of a record type the key, a slash and the version. */
  readonly name: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** Inside a unit of work. */
export interface ProvisionedRowStore {
  /** A natural key that is taken fails the unit of work. */
  insert(row: ProvisionedRow): Promise<void>;
  /** Those among the ids that files manage. */
  among(ids: readonly Uuid[]): Promise<ReadonlySet<Uuid>>;
}

/** Committed rows, outside of a unit of work. */
/** Something in use that files made, and of which no row here tells any more. */
export type ForgottenRow = Pick<ProvisionedRow, 'id' | 'kind'>;

export interface ProvisionedRowReads {
  /** In no particular order. */
  all(): Promise<readonly ProvisionedRow[]>;
  /** Where somebody deleted rows behind the service; the first 1,000. */
  forgotten(): Promise<readonly ForgottenRow[]>;
  among(ids: readonly Uuid[]): Promise<ReadonlySet<Uuid>>;
}
