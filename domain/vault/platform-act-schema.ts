import type { JsonObject } from '../kernel/canonical-json.ts';
import type { PlatformEntryType } from './entry-type.ts';

/** Administrative acts whose members `key-statement-schema.ts` and `rewind-schema.ts` describe in full. */
type DescribedElsewhere = 'KEY_ACTIVATED' | 'KEY_RETIRED' | 'REWIND_ACKNOWLEDGED';

interface ActForm {
  /** The members beside those of every administrative act. An act may leave some of them out. */
  readonly members: readonly string[];
  /** Agents may do it too. Without this an admin, an operator, the service or a peer does it. */
  readonly byAgents?: true;
}

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
  ORG_CREATED: { members: ['slug', 'name', 'settings', 'carriedFrom'] },
  ORG_UPDATED: { members: ['settings', 'previousSettings'] },
  AGENT_CREATED: { members: ['agentId', 'name', 'capabilities', 'carriedFrom'] },
  AGENT_DEACTIVATED: { members: ['agentId', 'reason'] },
  AGENT_REACTIVATED: { members: ['agentId', 'deactivatedAt'] },
  AGENT_CAPABILITIES_CHANGED: {
    members: ['agentId', 'capabilities', 'previousCapabilities'],
    byAgents: true,
  },
  ENCRYPTION_KEY_SET: {
    members: ['agentId', 'thumbprint', 'replacedThumbprint', 'publicKeyJwk', 'proofOfPossession'],
    byAgents: true,
  },
  SIGNING_KEY_ADDED: {
    members: ['agentId', 'thumbprint', 'algorithm', 'coseKey', 'issuers', 'proofOfPossession'],
    byAgents: true,
  },
  SIGNING_KEY_REVOKED: { members: ['agentId', 'thumbprint'], byAgents: true },
  AGENT_REFERENCE_ADDED: { members: ['agentId', 'reference'], byAgents: true },
  API_KEY_MINTED: { members: KEY },
  API_KEY_ROTATED: {
    members: [...KEY, 'previousApiKeyId', 'previousKeyDeactivatesAt'],
    byAgents: true,
  },
  API_KEY_REVOKED: { members: KEY_END },
  API_KEY_REENABLED: { members: [...KEY_END, 'reenabled'] },
  ISSUER_CREATED: { members: ISSUER },
  ISSUER_UPDATED: { members: ISSUER },
  ISSUER_DELETED: { members: ISSUER },
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
    byAgents: true,
  },
  CERT_REVOKED: { members: ['issuerId', 'certIds', 'reason'] },
  PUBLISHER_CLAIMED: { members: ['publisher'] },
  DUMP_TAKEN: { members: ['withRound', 'unlogged'] },
  EXPORT_TAKEN: { members: ['exportId', 'filters', 'records', 'omitted', 'sha256'] },
  PROVISIONING_APPLIED: { members: ['trigger', 'counts', 'fileCount', 'filesHash', 'files'] },
  HUB_KEY_CREATED: { members: HUB_KEY },
  HUB_KEY_CHANGED: { members: [...HUB_KEY, 'previousThumbprint', 'succession'] },
  PEER_REGISTERED: { members: PEER },
  PEER_APPROVED: { members: PEER },
  PEER_UPDATED: { members: PEER },
  PEER_SUSPENDED: { members: PEER },
  PEER_RESUMED: { members: PEER },
  PEER_REVOKED: { members: PEER },
  PEER_KEY_CHANGED: { members: PEER },
  WITNESS_ADDED: { members: WITNESS },
  WITNESS_REMOVED: { members: WITNESS },
  RATE_LIMIT_EXEMPTED: { members: ['ownerId'] },
  RATE_LIMIT_RESTORED: { members: ['ownerId'] },
  WEBHOOK_CREATED: { members: WEBHOOK, byAgents: true },
  WEBHOOK_UPDATED: { members: WEBHOOK, byAgents: true },
  WEBHOOK_DELETED: { members: WEBHOOK, byAgents: true },
  WEBHOOK_SECRET_ROTATED: { members: WEBHOOK, byAgents: true },
  ORG_READS_COVERED: { members: ['logs'] },
};

/** An actor of an act that the service never lets an agent do. */
export const NOT_AN_AGENT = {
  properties: { kind: { enum: ['admin', 'platform', 'system', 'peer'] } },
} as const;

/** The members of every administrative act, which the document that holds these rules describes. */
const COMMON = ['entryType', 'at', 'requestId', 'actor', 'orgId', 'rowVersions'];

const allowed = (names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, true]));

/** Which members each administrative act may have, and whether agents do it, as branches of `allOf`. */
export const PLATFORM_ACT_RULES: readonly JsonObject[] = Object.entries(FORMS).map(
  ([entryType, { members, byAgents }]) => ({
    if: { properties: { entryType: { const: entryType } } },
    then: {
      properties: {
        ...allowed([...COMMON, ...members]),
        ...(byAgents ? {} : { actor: NOT_AN_AGENT }),
      },
      additionalProperties: false,
    },
  }),
);
