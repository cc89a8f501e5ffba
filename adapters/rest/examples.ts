import {
  AT,
  HASH,
  IDS,
  KEY_ID,
  LATER,
  SIGNED_STATEMENT,
  pageExample,
} from '../../application/call/example-story.ts';

export { SIGNED_STATEMENT, pageExample };

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
