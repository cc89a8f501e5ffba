import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { PREDICATE_SCHEMAS } from '../../../domain/record/predicate-schemas.ts';
import {
  checkpointStatement,
  platformStatement,
  schemaStatement,
  type PredicateKind,
  type Statement,
} from '../../../domain/vault/statement.ts';
import {
  recordStatement,
  type RecordStatePredicate,
} from '../../../domain/record/record-statement.ts';

const ID = '019c1f00-0000-7000-8000-000000000001';
const HASH = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const AT = '2026-01-31T12:00:00.000Z';
const common = {
  at: AT,
  requestId: 'r-1',
  actor: { kind: 'agent', agentId: ID, apiKeyId: ID },
} as const;

const addFormats = addFormatsModule as unknown as typeof addFormatsModule.default;
const ajv = new Ajv2020({
  strict: true,
  allErrors: true,
  allowUnionTypes: true,
  strictTypes: false,
  strictRequired: false,
});
addFormats(ajv);
const validators = new Map(
  PREDICATE_SCHEMAS.map(({ kind, schema }) => [kind, ajv.compile(schema)]),
);
const accepts = (statement: Statement, kind: PredicateKind): boolean => {
  expect(statement.predicateType).toBe(`https://x.test/predicates/${kind}/v1`);
  return validators.get(kind)!(JSON.parse(JSON.stringify(statement.predicate)));
};

const record: RecordStatePredicate = {
  ...common,
  entryType: 'RECORD_CREATED',
  recordId: ID,
  orgId: ID,
  schema: { orgId: ID, publisher: 'acme', type: 'report.weekly', version: 1, manifestDigest: HASH },
  transition: { action: 'create', from: null, to: 'ACTIVE' },
  principalAgentId: ID,
  performerAgentId: null,
  performerOrgId: null,
  expiresAt: null,
  awaiting: 'principal',
  terms: {
    platform: 'api',
    platformRef: null,
    gateMode: 'principal',
    operatingMode: 'cleartext',
    depth: 0,
    rootRecordId: ID,
  },
  criteriaHash: HASH,
};

const { terms: _terms, ...further } = record;
const decided: RecordStatePredicate = {
  ...further,
  entryType: 'GATE_EVALUATED',
  transition: { action: 'evaluate', from: 'ACTIVE', to: 'FAILED' },
  performerAgentId: ID,
  completionId: ID,
  evidenceHash: HASH,
  gate: {
    state: 'FAILED',
    now: AT,
    inputsDigest: HASH,
    results: [
      { gateId: 'g', outcome: 'fail', severity: 'block', inputsDigest: HASH, detail: null },
    ],
  },
};

describe('the predicate schemas', () => {
  it('are seven, each a JSON Schema 2020-12 that compiles in strict mode', () => {
    expect(PREDICATE_SCHEMAS.map((row) => row.kind)).toEqual([
      'record-state',
      'settlement-signal',
      'vault-checkpoint',
      'schema-event',
      'tenant-read',
      'counter-attestation',
      'federation-projection',
    ]);
    expect(validators.size).toBe(7);
  });

  it('take what is sealed of records, record types, checkpoints and administrative acts', () => {
    expect(accepts(recordStatement('https://x.test', record), 'record-state')).toBe(true);
    expect(accepts(recordStatement('https://x.test', decided), 'record-state')).toBe(true);
    expect(
      accepts(
        recordStatement('https://x.test', {
          ...decided,
          entryType: 'VERDICT_RENDERED',
          verdict: 'reject',
          reason: 'no',
        }),
        'record-state',
      ),
    ).toBe(true);
    expect(
      accepts(
        platformStatement('https://x.test', {
          ...common,
          actor: { kind: 'system' },
          entryType: 'ORG_CREATED',
          orgId: ID,
          slug: 'acme',
          name: 'Acme',
        }),
        'record-state',
      ),
    ).toBe(true);
    expect(
      accepts(
        platformStatement('https://x.test', {
          ...common,
          entryType: 'KEY_ACTIVATED',
          hubId: ID,
          keyId: HASH.slice(0, 32),
          coseKey: 'pAEB',
        }),
        'record-state',
      ),
    ).toBe(true);
    expect(
      accepts(
        schemaStatement('https://x.test', {
          ...common,
          actor: { kind: 'system' },
          entryType: 'SCHEMA_REGISTERED',
          orgId: ID,
          publisher: 'acme',
          type: 't',
          version: 1,
          manifestDigest: HASH,
          status: 'active',
        }),
        'schema-event',
      ),
    ).toBe(true);
    expect(
      accepts(
        checkpointStatement('https://x.test', {
          chainKind: 'record',
          chainKey: ID,
          position: 3,
          headHash: HASH,
          logIndex: 0,
          at: AT,
        }),
        'vault-checkpoint',
      ),
    ).toBe(true);
  });

  it('refuse a predicate with a member missing, added or of another form', () => {
    const refuses = (predicate: object): boolean => !validators.get('record-state')!(predicate);
    for (const name of Object.keys(record))
      expect(refuses({ ...record, [name]: undefined }), name).toBe(true);
    expect(refuses({ ...record, criteria: {} })).toBe(true);
    expect(refuses({ ...record, at: '2026-01-31T12:00:00Z' })).toBe(true);
    expect(refuses({ ...record, entryType: 'ORG_CREATED' })).toBe(true);
    expect(refuses({ ...common, entryType: 'KEY_ACTIVATED', keyId: HASH.slice(0, 32) })).toBe(true);
    expect(refuses({ ...common, entryType: 'SCHEMA_REGISTERED' })).toBe(true);
  });

  const PLATFORM = { ...common, actor: { kind: 'system' } };
  const KEY = HASH.slice(0, 32);
  const FORMS: readonly (readonly [string, PredicateKind, object, readonly object[]])[] = [
    [
      'the activation of a later key',
      'record-state',
      {
        ...PLATFORM,
        entryType: 'KEY_ACTIVATED',
        hubId: ID,
        keyId: KEY,
        coseKey: 'pAEB',
        possession: 'AAAA',
        previousStatement: HASH,
      },
      [{ possession: undefined }, { previousStatement: undefined }, { orgId: ID }, { extra: 1 }],
    ],
    [
      'the retirement of a key',
      'record-state',
      {
        ...PLATFORM,
        entryType: 'KEY_RETIRED',
        keyId: KEY,
        reason: 'compromised',
        treeSize: 9,
        treeRoot: HASH,
        uncovered: 0,
      },
      [{ uncovered: undefined }, { reason: 'lost' }, { treeSize: -1 }, { extra: 1 }],
    ],
    [
      'the creation of an org',
      'record-state',
      {
        ...PLATFORM,
        entryType: 'ORG_CREATED',
        orgId: ID,
        slug: 'acme',
        name: 'Acme',
        settings: {},
        rowVersions: { [ID]: 1 },
      },
      [{ extra: 1 }, { agentId: ID }, { actor: { kind: 'agent' } }],
    ],
    [
      "a read of an org's data",
      'tenant-read',
      {
        ...common,
        entryType: 'ORG_READ',
        orgId: ID,
        leafIndex: 0,
        previousHash: HASH,
        operation: 'getRecord',
        target: ID,
        inputDigest: HASH,
        protocol: 'rest',
      },
      [{ entryType: undefined }, { operation: undefined }, { protocol: 'smtp' }, { path: '/' }],
    ],
    [
      'the attestation of a statement of a peer',
      'counter-attestation',
      {
        ...common,
        entryType: 'PEER_STATEMENT_ATTESTED',
        recordId: ID,
        orgId: ID,
        peerHubId: ID,
        sequence: 3,
        statementHash: HASH,
        outcome: 'refused',
        code: 'CONFLICT',
      },
      [{ outcome: undefined }, { sequence: undefined }, { verified: true }, { otherHash: HASH }],
    ],
    [
      'two statements of a peer that contradict each other',
      'counter-attestation',
      {
        ...common,
        entryType: 'PEER_EQUIVOCATION',
        recordId: ID,
        orgId: ID,
        peerHubId: ID,
        sequence: 3,
        statementHash: HASH,
        outcome: 'refused',
        otherHash: HASH,
      },
      [{ otherHash: undefined }],
    ],
    [
      'what a hub tells another one of a record',
      'federation-projection',
      {
        at: AT,
        recordId: ID,
        originHubId: ID,
        toHubId: ID,
        sequence: 1,
        action: 'accept',
        state: 'ACTIVE',
        principal: {},
        performer: null,
        position: 2,
        headHash: HASH,
        ack: 0,
      },
      [{ ack: undefined }, { action: 'invented' }, { position: 0 }, { requestId: 'r' }],
    ],
    [
      'a checkpoint of the reads of an org',
      'vault-checkpoint',
      {
        chainKind: 'org-reads',
        chainKey: `org-reads:${ID}`,
        position: 4,
        headHash: HASH,
        treeSize: 4,
        treeRoot: HASH,
        at: AT,
      },
      [{ logIndex: 0 }, { treeRoot: undefined }, { chainKind: 'record' }],
    ],
    ...(['schema', 'admin'] as const).map((chainKind): (typeof FORMS)[number] => [
      `a checkpoint of a chain of the kind ${chainKind}`,
      'vault-checkpoint',
      {
        chainKind,
        chainKey: ID,
        position: 4,
        headHash: HASH,
        logIndex: 7,
        treeSize: 4,
        treeRoot: HASH,
        at: AT,
      },
      [
        { logIndex: undefined },
        { treeRoot: undefined },
        { treeSize: undefined, treeRoot: undefined },
        { chainKind: 'record' },
      ],
    ]),
  ];

  it.each(FORMS)('%s: has its members and no others', (_what, kind, predicate, broken) => {
    const validate = validators.get(kind)!;
    expect(validate(predicate), JSON.stringify(validate.errors)).toBe(true);
    for (const change of broken) {
      const changed = JSON.parse(JSON.stringify({ ...predicate, ...change })) as object;
      expect(validate(changed), JSON.stringify(change)).toBe(false);
    }
  });
});
