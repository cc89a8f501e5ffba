import type { JsonObject } from '../kernel/canonical-json.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { RecordEventType } from '../record/lifecycle.ts';

export type OperationalEventType =
  | 'key.minted'
  | 'key.rotated'
  | 'key.revoked'
  | 'key.used'
  | 'agent.created'
  | 'agent.deactivated'
  | 'agent.reactivated'
  | 'agent.capabilities_changed'
  | 'agent.encryption_key_changed'
  | 'agent.signing_key_added'
  | 'agent.signing_key_revoked'
  | 'agent.reference_added'
  | 'issuer.created'
  | 'issuer.updated'
  | 'issuer.deleted'
  | 'cert.issued'
  | 'cert.revoked'
  | 'admin.org_created'
  | 'admin.org_updated'
  | 'admin.org_bootstrapped'
  | 'schema.registered'
  | 'schema.status_changed'
  | 'schema.deleted'
  | 'schema.imported'
  | 'witness.added'
  | 'witness.removed'
  | 'vault.key_rotated'
  | 'vault.rewind_detected'
  | 'vault.rewind_acknowledged'
  | 'vault.scan_completed'
  | 'vault.tamper_detected'
  | 'auth.refused';

export type EventType = RecordEventType | OperationalEventType;

/**
 * Something that happened, published after it is sealed. Written in the transaction that seals it; a dispatcher
 * reads it later. `id` is also the idempotency key of its deliveries. Criteria and evidence never travel here.
 */
export interface DomainEvent {
  readonly id: Uuid;
  readonly type: EventType;
  /** The org whose operators receive it; null for events of the platform alone. */
  readonly orgId: Uuid | null;
  /** The org of the other party, where there is one. */
  readonly counterpartyOrgId: Uuid | null;
  readonly recordId: Uuid | null;
  readonly recordType: string | null;
  readonly agentId: Uuid | null;
  readonly data: JsonObject;
  /** ISO 8601 with milliseconds. */
  readonly createdAt: string;
}
