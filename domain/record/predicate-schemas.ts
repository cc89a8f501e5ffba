import type { JsonObject } from '../kernel/canonical-json.ts';
import { ACTIONS } from './actions.ts';
import { counterAttestation, FEDERATION_PROJECTION, tenantRead } from './hub-predicate-schemas.ts';
import { STATUSES } from './record-status.ts';
import {
  COUNTER_ATTESTATION_TYPES,
  PLATFORM_ENTRY_TYPES,
  RECORD_ENTRY_TYPES,
  SCHEMA_ENTRY_TYPES,
} from '../vault/entry-type.ts';
import { VAULT_CHECKPOINT } from '../vault/checkpoint-schema.ts';
import { KEY_STATEMENT_RULES } from '../vault/key-statement-schema.ts';
import { NOT_AN_AGENT, PLATFORM_ACT_RULES } from '../vault/platform-act-schema.ts';
import { REWIND_RULE } from '../vault/rewind-schema.ts';
import {
  closed,
  COUNT,
  document,
  HASH,
  INSTANT,
  POSITION,
  TEXT,
  UUID,
  WORD,
} from '../vault/predicate-schema-parts.ts';
import type { PredicateKind } from '../vault/statement.ts';

export interface PredicateSchema {
  readonly kind: PredicateKind;
  readonly description: string;
  /** JSON Schema 2020-12 of the predicate, without `$id`: that depends on where the hub is. */
  readonly schema: JsonObject;
}

const PARTY = { type: ['string', 'null'], pattern: UUID.pattern } as const;
const STATUS = { enum: STATUSES } as const;

const ACTOR = closed(
  {
    kind: { enum: ['agent', 'admin', 'platform', 'system', 'peer'] },
    orgId: UUID,
    agentId: UUID,
    apiKeyId: UUID,
    certId: UUID,
    oidc: closed({ iss: TEXT, sub: TEXT }),
    peerHubId: UUID,
  },
  ['orgId', 'agentId', 'apiKeyId', 'certId', 'oidc', 'peerHubId'],
);

/** What every predicate on a chain begins with. */
const base = (entryTypes: readonly string[]): JsonObject => ({
  entryType: { enum: entryTypes },
  at: INSTANT,
  requestId: { type: 'string', minLength: 1, maxLength: 128 },
  actor: ACTOR,
});

const GATE = closed({
  state: { enum: ['PENDING', 'PASSED', 'FAILED', 'ADVISORY_PASSED', 'ADVISORY_FAILED', 'SKIPPED'] },
  now: INSTANT,
  inputsDigest: HASH,
  results: {
    type: 'array',
    items: closed({
      gateId: TEXT,
      outcome: { enum: ['pass', 'fail', 'error'] },
      severity: { enum: ['block', 'warn'] },
      inputsDigest: HASH,
      detail: { type: ['string', 'null'] },
    }),
  },
});

/** In the encrypted mode the principal evaluates the gates, and may say with its verdict what they gave. */
const CLAIMED_GATES = closed({
  claimedBy: { const: 'principal' },
  results: {
    type: 'array',
    items: closed({
      gateId: TEXT,
      outcome: { enum: ['pass', 'fail', 'error'] },
      detail: { type: ['string', 'null'] },
    }),
  },
});

const SUBJECT = closed({ iss: TEXT, sub: TEXT });

const RECORD_MEMBERS: JsonObject = {
  ...base(RECORD_ENTRY_TYPES),
  recordId: UUID,
  orgId: UUID,
  schema: closed({
    orgId: UUID,
    publisher: TEXT,
    type: TEXT,
    version: POSITION,
    manifestDigest: HASH,
  }),
  transition: closed({
    action: { enum: ACTIONS },
    from: { enum: [...STATUSES, null] },
    to: STATUS,
  }),
  principalAgentId: UUID,
  performerAgentId: PARTY,
  performerOrgId: PARTY,
  expiresAt: { ...INSTANT, type: ['string', 'null'] },
  awaiting: { enum: ['principal', 'performer', 'gate', 'children', null] },
  criteriaHash: HASH,
};

const RECORD_OPTIONS: JsonObject = {
  parentRecordId: UUID,
  terms: closed(
    {
      platform: TEXT,
      platformRef: { type: ['string', 'null'] },
      gateMode: { enum: ['auto', 'principal'] },
      operatingMode: { enum: ['cleartext', 'encrypted'] },
      depth: COUNT,
      rootRecordId: UUID,
      federation: closed({
        role: { enum: ['home', 'mirror'] },
        peerHubId: UUID,
        recordId: PARTY,
      }),
    },
    ['federation'],
  ),
  messageHash: HASH,
  completionId: UUID,
  evidenceHash: HASH,
  verdict: { enum: ['accept', 'reject'] },
  reason: TEXT,
  gate: { oneOf: [GATE, CLAIMED_GATES] },
  cancelledBy: { enum: ['principal', 'performer'] },
  onBehalfOf: closed({
    subject: SUBJECT,
    validated: { type: 'boolean' },
    provenance: { enum: ['token_exchange', 'asserted'] },
    act: { type: 'array', items: SUBJECT, maxItems: 8 },
  }),
  coSignature: {
    oneOf: [
      closed(
        {
          coverage: { const: 'body' },
          certId: UUID,
          publicKey: TEXT,
          method: TEXT,
          path: TEXT,
          contentHash: HASH,
          signature: TEXT,
          item: COUNT,
        },
        ['item'],
      ),
      closed(
        {
          coverage: { const: 'request' },
          certId: UUID,
          publicKey: TEXT,
          method: TEXT,
          targetUri: TEXT,
          contentDigest: TEXT,
          signatureInput: TEXT,
          signature: TEXT,
          item: COUNT,
        },
        ['item'],
      ),
    ],
  },
  children: {
    type: 'array',
    items: closed({ id: UUID, status: STATUS, headHash: HASH, disputed: { type: 'boolean' } }),
  },
  dispute: closed(
    {
      id: UUID,
      phase: TEXT,
      tier: { enum: [1, 2, 3] },
      side: { enum: ['principal', 'performer'] },
      outcome: { enum: ['UPHELD', 'OVERTURNED', null] },
      deadline: INSTANT,
      contentHash: HASH,
    },
    ['phase', 'tier', 'side', 'outcome', 'deadline', 'contentHash'],
  ),
  reference: closed({
    id: UUID,
    kind: TEXT,
    uri: TEXT,
    digest: {
      type: ['object', 'null'],
      properties: { alg: TEXT, value: TEXT },
      required: ['alg', 'value'],
      additionalProperties: false,
    },
    label: { type: ['string', 'null'] },
  }),
  peer: {
    oneOf: [
      closed({ statementHash: HASH, code: WORD }),
      closed({ statementHash: HASH }),
      closed({ reason: TEXT }),
    ],
  },
  encryption: closed({
    recipients: {
      type: 'array',
      items: { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$' },
      minItems: 1,
      maxItems: 32,
    },
  }),
};

/** The version that each row has from this act on, by the id of the row. */
const ROW_VERSIONS = { type: 'object' } as const;

/** An administrative act has the members of its kind and the common ones, and no others. */
const PLATFORM: JsonObject = {
  type: 'object',
  properties: { ...base(PLATFORM_ENTRY_TYPES), orgId: UUID, rowVersions: ROW_VERSIONS },
  required: ['entryType', 'at', 'requestId', 'actor'],
  allOf: [...KEY_STATEMENT_RULES, REWIND_RULE, ...PLATFORM_ACT_RULES],
};

const RECORD_STATE = document('record-state', {
  oneOf: [
    {
      ...closed({ ...RECORD_MEMBERS, ...RECORD_OPTIONS }, Object.keys(RECORD_OPTIONS)),
      // The terms stand where the record comes into being, and nowhere else.
      if: { properties: { transition: { properties: { from: { type: 'null' } } } } },
      then: { required: ['terms'] },
      else: { properties: { terms: false } },
    },
    PLATFORM,
  ],
});

const SETTLEMENT_SIGNAL = document(
  'settlement-signal',
  closed(
    {
      ...base(['SIGNAL_EMITTED']),
      signalId: UUID,
      supersedes: UUID,
      recommendation: { enum: ['SETTLE', 'HOLD', 'RELEASE'] },
      outcome: STATUS,
      performerAgentId: PARTY,
      platformRef: { type: ['string', 'null'] },
      recordId: UUID,
      disputeId: UUID,
      originHubId: UUID,
      toHubId: UUID,
      sequence: COUNT,
    },
    ['supersedes', 'disputeId', 'originHubId', 'toHubId', 'sequence'],
  ),
);

const SCHEMA_EVENT = document(
  'schema-event',
  closed(
    {
      ...base(SCHEMA_ENTRY_TYPES),
      actor: { allOf: [ACTOR, NOT_AN_AGENT] },
      orgId: UUID,
      publisher: TEXT,
      type: TEXT,
      version: POSITION,
      manifestDigest: HASH,
      status: { enum: ['active', 'disabled'] },
    },
    ['status'],
  ),
);

/** The seven predicates under which this service signs statements, as data. */
export const PREDICATE_SCHEMAS: readonly PredicateSchema[] = [
  {
    kind: 'record-state',
    description: 'What happened to a record; with the subject platform/ops, an administrative act',
    schema: RECORD_STATE,
  },
  {
    kind: 'settlement-signal',
    description: 'A recommendation to whoever moves money',
    schema: SETTLEMENT_SIGNAL,
  },
  {
    kind: 'vault-checkpoint',
    description: 'How many entries a chain has, and which one is the newest',
    schema: VAULT_CHECKPOINT,
  },
  {
    kind: 'schema-event',
    description: 'What happened to a record type of an org',
    schema: SCHEMA_EVENT,
  },
  {
    kind: 'tenant-read',
    description: "A read of an org's data by an administrator or an operator",
    schema: tenantRead(base(['ORG_READ'])),
  },
  {
    kind: 'counter-attestation',
    description:
      'That a verified statement of a federation peer was received, and what became of it',
    schema: counterAttestation(base(COUNTER_ATTESTATION_TYPES)),
  },
  {
    kind: 'federation-projection',
    description: 'The state of a record as one hub tells it to another',
    schema: FEDERATION_PROJECTION,
  },
];
