import type { JsonObject } from '../kernel/canonical-json.ts';
import type { PlatformEntryType } from './entry-type.ts';

/** Administrative acts whose members `key-statement-schema.ts` and `rewind-schema.ts` describe in full. */
type DescribedElsewhere = 'KEY_ACTIVATED' | 'KEY_RETIRED' | 'REWIND_ACKNOWLEDGED';

interface ActForm {
  /** The members beside those of every administrative act. An act may leave some of them out. */
  readonly members: readonly string[];
  /** Required members, each a non-empty string. */
  readonly about?: readonly string[];
  /** The actors allowed. ADMIN by default. */
  readonly by?: readonly Doer[];
}

type Doer = 'agent' | 'admin' | 'platform' | 'system' | 'peer';

const OPERATOR = ['platform', 'system'] as const;
const ADMIN = ['admin', ...OPERATOR] as const;
const AGENT = ['agent', ...ADMIN] as const;
/** A peer may change its own entry by a handshake. */
const HUB = [...OPERATOR, 'peer'] as const;

const KEY = [
  'apiKeyId',
  'role',
  'ownerId',
  'scopes',
  'scopeProfile',
  'allowedIps',
  'expiresAt',
  'label',
];
const KEY_END = ['apiKeyId', 'role', 'ownerId', 'reason'];
const ISSUER = [
  'issuerId',
  'issuerUrl',
  'jwksUri',
  'expectedAudience',
  'appliesTo',
  'claimMapping',
  'maxCredentialTtlSeconds',
  'enabled',
  'subjectAllowlistSize',
  'subjectAllowlistHash',
  'requireProof',
  'requireCoSignature',
];
const PEER = [
  'peerHubId',
  'baseUrl',
  'publicKeyThumbprint',
  'vaultRoot',
  'state',
  'reason',
  'previousThumbprint',
  'succession',
];
const HUB_KEY = ['hubId', 'publicKeyThumbprint', 'coseKey'];
const WITNESS = ['witnessKeyId', 'name', 'coseKey'];
const WEBHOOK = [
  'subscriptionId',
  'ownerType',
  'ownerId',
  'urlHash',
  'eventTypes',
  'recordTypes',
  'format',
  'signingAlg',
  'recordId',
  'configId',
  'isActive',
  'isPaused',
  'reason',
  'circuitState',
  'secretGraceExpiresAt',
];

const FORMS: Readonly<Record<Exclude<PlatformEntryType, DescribedElsewhere>, ActForm>> = {
  ORG_CREATED: {
    members: ['slug', 'name', 'settings', 'carriedFrom'],
    about: ['orgId', 'slug'],
    by: OPERATOR,
  },
  ORG_UPDATED: { members: ['settings', 'previousSettings'], about: ['orgId'] },
  AGENT_CREATED: {
    members: ['agentId', 'name', 'capabilities', 'carriedFrom'],
    about: ['orgId', 'agentId'],
  },
  AGENT_DEACTIVATED: { members: ['agentId', 'reason'], about: ['orgId', 'agentId'] },
  AGENT_REACTIVATED: {
    members: ['agentId', 'deactivatedAt'],
    about: ['orgId', 'agentId'],
    by: OPERATOR,
  },
  AGENT_CAPABILITIES_CHANGED: {
    members: ['agentId', 'capabilities', 'previousCapabilities'],
    about: ['agentId'],
    by: AGENT,
  },
  ENCRYPTION_KEY_SET: {
    members: ['agentId', 'thumbprint', 'replacedThumbprint', 'publicKeyJwk', 'proofOfPossession'],
    about: ['agentId', 'thumbprint'],
    by: AGENT,
  },
  SIGNING_KEY_ADDED: {
    members: ['agentId', 'thumbprint', 'algorithm', 'coseKey', 'issuers', 'proofOfPossession'],
    about: ['agentId', 'thumbprint'],
    by: AGENT,
  },
  SIGNING_KEY_REVOKED: {
    members: ['agentId', 'thumbprint'],
    about: ['agentId', 'thumbprint'],
    by: AGENT,
  },
  AGENT_REFERENCE_ADDED: { members: ['agentId', 'reference'], about: ['agentId'], by: AGENT },
  API_KEY_MINTED: { members: KEY, about: ['apiKeyId', 'role', 'ownerId'] },
  API_KEY_ROTATED: {
    members: [...KEY, 'previousApiKeyId', 'previousKeyDeactivatesAt'],
    about: ['apiKeyId', 'role', 'ownerId', 'previousApiKeyId'],
    by: AGENT,
  },
  API_KEY_REVOKED: { members: KEY_END, about: ['apiKeyId', 'role', 'ownerId'] },
  API_KEY_REENABLED: {
    members: [...KEY_END, 'reenabled'],
    about: ['apiKeyId', 'role', 'ownerId'],
    by: OPERATOR,
  },
  ISSUER_CREATED: { members: ISSUER, about: ['issuerId', 'issuerUrl'], by: OPERATOR },
  ISSUER_UPDATED: { members: ISSUER, about: ['issuerId', 'issuerUrl'], by: OPERATOR },
  ISSUER_DELETED: { members: ISSUER, about: ['issuerId', 'issuerUrl'], by: OPERATOR },
  CERT_ISSUED: {
    members: [
      'certId',
      'issuerId',
      'agentId',
      'publicKeyThumbprint',
      'publicKeyJwk',
      'scopes',
      'issuedAt',
      'expiresAt',
    ],
    about: ['certId', 'issuerId', 'agentId'],
    by: AGENT,
  },
  CERT_REVOKED: { members: ['issuerId', 'certIds', 'reason'], about: ['issuerId'] },
  PUBLISHER_CLAIMED: { members: ['publisher'], about: ['orgId', 'publisher'] },
  DUMP_TAKEN: { members: ['withRound', 'unlogged'], by: OPERATOR },
  EXPORT_TAKEN: {
    members: ['exportId', 'filters', 'records', 'omitted', 'sha256'],
    about: ['exportId'],
  },
  PROVISIONING_APPLIED: {
    members: ['trigger', 'counts', 'fileCount', 'filesHash', 'files'],
    by: OPERATOR,
  },
  HUB_KEY_CREATED: { members: HUB_KEY, about: ['hubId', 'publicKeyThumbprint'], by: OPERATOR },
  HUB_KEY_CHANGED: {
    members: [...HUB_KEY, 'previousThumbprint', 'succession'],
    about: ['hubId', 'publicKeyThumbprint'],
    by: OPERATOR,
  },
  PEER_REGISTERED: { members: PEER, about: ['peerHubId'], by: OPERATOR },
  PEER_APPROVED: { members: PEER, about: ['peerHubId'], by: OPERATOR },
  PEER_UPDATED: { members: PEER, about: ['peerHubId'], by: HUB },
  PEER_SUSPENDED: { members: PEER, about: ['peerHubId'], by: OPERATOR },
  PEER_RESUMED: { members: PEER, about: ['peerHubId'], by: OPERATOR },
  PEER_REVOKED: { members: PEER, about: ['peerHubId'], by: OPERATOR },
  PEER_KEY_CHANGED: { members: PEER, about: ['peerHubId'], by: HUB },
  WITNESS_ADDED: { members: WITNESS, about: ['witnessKeyId'], by: OPERATOR },
  WITNESS_REMOVED: { members: WITNESS, about: ['witnessKeyId'], by: OPERATOR },
  RATE_LIMIT_EXEMPTED: { members: ['ownerId'], about: ['ownerId'], by: OPERATOR },
  RATE_LIMIT_RESTORED: { members: ['ownerId'], about: ['ownerId'], by: OPERATOR },
  WEBHOOK_CREATED: { members: WEBHOOK, about: ['subscriptionId'], by: AGENT },
  WEBHOOK_UPDATED: { members: WEBHOOK, about: ['subscriptionId'], by: AGENT },
  WEBHOOK_DELETED: { members: WEBHOOK, about: ['subscriptionId'], by: AGENT },
  WEBHOOK_SECRET_ROTATED: { members: WEBHOOK, about: ['subscriptionId'], by: AGENT },
  ORG_READS_COVERED: { members: ['logs'], by: OPERATOR },
};

/** An actor of an act that the service never lets an agent do. */
export const NOT_AN_AGENT = {
  properties: { kind: { enum: ['admin', 'platform', 'system', 'peer'] } },
} as const;

/** The members of every administrative act, which the document that holds these rules describes. */
const COMMON = ['entryType', 'at', 'requestId', 'actor', 'orgId', 'rowVersions'];

const allowed = (names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, true]));

const ROLE: JsonObject = { enum: ['agent', 'admin', 'platform'] };
const NAME: JsonObject = { type: 'string', minLength: 1 };

const named = (names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, name === 'role' ? ROLE : NAME]));

const doneBy = (doers: readonly Doer[]): JsonObject => ({
  properties: { kind: { enum: [...doers] } },
});

/** Which members each administrative act has, and who does it, as branches of `allOf`. */
export const PLATFORM_ACT_RULES: readonly JsonObject[] = [
  ...Object.entries(FORMS).map(([entryType, { members, about = [], by = ADMIN }]) => ({
    if: { properties: { entryType: { const: entryType } } },
    then: {
      required: [...about],
      properties: {
        ...allowed([...COMMON, ...members]),
        ...named(about),
        actor: doneBy(by),
      },
      additionalProperties: false,
    },
  })),
  {
    if: {
      required: ['role'],
      properties: {
        entryType: { enum: ['API_KEY_MINTED', 'API_KEY_ROTATED', 'API_KEY_REENABLED'] },
        role: { const: 'platform' },
      },
    },
    then: { properties: { actor: doneBy(OPERATOR), orgId: { type: 'null' } } },
  },
  {
    if: { required: ['role'], properties: { role: { enum: ['agent', 'admin'] } } },
    then: { required: ['orgId'], properties: { orgId: { type: 'string' } } },
  },
];
