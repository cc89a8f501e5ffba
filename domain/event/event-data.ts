import type { JsonObject } from '../kernel/canonical-json.ts';
import type { EventType } from './event-types.ts';

/*
 * What the data of each type of event hold, as closed JSON Schemas: a member that is not named here does not travel.
 * `requestId` is in all of them. Criteria, evidence and secrets are in none.
 *
 * `orgId`, `subscriptionId` and `audience` are in none either: a delivery puts those of its receiver there. An org that
 * an event is about is `aboutOrgId`, and a subscription `webhookId`.
 */

const ID: JsonObject = {
  type: 'string',
  pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
};
const HASH: JsonObject = { type: 'string', pattern: '^[0-9a-f]{64}$' };
const INSTANT: JsonObject = {
  type: 'string',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
};
const TEXT: JsonObject = { type: 'string', minLength: 1 };
const COUNT: JsonObject = { type: 'integer', minimum: 0 };
const ONE_OR_MORE: JsonObject = { type: 'integer', minimum: 1 };
const TRUTH: JsonObject = { type: 'boolean' };
const ANY: JsonObject = {};
const oneOf = (...values: readonly string[]): JsonObject => ({ enum: values });
const orNull = (schema: JsonObject): JsonObject => ({ oneOf: [schema, { type: 'null' }] });
const list = (items: JsonObject): JsonObject => ({ type: 'array', items });

/** A name that ends in a question mark may be left out. */
type Members = Readonly<Record<string, JsonObject>>;

const closed = (members: Members): JsonObject => {
  const entries = Object.entries(members);
  return {
    type: 'object',
    properties: Object.fromEntries(
      entries.map(([name, schema]) => [name.replace(/\?$/, ''), schema]),
    ),
    required: entries.map(([name]) => name).filter((name) => !name.endsWith('?')),
    additionalProperties: false,
  };
};

const REASON: Members = { reason: orNull({ type: 'string' }) };
const ACTOR: Members = {
  actor: closed({
    kind: oneOf('agent', 'admin', 'platform', 'system', 'peer'),
    agentId: orNull(ID),
  }),
};
const ENTRY: Members = {
  entry: closed({ position: ONE_OR_MORE, hash: HASH, signingKeyId: TEXT }),
};

const RECORD: Members = {
  recordId: ID,
  type: TEXT,
  status: TEXT,
  previousStatus: orNull(TEXT),
  principalAgentId: ID,
  performerAgentId: orNull(ID),
  parentRecordId: orNull(ID),
  platform: orNull({ type: 'string' }),
  platformRef: orNull({ type: 'string' }),
  criteriaHash: HASH,
  ...ACTOR,
  ...ENTRY,
};
const PROPOSAL: Members = {
  ...RECORD,
  round: COUNT,
  awaiting: orNull(oneOf('principal', 'performer')),
};
const DECIDED: Members = {
  ...RECORD,
  completionId: ID,
  verdict: oneOf('accept', 'reject'),
  ...REASON,
};
/** The members of the record come along. */
const DISPUTE: Members = {
  ...RECORD,
  disputeId: ID,
  phase: TEXT,
  tier: COUNT,
  side: TEXT,
  initiatorRole: TEXT,
  outcome: orNull(TEXT),
};
const REFERENCE: Members = {
  reference: closed({ kind: TEXT, uri: TEXT, digest: orNull(TEXT) }),
};
const SIGNAL: Members = {
  recordId: ID,
  signalId: ID,
  'supersedes?': ID,
  recommendation: oneOf('SETTLE', 'HOLD', 'RELEASE'),
  outcome: TEXT,
  performerAgentId: orNull(ID),
  platformRef: orNull({ type: 'string' }),
  'disputeId?': ID,
  'peerHubId?': ID,
  ...ENTRY,
};
const FEDERATION: Members = { peerHubId: ID, recordId: ID, state: TEXT, messageId: TEXT };

const KEY: Members = {
  apiKeyId: ID,
  role: oneOf('agent', 'admin', 'platform'),
  ownerId: ID,
  ...ACTOR,
};
const FULL_KEY: Members = {
  ...KEY,
  scopes: list(TEXT),
  scopeProfile: orNull(TEXT),
  allowedIps: orNull(list(TEXT)),
  expiresAt: orNull(INSTANT),
  label: orNull({ type: 'string' }),
};
const AGENT: Members = { agentId: ID, ...ACTOR };
const ISSUER: Members = {
  issuerId: ID,
  issuerUrl: TEXT,
  jwksUri: orNull(TEXT),
  expectedAudience: TEXT,
  appliesTo: oneOf('agent', 'admin'),
  claimMapping: ANY,
  maxCredentialTtlSeconds: COUNT,
  enabled: TRUTH,
  subjectAllowlistSize: COUNT,
  subjectAllowlistHash: HASH,
  requireProof: TEXT,
  requireCoSignature: orNull(TEXT),
  ...ACTOR,
};
const SCHEMA: Members = {
  aboutOrgId: ID,
  publisher: TEXT,
  type: TEXT,
  version: ONE_OR_MORE,
  manifestDigest: TEXT,
  'status?': oneOf('active', 'disabled'),
  ...ACTOR,
};
const ORG: Members = { aboutOrgId: ID, ...ACTOR };
const PEER: Members = { peerHubId: ID, ...ACTOR, 'reason?': orNull(TEXT) };
const WITNESS: Members = { witnessKeyId: ID, ...ACTOR };
const EXEMPTION: Members = { ownerId: ID, ...ACTOR };
const WEBHOOK: Members = {
  webhookId: ID,
  'isActive?': TRUTH,
  'isPaused?': TRUTH,
  'secretGraceExpiresAt?': orNull(INSTANT),
  'circuitState?': oneOf('open', 'closed'),
  'reason?': orNull(TEXT),
  ...ACTOR,
};
const SCAN: Members = {
  jobId: ID,
  healthy: COUNT,
  broken: COUNT,
  signatureErrors: COUNT,
  ...ACTOR,
};

const MEMBERS = {
  'record.recorded': RECORD,
  'record.created': RECORD,
  'record.proposed': PROPOSAL,
  'record.proposal_accepted': PROPOSAL,
  'record.proposal_rejected': { ...PROPOSAL, ...REASON },
  'record.completion_submitted': {
    ...RECORD,
    completionId: ID,
    evidenceHash: HASH,
    revision: COUNT,
    gate: TEXT,
  },
  'record.fulfilled': DECIDED,
  'record.failed': DECIDED,
  'record.revision_requested': {
    ...RECORD,
    completionId: ID,
    ...REASON,
    revisionCount: ONE_OR_MORE,
  },
  'record.delegated': { ...RECORD, childRecordId: ID, depth: ONE_OR_MORE, childStatus: TEXT },
  'record.cancelled': { ...RECORD, ...REASON, cancelledBy: TEXT },
  'record.expired': RECORD,
  'record.reference_added': { ...RECORD, ...REFERENCE },
  'record.federation_fulfilled': { ...RECORD, peerHubId: ID, messageId: TEXT },
  'cascading.verification.complete': {
    ...RECORD,
    rule: TEXT,
    satisfied: TRUTH,
    children: list(closed({ id: ID, status: TEXT })),
    counted: COUNT,
    fulfilled: COUNT,
  },
  'dispute.opened': DISPUTE,
  'dispute.resolved': DISPUTE,
  'dispute.withdrawn': DISPUTE,
  'signal.emitted': SIGNAL,
  'signal.received': SIGNAL,
  'federation.record.state_changed': FEDERATION,
  'federation.settlement.signal': FEDERATION,

  'key.minted': FULL_KEY,
  'key.rotated': { ...FULL_KEY, previousApiKeyId: ID, previousKeyDeactivatesAt: INSTANT },
  'key.revoked': { ...KEY, ...REASON },
  'key.enabled': { ...KEY, ...REASON },
  'key.used': {
    apiKeyId: orNull(ID),
    label: orNull({ type: 'string' }),
    expiresAt: orNull(INSTANT),
    allowedIps: orNull(list(TEXT)),
    address: orNull(TEXT),
    count: ONE_OR_MORE,
    firstAt: INSTANT,
    ...ACTOR,
  },
  'agent.created': { ...AGENT, name: TEXT, 'capabilities?': list(TEXT) },
  'agent.deactivated': { ...AGENT, ...REASON },
  'agent.reactivated': { ...AGENT, deactivatedAt: INSTANT },
  'agent.capabilities_changed': {
    ...AGENT,
    capabilities: list(TEXT),
    'previousCapabilities?': list(TEXT),
  },
  'agent.encryption_key_changed': { ...AGENT, thumbprint: TEXT, replacedThumbprint: orNull(TEXT) },
  'agent.signing_key_added': { ...AGENT, thumbprint: HASH },
  'agent.signing_key_revoked': { ...AGENT, thumbprint: HASH },
  'agent.reference_added': { ...AGENT, ...REFERENCE },
  'issuer.created': ISSUER,
  'issuer.updated': ISSUER,
  'issuer.deleted': ISSUER,
  'cert.issued': {
    certId: ID,
    issuerId: ID,
    agentId: ID,
    publicKeyThumbprint: TEXT,
    scopes: list(TEXT),
    issuedAt: INSTANT,
    expiresAt: INSTANT,
    ...ACTOR,
  },
  'cert.revoked': { issuerId: ID, certIds: list(ID), ...REASON, ...ACTOR },
  'schema.registered': SCHEMA,
  'schema.status_changed': SCHEMA,
  'schema.deleted': SCHEMA,
  'schema.imported': SCHEMA,
  'peer.registered': PEER,
  'peer.approved': PEER,
  'peer.updated': PEER,
  'peer.suspended': PEER,
  'peer.resumed': PEER,
  'peer.revoked': PEER,
  'peer.key_changed': PEER,
  // Of what happens beyond the limit of a minute no peer is told, but how often.
  'peer.message_refused': {
    ...PEER,
    peerHubId: orNull(ID),
    'count?': ONE_OR_MORE,
    'firstAt?': INSTANT,
  },
  'witness.added': WITNESS,
  'witness.removed': WITNESS,
  'admin.org_created': { ...ORG, slug: TEXT, name: TEXT },
  'admin.org_updated': { ...ORG, settings: ANY, previousSettings: ANY },
  'admin.org_bootstrapped': { ...ORG, ...FULL_KEY },
  'admin.rate_limit_exempted': EXEMPTION,
  'admin.rate_limit_restored': EXEMPTION,
  // Of what happens beyond the limit of a minute neither address nor key is told, but how often.
  'auth.refused': {
    addressBlock: orNull(TEXT),
    reason: TEXT,
    apiKeyId: orNull(ID),
    count: ONE_OR_MORE,
    firstAt: INSTANT,
    ...ACTOR,
  },
  'provisioning.reconciled': { counts: ANY, ...ACTOR, 'reason?': orNull(TEXT) },
  'vault.key_rotated': { previousKeyId: TEXT, newKeyId: TEXT, reason: TEXT, ...ACTOR },
  'vault.rewind_detected': {
    chainKey: TEXT,
    finding: TEXT,
    localPosition: orNull(COUNT),
    anchoredPosition: COUNT,
    anchoredHash: HASH,
    ...ACTOR,
  },
  'vault.rewind_acknowledged': {
    chainKey: TEXT,
    lostRange: ANY,
    lostHead: HASH,
    checkpoint: HASH,
    ...REASON,
    ...ACTOR,
  },
  'vault.scan_completed': SCAN,
  // Found by a scan, or in the outbox while it was read.
  'vault.tamper_detected': {
    ...ACTOR,
    'jobId?': ID,
    'healthy?': COUNT,
    'broken?': ONE_OR_MORE,
    'signatureErrors?': COUNT,
    'brokenRecords?': list(ANY),
    'table?': TEXT,
    'fault?': oneOf('row', 'number', 'hole', 'counter'),
    'id?': ID,
    'sequence?': orNull(COUNT),
    'after?': COUNT,
    'before?': COUNT,
    'last?': orNull(COUNT),
    'newest?': COUNT,
    'count?': ONE_OR_MORE,
  },
  'webhook.created': WEBHOOK,
  'webhook.updated': WEBHOOK,
  'webhook.deleted': WEBHOOK,
  'webhook.circuit_opened': WEBHOOK,
  'webhook.circuit_closed': WEBHOOK,
  'compliance.exported': {
    exportId: ID,
    'filters?': ANY,
    records: COUNT,
    omitted: COUNT,
    'format?': TEXT,
    sha256: HASH,
    ...ACTOR,
  },
} as const satisfies Record<EventType, Members>;

/** One closed JSON Schema (draft 2020-12) a type. */
export const EVENT_DATA: Readonly<Record<EventType, JsonObject>> = Object.fromEntries(
  Object.entries(MEMBERS).map(([type, members]) => [type, closed({ ...members, requestId: TEXT })]),
) as Record<EventType, JsonObject>;
