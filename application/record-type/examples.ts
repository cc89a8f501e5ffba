import { BUNDLE_FORMAT_VERSION } from '../../domain/record-type/schema-bundle.ts';
import { AT, HASH, IDS, SIGNED_STATEMENT } from '../call/example-story.ts';

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

export const COMPLETE_MANIFEST = {
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
};

export const RECORD_TYPE = {
  ...COMPLETE_MANIFEST,
  manifestDigest: HASH,
  status: 'active',
  orgId: IDS.org,
  registeredBy: IDS.principal,
  registeredAt: AT,
  managedBy: null,
  schemaUrls: { publisher: 'acme', type: 'report.weekly', version: 1, isPublic: false },
  signedStatement: {
    ...SIGNED_STATEMENT,
    chainKey: `schema:${IDS.org}`,
    entryType: 'SCHEMA_REGISTERED',
  },
  suggestion: 'Create a record of this type.',
  nextSteps: [
    {
      action: 'create',
      operation: 'createRecord',
      input: {},
      description: 'Create a record of this type',
    },
  ],
};

/** As reads and listings show it. */
export const STORED_TYPE = { ...RECORD_TYPE, signedStatement: null };

const sealed = (entryType: string, position: number): object => ({
  ...RECORD_TYPE.signedStatement,
  position,
  entryType,
});

const list = {
  action: 'list',
  operation: 'listSchemas',
  input: {},
  description: 'List the record types of the org',
};

export const CHANGED_VERSIONS = {
  ...RECORD_TYPE,
  status: 'disabled',
  signedStatement: sealed('SCHEMA_STATUS_CHANGED', 2),
  versions: [
    { version: 1, status: 'disabled', signedStatement: sealed('SCHEMA_STATUS_CHANGED', 2) },
  ],
  suggestion: 'The type is disabled and takes no new records.',
  nextSteps: [
    {
      action: 'enable',
      operation: 'updateSchema',
      input: { type: 'report.weekly', publisher: 'acme', version: '1', status: 'active' },
      description: 'Enable it again',
    },
  ],
};

export const DELETED_VERSIONS = {
  id: 'report.weekly',
  deleted: true,
  publisher: 'acme',
  versions: [{ version: 1, signedStatement: sealed('SCHEMA_DELETED', 3) }],
  suggestion: 'The versions are gone; the schema chain keeps what was sealed about them.',
  nextSteps: [list],
};

const DIGEST = 'c1f3f4a6d1a9d0e6f1b6f5a7c1f3f4a6d1a9d0e6f1b6f5a7c1f3f4a6d1a9d0e6';

export const CONTENT_VERDICT = {
  valid: false,
  recordType: 'report.weekly',
  publisher: 'acme',
  version: 1,
  manifestDigest: DIGEST,
  status: 'active',
  criteria: { valid: true, errors: [] },
  evidence: { valid: true, errors: [] },
  gates: {
    state: 'ADVISORY_FAILED',
    now: '2026-03-02T09:30:00.000Z',
    inputsDigest: DIGEST,
    results: [
      {
        gateId: 'enough-sources',
        description: 'As many sources as were asked for',
        outcome: 'fail',
        severity: 'block',
        expression: 'evidence.sources >= criteria.minimumSources',
        inputsDigest: DIGEST,
        detail: 'the expression is false',
      },
    ],
  },
  suggestion: 'Correct what is told, and try again.',
  nextSteps: [
    {
      action: 'validate',
      operation: 'validateContent',
      input: { type: 'report.weekly' },
      description: 'Try again',
    },
  ],
};

export const SCHEMA_BUNDLE = {
  formatVersion: BUNDLE_FORMAT_VERSION,
  exportedAt: AT,
  orgId: IDS.org,
  manifests: [{ manifest: COMPLETE_MANIFEST, manifestDigest: HASH }],
  coseSign1: SIGNED_STATEMENT.coseSign1,
};

export const IMPORTED_TYPES = {
  created: [
    {
      publisher: 'acme',
      type: 'report.weekly',
      version: 1,
      manifestDigest: HASH,
      status: 'active',
      signedStatement: { ...RECORD_TYPE.signedStatement, entryType: 'SCHEMA_IMPORTED' },
    },
  ],
  unchanged: [],
  refused: [],
  suggestion:
    'Create records of these types; where another publisher offers the same type, name the publisher.',
  nextSteps: [list],
};
