import { AT, HASH, IDS, KEY_ID, LATER } from '../call/example-story.ts';
import { STATEMENT_TYPE } from '../../domain/vault/statement.ts';
import { RECORD } from '../record/examples.ts';
import { COMPLETE_MANIFEST } from '../record-type/examples.ts';
import { VERIFICATION_KEY } from '../vault/examples.ts';
import { ExportedRecordSchema } from './audit-export-schema.ts';

export const ATTESTATION = { recordId: IDS.record, structures: ['0oRYTqYBJwM='] };

export const SIGSTORE_BUNDLE = {
  mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
  verificationMaterial: { publicKey: { hint: KEY_ID }, tlogEntries: [] },
  dsseEnvelope: {
    payload: 'eyJfdHlwZSI6Imh0dHBzOi8vaW4tdG90by5pby9TdGF0ZW1lbnQvdjEifQ==',
    payloadType: 'application/vnd.in-toto+json',
    signatures: [{ sig: 'MEUCIQ==', keyid: KEY_ID }],
  },
};

export const CHECKPOINT = {
  id: IDS.checkpoint,
  logIndex: 7,
  chainKind: 'record',
  chainKey: IDS.record,
  position: 1,
  headHash: HASH,
  signingKeyId: KEY_ID,
  createdAt: LATER,
  coseSign1: '0oRYTqYBJwM=',
};

export const AUDIT_EXPORT = {
  formatVersion: '1.0',
  canonicalization: 'jcs',
  exportedAt: LATER,
  service: { baseUrl: 'https://notary.example', hubId: IDS.hub, version: '0.1.0' },
  record: {
    ...Object.fromEntries(
      Object.entries(RECORD).filter(([name]) => name in ExportedRecordSchema.properties),
    ),
    cancelledBy: null,
  },
  manifest: COMPLETE_MANIFEST,
  parties: [
    { agentId: IDS.principal, orgId: IDS.org, name: 'planner', orgName: 'Acme' },
    { agentId: IDS.performer, orgId: IDS.org, name: 'builder', orgName: 'Acme' },
  ],
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
        statement: {
          _type: STATEMENT_TYPE,
          subject: [{ name: `record/${IDS.record}`, digest: { sha256: HASH } }],
          predicateType: 'https://notary.example/predicates/record-state/v1',
          predicate: {
            entryType: 'RECORD_PROPOSED',
            at: AT,
            requestId: '019c1f00-0000-7000-8000-00000000000a',
            actor: { kind: 'agent', orgId: IDS.org, agentId: IDS.principal },
          },
        },
      },
    ],
  },
  keys: [VERIFICATION_KEY],
  keyStatements: [
    {
      keyId: KEY_ID,
      statement: 'activated',
      position: 1,
      coseSign1: '0oRYTqYBJwM=',
    },
  ],
  retirements: [],
  acknowledgements: [],
  checkpoint: CHECKPOINT,
  checkpoints: [],
  log: null,
  federation: null,
  verificationGuide: {
    summary: 'Verify this file offline.',
    steps: ['Obtain the keys from somewhere else.'],
    evidenceBinding: 'evidenceHash is the SHA-256 of the RFC 8785 form of the evidence.',
    commands: ['notary verify export.json --keys keys.json'],
    verifier: 'The command notary of the package notary-service.',
  },
};
