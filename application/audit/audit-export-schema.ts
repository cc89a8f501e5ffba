import { Type } from 'typebox';
import type { JsonObject, JsonValue } from '../../domain/kernel/canonical-json.ts';
import { STATEMENT_TYPE, type Statement } from '../../domain/vault/statement.ts';
import type { AuditExportRecord } from '../../domain/verification/read/audit-export.ts';
import { pick } from '../call/input-form.ts';
import {
  Actor,
  Base64,
  JsonObjectSchema,
  Sha256,
  SignedStatementSchema,
  Timestamp,
  Uuid,
  nullable,
  oneOf,
  orNull,
} from '../call/schemas.ts';
import { RecordSchema } from '../record/record-view.ts';
import { CompleteManifestSchema } from '../record-type/schema-bundle-view.ts';
import { streamed } from '../call/streamed-view.ts';

const KeySchema = Type.Object({
  keyId: Type.String(),
  algorithm: oneOf(['Ed25519', 'ES256']),
  coseAlgorithm: Type.Integer(),
  publicKey: Base64,
  publicKeyRaw: Base64,
  status: oneOf(['active', 'retired']),
  activatedAt: Timestamp,
  retiredAt: nullable(Timestamp),
  minVerifierVersion: Type.String(),
});

const KeyStatementSchema = Type.Object({
  keyId: Type.String(),
  statement: oneOf(['activated', 'retired']),
  position: Type.Integer(),
  coseSign1: Base64,
});

export const CheckpointSchema = Type.Object({
  id: Uuid,
  logIndex: Type.Integer(),
  chainKind: oneOf(['record', 'schema', 'admin']),
  chainKey: Type.String(),
  position: Type.Integer(),
  headHash: Sha256,
  signingKeyId: Type.String(),
  createdAt: Timestamp,
  coseSign1: Base64,
});

const InclusionSchema = Type.Object(
  {
    leafIndex: Type.Integer(),
    treeSize: Type.Integer(),
    path: Type.Array(Sha256),
  },
  { description: 'RFC 9162 section 2.1.3, the sibling of the leaf first' },
);

const RetirementSchema = Type.Object(
  {
    keyId: Type.String(),
    checkpoint: Type.Object({ logIndex: Type.Integer(), coseSign1: Base64 }),
    inclusion: InclusionSchema,
  },
  {
    description:
      'The newest checkpoint of this chain by a retired key, in the log of which its KEY_RETIRED seals the root',
  },
);

const AcknowledgementSchema = Type.Object(
  { position: Type.Integer(), coseSign1: Base64 },
  {
    description:
      'An entry REWIND_ACKNOWLEDGED of the platform chain: a range of this chain was lost, and a platform key took note of it',
  },
);

const LogSchema = Type.Object(
  {
    coseSign1: Base64,
    inclusion: InclusionSchema,
    timestampToken: Type.Optional(
      Type.String({
        contentEncoding: 'base64',
        description: 'RFC 3161 TimeStampToken (DER) over the signature, as 3161-ctt of RFC 9921',
      }),
    ),
  },
  { description: 'The newest round of checkpoints, whose root covers the closing one' },
);

const FederationSchema = Type.Object(
  {
    role: oneOf(['home', 'mirror']),
    peerHubId: Uuid,
    peerRecordId: nullable(Uuid),
    vaultRoot: Type.String({
      pattern: '^[0-9a-f]{64}$',
      description:
        "SHA-256 of the SPKI of the first key on the peer's platform chain, as it was registered here",
    }),
    keyStatements: Type.Array(KeyStatementSchema, {
      description: "The peer's, by which what it signed verifies from that root",
    }),
    statements: Type.Array(
      Type.Object({
        direction: oneOf(['out', 'in']),
        sequence: Type.Integer({ minimum: 1 }),
        coseSign1: Base64,
        entries: Type.Array(Base64, { description: "The sender's entries that came with it" }),
        attestation: nullable(Base64),
      }),
      {
        description:
          'What this hub signed for the peer, then what the peer signed for this hub, by sequence, each as it was sent and with what its receiver signed of it. Two statements that the peer signed under one sequence both stand here, the second with the PEER_EQUIVOCATION of this hub',
      },
    ),
  },
  { description: 'What two hubs signed for each other of a record that both of them know' },
);

/** What the chain says of a record. The rest of its view is of the moment, or advice. */
const OF_THE_MOMENT = ['message', 'version', 'cascade', 'signedStatement'];
const ADVICE = ['nextActions', 'validTransitions', 'suggestion', 'hint', 'nextSteps'];
export const ExportedRecordSchema = Type.Object(
  {
    ...pick(
      RecordSchema,
      Object.keys(RecordSchema.properties).filter(
        (member) => !OF_THE_MOMENT.includes(member) && !ADVICE.includes(member),
      ),
    ).properties,
    cancelledBy: nullable(oneOf(['principal', 'performer'])),
    federation: orNull(
      Type.Object({
        role: oneOf(['home', 'mirror']),
        peerHubId: Uuid,
        detached: nullable(Type.String()),
      }),
    ),
  },
  { description: 'The record, as the chain has it' },
);

const StatementSchema = Type.Object(
  {
    _type: Type.Literal(STATEMENT_TYPE),
    subject: Type.Array(
      Type.Object({ name: Type.String(), digest: Type.Object({ sha256: Sha256 }) }),
      { minItems: 1, maxItems: 1 },
    ),
    predicateType: Type.String({ description: 'Where its JSON Schema is' }),
    predicate: Type.Object(
      {
        entryType: SignedStatementSchema.properties.entryType,
        at: Timestamp,
        requestId: Type.String(),
        actor: Actor,
      },
      { additionalProperties: true, description: 'Further members by predicateType and entryType' },
    ),
  },
  { description: 'An in-toto Statement v1: the payload that was signed, decoded' },
);

const FRAME_HEAD = {
  formatVersion: Type.Literal('1.0'),
  canonicalization: oneOf(['jcs', 'cde']),
  exportedAt: Timestamp,
  service: Type.Object({ baseUrl: Type.String(), hubId: Uuid, version: Type.String() }),
} as const;

const RECORD = {
  record: Type.Unsafe<AuditExportRecord>(ExportedRecordSchema),
  manifest: Type.Unsafe<JsonObject>(CompleteManifestSchema),
  parties: Type.Array(
    Type.Object({
      agentId: Uuid,
      orgId: nullable(Uuid),
      name: nullable(Type.String()),
      orgName: nullable(Type.String()),
    }),
    {
      description:
        'The principal and, where there is another, the performer, by the names that the service knows them by at export time. The entries seal the ids; nothing seals the names. Of a party on another hub all but the id may be null',
    },
  ),
  chain: Type.Object({
    chainKey: Uuid,
    head: Type.Object({ position: Type.Integer(), hash: Sha256 }),
    entries: streamed(
      Type.Array(
        Type.Object({
          position: Type.Integer(),
          entryType: SignedStatementSchema.properties.entryType,
          hash: Sha256,
          previousHash: Sha256,
          signingKeyId: Type.String(),
          algorithm: oneOf(['Ed25519', 'ES256']),
          createdAt: Timestamp,
          coseSign1: Base64,
          statement: Type.Unsafe<Statement>(StatementSchema),
          evidence: Type.Optional(Type.Unsafe<JsonValue>(JsonObjectSchema)),
          content: Type.Optional(
            Type.Unsafe<JsonObject>({
              type: 'object',
              description:
                'What a party said, at the entry that seals its hash: `message` of a proposal or counter-proposal; `grounds`, `statement` and `evidence` of the opening of a dispute; `evidence` submitted to one. With evidence=true, and as long as the service holds it',
            }),
          ),
          request: Type.Optional({
            ...Base64,
            description:
              'The body of the request that the actor co-signed, as it was received. Left out where it holds evidence or content that was not asked for, or what belongs to records of others',
          }),
        }),
      ),
    ),
  }),
} as const;

const KEYS = {
  keys: Type.Array(KeySchema),
  keyStatements: Type.Array(KeyStatementSchema),
} as const;

const PROOFS = {
  retirements: Type.Array(RetirementSchema),
  acknowledgements: Type.Array(AcknowledgementSchema),
  checkpoint: orNull(CheckpointSchema),
  checkpoints: Type.Array(CheckpointSchema),
  log: orNull(LogSchema),
  federation: orNull(FederationSchema),
} as const;

const GUIDE = {
  verificationGuide: Type.Object({
    summary: Type.String(),
    steps: Type.Array(Type.String()),
    evidenceBinding: Type.String(),
    commands: Type.Array(Type.String()),
    verifier: Type.String({ description: 'Where the verifier comes from' }),
  }),
} as const;

export const AuditExportSchema = Type.Object(
  { ...FRAME_HEAD, ...RECORD, ...KEYS, ...PROOFS, ...GUIDE },
  {
    description:
      'Everything that an offline check of one record needs, but for the trust in the keys, which must come from elsewhere',
  },
);

export const AuditTreeSchema = Type.Object(
  {
    ...FRAME_HEAD,
    omitted: Type.Integer({
      minimum: 0,
      description: 'How many records below are left out, because this key may not read them',
    }),
    records: streamed(Type.Array(Type.Object({ ...RECORD, ...PROOFS }))),
    ...KEYS,
    ...GUIDE,
  },
  { description: 'The same of a record and of those below it, the one asked for first' },
);

/** A tree where it was asked for. */
export const AnyAuditExportSchema = Type.Union([AuditExportSchema, AuditTreeSchema]);
