import { schemaHref } from '../../http/schema-href.ts';
import { Type } from 'typebox';
import type { RegisteredType } from '../../../application/record-type/register-type.ts';
import { MAX_PUBLISHER_LABEL, MAX_TYPE_NAME, TYPE_NAME_PATTERN, type RecordType } from '../../../domain/record-type/manifest.ts';
import { route, type Route, type View } from '../../http/route.ts';
import { MANIFEST, NOTARIZE_ONLY_MANIFEST, RECORD_TYPE, pageExample } from '../examples.ts';
import { stepsTo } from '../guidance.ts';
import { presentPage } from '../page.ts';
import type { RestUseCases } from '../use-cases.ts';
import { GUIDANCE, JsonObjectSchema, Sha256, SignedStatementSchema, Timestamp, Uuid, nullable, oneOf, orNull, pageOf } from '../wire.ts';
import { presentSignedStatement } from './record-presenter.ts';

/** Record types: registered once for a publisher, type and version, and never changed. */
export const schemaRoutes = (useCases: RestUseCases): readonly Route[] => [
  route({
    method: 'POST',
    path: '/v1/schemas',
    operationId: 'registerSchema',
    summary: 'Register a record type',
    description: 'The body is the manifest itself. The same manifest again answers 200 with the stored row and writes nothing.',
    tag: 'Schemas',
    access: { scope: 'schemas:admin' },
    query: Type.Object({ orgId: Type.Optional({ ...Uuid, description: 'The org that the type is for; a platform key must name it' }) }),
    body: ManifestBody,
    examples: { gated: MANIFEST, notarizeOnly: NOTARIZE_ONLY_MANIFEST },
    answers: {
      201: { description: 'Registered, and sealed on the schema chain of the org', schema: RecordTypeSchema, example: RECORD_TYPE, headers: { Location: 'Path of this version' } },
      200: { description: 'This very manifest was registered before', schema: RecordTypeSchema, example: { ...RECORD_TYPE, signedStatement: null } },
    },
    problems: ['UNPROCESSABLE', 'CONFLICTING_VERSION', 'RESERVED_PUBLISHER_LABEL', 'ORG_REQUIRED', 'NOT_FOUND'],
    execute: (context, { body, query }) => useCases.registerType.execute(context, { manifest: body, orgId: query.orgId }),
    present: ({ recordType, created, signedStatement }: RegisteredType, view) => ({
      status: created ? 201 : 200,
      ...(created ? { headers: { Location: schemaHref(recordType) } } : {}),
      body: { ...presentType(recordType), signedStatement: presentSignedStatement(signedStatement), ...guidance(recordType, view) },
    }),
  }),
  route({
    method: 'GET',
    path: '/v1/schemas',
    operationId: 'listSchemas',
    summary: 'List record types, newest first',
    tag: 'Schemas',
    access: { scope: 'schemas:read' },
    query: Type.Object({ type: Type.Optional(TypeName), publisher: Type.Optional(Publisher), status: Type.Optional(oneOf(['active', 'disabled'])), orgId: Type.Optional(Uuid) }),
    paged: true,
    answers: { 200: { description: 'A page of record types', schema: pageOf(RecordTypeSchema), example: pageExample({ ...RECORD_TYPE, signedStatement: null }) } },
    execute: (context, { query, slice }) => useCases.listTypes.execute(context, { filter: query, slice }),
    present: (slice, view) => presentPage(slice, view, (row: RecordType) => ({ ...presentType(row), signedStatement: null, ...guidance(row, view) })),
  }),
  route({
    method: 'GET',
    path: '/v1/schemas/{type}',
    operationId: 'getSchema',
    summary: 'Read a record type: its newest active version, or the one that version names',
    tag: 'Schemas',
    access: { scope: 'schemas:read' },
    params: Type.Object({ type: TypeName }),
    query: Type.Object({ version: Type.Optional(Type.Integer({ minimum: 1 })), publisher: Type.Optional(Publisher), orgId: Type.Optional(Uuid) }),
    answers: { 200: { description: 'The record type', schema: RecordTypeSchema, example: { ...RECORD_TYPE, signedStatement: null } } },
    problems: ['AMBIGUOUS_PUBLISHER', 'ORG_REQUIRED'],
    execute: (context, { params, query }) => useCases.getType.execute(context, { type: params.type, ...query }),
    present: (recordType, view) => ({ status: 200, body: { ...presentType(recordType), signedStatement: null, ...guidance(recordType, view) } }),
  }),
];

const TypeName = Type.String({ pattern: TYPE_NAME_PATTERN, maxLength: MAX_TYPE_NAME });
const Publisher = Type.String({ pattern: TYPE_NAME_PATTERN, maxLength: MAX_PUBLISHER_LABEL });
const Seconds = Type.Integer({ minimum: 1, maximum: 3_155_760_000 });

const Cascade = Type.Object({ rule: oneOf(['none', 'all-fulfilled', 'any-fulfilled', 'quorum']), quorum: Type.Optional(Type.Integer({ minimum: 1 })) }, { additionalProperties: false });

const MANIFEST_MEMBERS = {
  type: TypeName,
  publisher: Type.Optional({ ...Publisher, description: 'Default: the slug of the org' }),
  version: Type.Optional(Type.Integer({ minimum: 1, description: 'Default: the newest one and 1' })),
  title: Type.Optional(nullable(Type.String({ maxLength: 256 }))),
  description: Type.Optional(nullable(Type.String({ maxLength: 4096 }))),
  criteriaSchema: Type.Optional({ ...JsonObjectSchema, description: 'JSON Schema 2020-12; default {"type":"object"}' }),
  completionSchema: { ...JsonObjectSchema, description: 'JSON Schema 2020-12; {} makes the type notarize-only' },
  gateMode: Type.Optional(oneOf(['auto', 'principal'])),
  operatingMode: Type.Optional(oneOf(['cleartext', 'encrypted'])),
  gates: Type.Optional(
    Type.Array(
      Type.Object(
        {
          id: Type.String({ minLength: 1, maxLength: 64 }),
          description: Type.Optional(Type.String({ maxLength: 1024 })),
          expression: Type.String({ minLength: 1, description: 'CEL over criteria, evidence, record, completion, children, dispute, now' }),
          severity: Type.Optional(oneOf(['block', 'warn'])),
        },
        { additionalProperties: false },
      ),
    ),
  ),
  cascade: Type.Optional(Cascade),
  compatibilityMode: Type.Optional(oneOf(['none', 'backward', 'forward', 'full'])),
  maxDelegationDepth: Type.Optional(Type.Integer({ minimum: 0, maximum: 10 })),
  maxDisputes: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
  maxRevisions: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000 })),
  defaultTtlSeconds: Type.Optional(nullable(Seconds)),
  verdictWindowSeconds: Type.Optional(Seconds),
  disputeWindowSeconds: Type.Optional(Seconds),
  evidenceWindowSeconds: Type.Optional(Seconds),
  public: Type.Optional(Type.Boolean()),
  exampleCriteria: Type.Optional(orNull(JsonObjectSchema)),
  exampleEvidence: Type.Optional(orNull(JsonObjectSchema)),
};

export const ManifestBody = Type.Object(MANIFEST_MEMBERS, { additionalProperties: false });

export const RecordTypeSchema = Type.Object(
  {
    ...MANIFEST_MEMBERS,
    manifestDigest: Sha256,
    status: oneOf(['active', 'disabled']),
    orgId: Uuid,
    registeredBy: nullable(Uuid),
    registeredAt: Timestamp,
    schemaUrls: Type.Object({ manifest: Type.String({ description: 'Path of this version' }) }),
    signedStatement: orNull(SignedStatementSchema),
    ...GUIDANCE,
  },
  { description: 'A record type: its manifest with every default filled in, and what the service adds' },
);

const presentType = (row: RecordType): object => ({
  ...row.manifest,
  manifestDigest: row.manifestDigest,
  status: row.status,
  orgId: row.orgId,
  registeredBy: row.registeredBy,
  registeredAt: row.registeredAt,
  schemaUrls: { manifest: schemaHref(row) },
});

const guidance = (row: RecordType, view: View): object => ({
  suggestion: row.status === 'active' ? 'Create a record of this type.' : 'The type is disabled and takes no new records.',
  nextSteps: row.status === 'active' ? stepsTo(view, ['create', 'createRecord', 'Create a record of this type'], ['list', 'listSchemas', 'List the record types of the org']) : stepsTo(view, ['list', 'listSchemas', 'List the record types of the org']),
});
