import type { EventType } from '../event/event-types.ts';
import type { JsonObject } from '../kernel/canonical-json.ts';

/** Classes of OCSF 1.4.0, all of the category Identity & Access Management. */
export const OCSF_CLASSES = {
  3001: 'Account Change',
  3002: 'Authentication',
  3004: 'Entity Management',
} as const;

export type OcsfClass = keyof typeof OCSF_CLASSES;

/** Of all three classes: class_uid is a thousand times it and the number of the class. */
export const OCSF_CATEGORY = 3;

/** The activities that occur, by class: the captions of OCSF. 99 comes with the last part of the type as `activity_name`. */
export const OCSF_ACTIVITIES = {
  3001: { 1: 'Create', 2: 'Enable', 5: 'Disable', 99: 'Other' },
  3002: { 1: 'Logon' },
  3004: {
    1: 'Create',
    3: 'Update',
    4: 'Delete',
    6: 'Enroll',
    7: 'Unenroll',
    8: 'Enable',
    9: 'Disable',
    10: 'Activate',
    11: 'Deactivate',
    12: 'Suspend',
    13: 'Resume',
  },
} as const satisfies { readonly [uid in OcsfClass]: { readonly [activity: number]: string } };

export const OCSF_SEVERITIES = { 1: 'Informational', 3: 'Medium', 5: 'Critical' } as const;

export const OCSF_STATUSES = { 1: 'Success', 2: 'Failure' } as const;

/** What an event is in OCSF. */
export interface OcsfRow {
  readonly class: OcsfClass;
  readonly activity: number;
  readonly severity: keyof typeof OCSF_SEVERITIES;
  readonly status: keyof typeof OCSF_STATUSES;
  /** Where the same type tells of two things: the other activity, and which events have it. */
  readonly or?: {
    readonly activity: number;
    readonly words: string;
    holds(data: JsonObject): boolean;
  };
}

const entity = (activity: number, severity: OcsfRow['severity'] = 1): OcsfRow => ({
  class: 3004,
  activity,
  severity,
  status: 1,
});

const account = (activity: number): OcsfRow => ({ class: 3001, activity, severity: 1, status: 1 });

const [CREATE, UPDATE, DELETE, ENROLL, OTHER] = [1, 3, 4, 6, 99];

/** Every type of the closed list. */
export const OCSF_TABLE: { readonly [type in EventType]: OcsfRow } = {
  'record.recorded': entity(CREATE),
  'record.created': entity(CREATE),
  'record.proposed': {
    ...entity(CREATE),
    or: {
      activity: UPDATE,
      words: 'a counter-proposal',
      holds: ({ round, previousStatus }) =>
        typeof round === 'number' ? round > 1 : previousStatus === 'PROPOSED',
    },
  },
  'record.proposal_accepted': entity(UPDATE),
  'record.proposal_rejected': entity(UPDATE),
  'record.completion_submitted': entity(UPDATE),
  'record.fulfilled': entity(UPDATE),
  'record.failed': entity(UPDATE),
  'record.revision_requested': entity(UPDATE),
  'record.delegated': entity(UPDATE),
  'record.cancelled': entity(UPDATE),
  'record.expired': entity(UPDATE),
  'record.reference_added': entity(UPDATE),
  'record.federation_fulfilled': entity(UPDATE),
  'cascading.verification.complete': entity(UPDATE),
  'signal.emitted': entity(CREATE),
  'signal.received': entity(CREATE),
  'dispute.opened': entity(CREATE),
  'dispute.resolved': entity(UPDATE),
  'dispute.withdrawn': entity(UPDATE),
  'federation.record.state_changed': entity(UPDATE),
  'federation.settlement.signal': entity(UPDATE),
  'agent.reference_added': entity(UPDATE),
  'agent.created': account(CREATE),
  'agent.reactivated': account(2),
  'agent.deactivated': account(5),
  'agent.capabilities_changed': account(OTHER),
  'agent.encryption_key_changed': account(OTHER),
  'agent.signing_key_added': account(OTHER),
  'agent.signing_key_revoked': account(OTHER),
  'key.minted': account(CREATE),
  'key.enabled': account(2),
  'key.revoked': account(5),
  'key.rotated': account(OTHER),
  'cert.issued': account(CREATE),
  'cert.revoked': account(5),
  'key.used': { class: 3002, activity: 1, severity: 1, status: 1 },
  'auth.refused': { class: 3002, activity: 1, severity: 3, status: 2 },
  'issuer.created': entity(CREATE),
  'issuer.updated': entity(UPDATE),
  'issuer.deleted': entity(DELETE),
  'schema.registered': entity(CREATE),
  'schema.imported': entity(CREATE),
  'schema.status_changed': {
    ...entity(8),
    or: { activity: 9, words: 'disabled', holds: ({ status }) => status === 'disabled' },
  },
  'schema.deleted': entity(DELETE),
  'peer.registered': entity(ENROLL),
  'peer.approved': entity(10),
  'peer.updated': entity(UPDATE),
  'peer.suspended': entity(12),
  'peer.resumed': entity(13),
  'peer.revoked': entity(11),
  'peer.key_changed': entity(UPDATE),
  'peer.message_refused': entity(UPDATE),
  'witness.added': entity(ENROLL),
  'witness.removed': entity(7),
  'admin.org_created': entity(CREATE),
  'admin.org_updated': entity(UPDATE),
  'admin.org_bootstrapped': entity(CREATE),
  'admin.rate_limit_exempted': entity(UPDATE),
  'admin.rate_limit_restored': entity(UPDATE),
  'provisioning.reconciled': entity(UPDATE),
  'vault.key_rotated': entity(UPDATE),
  'vault.rewind_detected': entity(UPDATE, 5),
  'vault.rewind_acknowledged': entity(UPDATE),
  'vault.scan_completed': entity(UPDATE),
  'vault.tamper_detected': entity(UPDATE, 5),
  'webhook.created': entity(CREATE),
  'webhook.updated': entity(UPDATE),
  'webhook.deleted': entity(DELETE),
  'webhook.circuit_opened': entity(UPDATE),
  'webhook.circuit_closed': entity(UPDATE),
  'compliance.exported': entity(UPDATE),
};
