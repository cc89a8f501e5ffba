import {
  AT,
  HASH,
  IDS,
  KEY_ID,
  LATER,
  SIGNED_STATEMENT,
  pageExample,
} from '../../application/call/example-story.ts';

export { IDS, LATER, SIGNED_STATEMENT, pageExample };
export { REFERENCE_BODY } from '../../application/record/examples.ts';
import { REFERENCE_BODY } from '../../application/record/examples.ts';

const VERIFICATION_KEY = {
  keyId: KEY_ID,
  algorithm: 'Ed25519',
  coseAlgorithm: -8,
  minVerifierVersion: '0.1.0',
  publicKey: 'MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=',
  publicKeyRaw: '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=',
  status: 'active',
  activatedAt: AT,
  retiredAt: null,
};

export const VERIFICATION_KEYS = {
  data: [VERIFICATION_KEY],
  envelope: 'COSE_Sign1',
  payloadFormat: 'application/vnd.in-toto+json',
  canonicalization: 'jcs',
  coseAlgorithm: -8,
  signatureAlgorithm: 'Ed25519',
  signatureInputTemplate:
    'deterministic CBOR of ["Signature1", <protected header bytes>, h\'\', <payload bytes>]',
};

export const AUDIT_EXPORT = {
  formatVersion: '1.0',
  canonicalization: 'jcs',
  exportedAt: LATER,
  service: { baseUrl: 'https://notary.example', hubId: IDS.hub, version: '0.1.0' },
  record: { id: IDS.record, status: 'FULFILLED' },
  chain: {
    chainKey: IDS.record,
    head: { position: 1, hash: HASH },
    entries: [
      {
        position: 1,
        entryType: 'RECORD_PROPOSED',
        hash: HASH,
        previousHash: '0'.repeat(64),
        signingKeyId: KEY_ID,
        algorithm: 'Ed25519',
        createdAt: AT,
        coseSign1: '0oRYTqYBJwM=',
        statement: { _type: 'https://in-toto.io/Statement/v1' },
      },
    ],
  },
  keys: [VERIFICATION_KEY],
  keyStatements: [
    {
      keyId: KEY_ID,
      statement: 'activated',
      chainPosition: 1,
      createdAt: AT,
      coseSign1: '0oRYTqYBJwM=',
    },
  ],
  checkpoint: {
    id: IDS.checkpoint,
    logIndex: 7,
    chainKind: 'record',
    chainKey: IDS.record,
    position: 1,
    headHash: HASH,
    signingKeyId: KEY_ID,
    createdAt: LATER,
    coseSign1: '0oRYTqYBJwM=',
  },
  checkpoints: [],
  verificationGuide: {
    summary: 'Verify this file offline.',
    steps: ['Obtain the keys from somewhere else.'],
    evidenceBinding: 'evidenceHash is the SHA-256 of the RFC 8785 form of the evidence.',
    commands: ['notary verify export.json --keys keys.json'],
  },
};

export const MANIFEST = {
  type: 'report.weekly',
  version: 1,
  title: 'Weekly report',
  criteriaSchema: {
    type: 'object',
    properties: { week: { type: 'string' }, minimumSources: { type: 'integer' } },
    required: ['week', 'minimumSources'],
  },
  completionSchema: {
    type: 'object',
    properties: { report: { type: 'string' }, sources: { type: 'integer' } },
    required: ['report', 'sources'],
  },
  gateMode: 'principal',
  gates: [
    {
      id: 'enough-sources',
      description: 'As many sources as were asked for',
      expression: 'evidence.sources >= criteria.minimumSources',
      severity: 'block',
    },
  ],
};

export const NOTARIZE_ONLY_MANIFEST = {
  type: 'payment.sent',
  version: 1,
  completionSchema: {},
  criteriaSchema: { type: 'object', required: ['invoice'] },
};

export const RECORD_TYPE = {
  ...MANIFEST,
  publisher: 'acme',
  description: null,
  operatingMode: 'cleartext',
  cascade: { rule: 'none' },
  compatibilityMode: 'backward',
  maxDelegationDepth: 5,
  maxDisputes: 1,
  maxRevisions: 3,
  defaultTtlSeconds: null,
  verdictWindowSeconds: 604_800,
  disputeWindowSeconds: 604_800,
  evidenceWindowSeconds: 259_200,
  public: false,
  exampleCriteria: null,
  exampleEvidence: null,
  manifestDigest: HASH,
  status: 'active',
  orgId: IDS.org,
  registeredBy: IDS.principal,
  registeredAt: AT,
  schemaUrls: { manifest: '/v1/schemas/report.weekly?publisher=acme&version=1' },
  signedStatement: {
    ...SIGNED_STATEMENT,
    chainKey: `schema:${IDS.org}`,
    entryType: 'SCHEMA_REGISTERED',
  },
  suggestion: 'Create a record of this type.',
  nextSteps: [
    {
      action: 'create',
      method: 'POST',
      href: '/v1/records',
      description: 'Create a record of this type',
    },
  ],
};

export const ORG = {
  id: IDS.org,
  name: 'Acme',
  slug: 'acme',
  createdAt: AT,
  managedBy: null,
  settings: {},
};

const PUBLIC_JWK = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };

/** The Ed25519 key of RFC 8037 appendix A; the proof is by it. */
export const SIGNING_KEY = {
  thumbprint: '866eefbd6718c8846cd7ddfe43fc74ab1daac4538ff8514ea2ec2d410a415743',
  algorithm: 'Ed25519',
  publicKeyJwk: PUBLIC_JWK,
  coseKey: 'pAEBAycgBiFYINdamAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea',
  issuers: ['https://reporter.example'],
  addedAt: LATER,
  revokedAt: null,
};
export const SIGNING_KEY_BODY = {
  publicKeyJwk: PUBLIC_JWK,
  proofOfPossession:
    '8dB1rqxYVY0f9STY5lQ7p8QoQLZyigujVgQEhUFxQK6M+ryHOPCe9T3gc8VfYkxZj1+vkgSttiZI8d3oONTNAA==',
  issuers: SIGNING_KEY.issuers,
};

/** The X25519 key of RFC 8037 appendix A.6. */
export const ENCRYPTION_KEY_BODY = {
  publicKeyJwk: { kty: 'OKP', crv: 'X25519', x: '3p7bfXt9wbTTW2HC7OQ1Nz-DQ8hbeGdNrfx-FG-IK08' },
};
export const ENCRYPTION_JWK = {
  ...ENCRYPTION_KEY_BODY.publicKeyJwk,
  kid: 'giQqigT_IKcuzHl0FVJ3k5ts3_TWNAxvsC08UZsfcM8',
  use: 'enc',
};

export const AGENT_REFERENCE = {
  id: IDS.reference,
  agentId: IDS.performer,
  ...REFERENCE_BODY,
  addedBy: { kind: 'admin', agentId: IDS.principal, apiKeyId: IDS.key },
  addedAt: LATER,
};

export const AGENT = {
  id: IDS.performer,
  orgId: IDS.org,
  name: 'reporter',
  displayName: 'Reporter',
  capabilities: ['report.weekly'],
  signingKeys: [SIGNING_KEY],
  encryptionKeyJwk: ENCRYPTION_JWK,
  references: [AGENT_REFERENCE],
  deactivatedAt: null,
  deactivationReason: null,
  managedBy: null,
  createdAt: AT,
};

const me = {
  action: 'whoami',
  method: 'GET',
  href: '/v1/auth/me',
  description: 'Call with the new key, to see what it may do',
};

export const KEY_ROW = {
  keyId: IDS.key,
  ownerType: 'agent',
  ownerId: IDS.performer,
  orgId: IDS.org,
  role: 'agent',
  label: 'reporter, production',
  scopes: [
    'records:read',
    'completions:write',
    'disputes:write',
    'schemas:read',
    'reputation:read',
  ],
  scopeProfile: 'agent-performer',
  environment: 'live',
  isActive: true,
  allowedIps: null,
  expiresAt: null,
  deactivatesAt: null,
  createdAt: AT,
  lastUsedAt: null,
  createdByKeyId: null,
  rotatedFromKeyId: null,
  revokedAt: null,
  revokedByKeyId: null,
  revocationReason: null,
  managedBy: null,
};

export const MINTED_KEY = {
  keyId: IDS.key,
  apiKey: 'svc_agt_<43 characters and a checksum, shown only here>',
  role: 'agent',
  ownerType: 'agent',
  ownerId: IDS.performer,
  orgId: IDS.org,
  label: 'reporter, production',
  scopes: KEY_ROW.scopes,
  scopeProfile: 'agent-performer',
  environment: 'live',
  allowedIps: null,
  expiresAt: null,
  createdAt: AT,
  suggestion: 'Store the key now; it is not shown again.',
  nextSteps: [me],
};

export const ROTATED_KEY = {
  ...MINTED_KEY,
  keyId: IDS.newKey,
  previousKeyId: IDS.key,
  previousKeyDeactivatesAt: LATER,
};

export const TRUSTED_ISSUER = {
  id: '019c1f00-0000-7000-8000-000000000020',
  orgId: IDS.org,
  issuerUrl: 'https://login.acme.example',
  jwksUri: null,
  expectedAudience: 'https://notary.acme.example',
  appliesTo: 'agent',
  claimMapping: { scopes: 'scope', agent_id: 'agent_id', role: 'role' },
  maxCredentialTtlSeconds: 600,
  enabled: true,
  subjectAllowlist: [],
  requireProof: 'none',
  requireCoSignature: 'none',
  managedBy: null,
  createdAt: AT,
  updatedAt: AT,
} as const;

export const CERT = {
  id: '019c1f00-0000-7000-8000-000000000021',
  orgId: IDS.org,
  agentId: IDS.performer,
  oidcIss: TRUSTED_ISSUER.issuerUrl,
  oidcSub: 'workload-7',
  publicKeyThumbprint: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  scopes: ['records:read', 'completions:write'],
  issuedAt: AT,
  expiresAt: '2026-01-31T12:10:00.000Z',
} as const;

export const WHOAMI = {
  apiKeyId: IDS.key,
  role: 'agent',
  ownerId: IDS.performer,
  ownerType: 'agent',
  orgId: IDS.org,
  scopes: KEY_ROW.scopes,
  name: 'Reporter',
  authType: 'api_key',
  cert: null,
  oidc: null,
};

/** The delegation tree, as one of its parties sees it. */
export const RECORD_TREE = {
  root: IDS.record,
  path: [IDS.record, IDS.child],
  nodes: [
    {
      id: IDS.record,
      parentRecordId: null,
      depth: 0,
      type: 'report.weekly',
      status: 'ACTIVE',
      performerAgentId: IDS.performer,
      principalAgentId: IDS.principal,
      headHash: HASH,
      position: 3,
    },
    {
      id: IDS.child,
      parentRecordId: IDS.record,
      depth: 1,
      status: 'FULFILLED',
      headHash: HASH,
      position: 5,
      redacted: true,
    },
  ],
} as const;
