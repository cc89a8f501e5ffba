/** Entries of a federated record that leave its state as it is. */
export const FEDERATION_ENTRY_TYPES = [
  'STEP_OFFERED',
  'STEP_REFUSED',
  'PEER_STATEMENT_ATTESTED',
  'PEER_EQUIVOCATION',
  'RECORD_DETACHED',
] as const;
export type FederationEntryType = (typeof FEDERATION_ENTRY_TYPES)[number];

const BESIDE: ReadonlySet<string> = new Set(FEDERATION_ENTRY_TYPES);

/** Whether an entry leaves the state of its record as it is, because it only tells of the peer. */
export const isBeside = (entryType: string): boolean => BESIDE.has(entryType);

/** Those of them under the predicate counter-attestation. */
export const COUNTER_ATTESTATION_TYPES = ['PEER_STATEMENT_ATTESTED', 'PEER_EQUIVOCATION'] as const;
export type CounterAttestationType = (typeof COUNTER_ATTESTATION_TYPES)[number];

/** Every kind of chain entry, by the kind of chain that carries it. The names are part of what is signed. */
export const RECORD_ENTRY_TYPES = [
  'RECORD_RECORDED',
  'RECORD_CREATED',
  'RECORD_PROPOSED',
  'RECORD_ACTIVATED',
  'PROPOSAL_ACCEPTED',
  'COUNTER_ACCEPTED',
  'PROPOSAL_REJECTED',
  'COUNTER_PROPOSED',
  'COMPLETION_SUBMITTED',
  'GATE_EVALUATED',
  'VERDICT_RENDERED',
  'REVISION_REQUESTED',
  'CASCADE_VERIFIED',
  'CHILD_DELEGATED',
  'RECORD_CANCELLED',
  'RECORD_EXPIRED',
  'DISPUTE_OPENED',
  'DISPUTE_EVIDENCE_SUBMITTED',
  'DISPUTE_ESCALATED',
  'DISPUTE_RESOLVED',
  'DISPUTE_WITHDRAWN',
  'REFERENCE_ADDED',
  'SIGNAL_EMITTED',
  ...FEDERATION_ENTRY_TYPES,
] as const;

export const SCHEMA_ENTRY_TYPES = [
  'SCHEMA_REGISTERED',
  'SCHEMA_STATUS_CHANGED',
  'SCHEMA_DELETED',
  'SCHEMA_IMPORTED',
] as const;

export const PLATFORM_ENTRY_TYPES = [
  'KEY_ACTIVATED',
  'KEY_RETIRED',
  'ORG_CREATED',
  'ORG_UPDATED',
  'AGENT_CREATED',
  'AGENT_DEACTIVATED',
  'AGENT_REACTIVATED',
  'AGENT_CAPABILITIES_CHANGED',
  'ENCRYPTION_KEY_SET',
  'SIGNING_KEY_ADDED',
  'SIGNING_KEY_REVOKED',
  'AGENT_REFERENCE_ADDED',
  'API_KEY_MINTED',
  'API_KEY_ROTATED',
  'API_KEY_REVOKED',
  'API_KEY_REENABLED',
  'ISSUER_CREATED',
  'ISSUER_UPDATED',
  'ISSUER_DELETED',
  'CERT_ISSUED',
  'CERT_REVOKED',
  'PUBLISHER_CLAIMED',
  'DUMP_TAKEN',
  'EXPORT_TAKEN',
  'PROVISIONING_APPLIED',
  'REWIND_ACKNOWLEDGED',
  'HUB_KEY_CREATED',
  'HUB_KEY_CHANGED',
  'PEER_REGISTERED',
  'PEER_APPROVED',
  'PEER_UPDATED',
  'PEER_SUSPENDED',
  'PEER_RESUMED',
  'PEER_REVOKED',
  'PEER_KEY_CHANGED',
  'WITNESS_ADDED',
  'WITNESS_REMOVED',
  'RATE_LIMIT_EXEMPTED',
  'RATE_LIMIT_RESTORED',
  'WEBHOOK_CREATED',
  'WEBHOOK_UPDATED',
  'WEBHOOK_DELETED',
  'WEBHOOK_SECRET_ROTATED',
  'ORG_READS_COVERED',
] as const;

export type RecordEntryType = (typeof RECORD_ENTRY_TYPES)[number];
export type SchemaEntryType = (typeof SCHEMA_ENTRY_TYPES)[number];
export type PlatformEntryType = (typeof PLATFORM_ENTRY_TYPES)[number];
export type EntryType = RecordEntryType | SchemaEntryType | PlatformEntryType;
