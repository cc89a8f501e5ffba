import type { Uuid } from '../kernel/ids.ts';
import type { ReferenceTarget } from '../kernel/reference-target.ts';
import type { ActorClaim } from '../vault/statement.ts';

/** An external reference on a record, as it is stored and shown. `addedAt` is ISO 8601. */
export interface Reference extends ReferenceTarget {
  readonly id: Uuid;
  readonly recordId: Uuid;
  readonly addedBy: ActorClaim;
  readonly addedAt: string;
}
