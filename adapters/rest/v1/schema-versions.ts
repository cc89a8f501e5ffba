import { Type } from 'typebox';
import type { ChangedVersion } from '../../../application/record-type/change-type-status.ts';
import type { DeletedVersion } from '../../../application/record-type/delete-type.ts';
import type { RecordType } from '../../../domain/record-type/manifest.ts';
import { route, type Route } from '../../http/route.ts';
import { RECORD_TYPE, SIGNED_STATEMENT, pageExample } from '../examples.ts';
import { stepsTo } from '../guidance.ts';
import { presentPage } from '../page.ts';
import type { RestUseCases } from '../use-cases.ts';
import { GUIDANCE, SignedStatementSchema, Uuid, oneOf, orNull, pageOf } from '../wire.ts';
import { presentSignedStatement } from './record-presenter.ts';
import {
  Publisher,
  RecordTypeSchema,
  TypeName,
  presentType,
  typeGuidance,
} from './record-type-presenter.ts';

/** What becomes of the versions of a record type. */
export const schemaVersionRoutes = (useCases: RestUseCases): readonly Route[] => [
  route({
    method: 'GET',
    path: '/v1/schemas/{type}/versions',
    operationId: 'listSchemaVersions',
    summary: 'List every version of a record type, newest registration first',
    tag: 'Schemas',
    access: { scope: 'schemas:read' },
    params: Params,
    query: Type.Object({ publisher: Type.Optional(Publisher), orgId: Type.Optional(Uuid) }),
    paged: true,
    answers: {
      200: {
        description: 'A page of versions, disabled ones too',
        schema: pageOf(RecordTypeSchema),
        example: pageExample(STORED),
      },
    },
    problems: ['ORG_REQUIRED'],
    execute: (context, { params, query, slice }) =>
      useCases.listVersions.execute(context, { type: params.type, ...query, slice }),
    present: (slice, view) =>
      presentPage(slice, view, (row: RecordType) => ({
        ...presentType(row),
        signedStatement: null,
        ...typeGuidance(row, view),
      })),
  }),
  route({
    method: 'PATCH',
    path: '/v1/schemas/{type}',
    operationId: 'updateSchema',
    summary: 'Disable versions of a record type, or enable them again',
    description:
      'A disabled version takes no new records; those that pin it go on. Without the query version, all versions of the publisher. Every version that changes is an entry of the schema chain; one that has the status already is not.',
    tag: 'Schemas',
    access: { scope: 'schemas:admin' },
    params: Params,
    query: Named,
    body: Type.Object({ status: oneOf(['active', 'disabled']) }, { additionalProperties: false }),
    examples: { disable: { status: 'disabled' } },
    answers: {
      200: {
        description: 'The newest of the versions that were meant, and what became of each',
        schema: ChangedSchema,
        example: CHANGED,
      },
    },
    problems: ['AMBIGUOUS_PUBLISHER', 'ORG_REQUIRED', 'CONFLICT'],
    execute: (context, { params, query, body }) =>
      useCases.changeTypeStatus.execute(context, { type: params.type, ...query, ...body }),
    present: (changed: readonly ChangedVersion[], view) => {
      const [newest] = changed as readonly [ChangedVersion, ...ChangedVersion[]];
      const versions = changed.map(({ recordType, signedStatement }) => ({
        version: recordType.version,
        status: recordType.status,
        signedStatement: presentSignedStatement(signedStatement),
      }));
      return {
        status: 200,
        body: {
          ...presentType(newest.recordType),
          signedStatement: presentSignedStatement(newest.signedStatement),
          versions,
          ...typeGuidance(newest.recordType, view),
        },
      };
    },
  }),
  route({
    method: 'DELETE',
    path: '/v1/schemas/{type}',
    operationId: 'deleteSchema',
    summary: 'Delete disabled versions of a record type that no record pins',
    description:
      'Without the query version, all versions of the publisher. What was sealed about them stays on the schema chain. Where the type was disabled a moment ago, the answer waits until every process has heard of it: two seconds at most.',
    tag: 'Schemas',
    access: { scope: 'schemas:admin' },
    params: Params,
    query: Named,
    answers: { 200: { description: 'Gone', schema: DeletedSchema, example: DELETED } },
    problems: [
      'STATUS_NOT_DISABLED',
      'RECORDS_REFERENCE_TYPE',
      'AMBIGUOUS_PUBLISHER',
      'ORG_REQUIRED',
      'CONFLICT',
    ],
    execute: (context, { params, query }) =>
      useCases.deleteType.execute(context, { type: params.type, ...query }),
    present: (deleted: readonly DeletedVersion[], view) => {
      const [newest] = deleted as readonly [DeletedVersion, ...DeletedVersion[]];
      return {
        status: 200,
        body: {
          id: newest.recordType.type,
          deleted: true,
          publisher: newest.recordType.publisher,
          versions: deleted.map(({ recordType, signedStatement }) => ({
            version: recordType.version,
            signedStatement: presentSignedStatement(signedStatement),
          })),
          suggestion: 'The versions are gone; the schema chain keeps what was sealed about them.',
          nextSteps: stepsTo(
            view,
            ['list', 'listSchemas', 'List the record types of the org'],
            ['register', 'registerSchema', 'Register a record type'],
          ),
        },
      };
    },
  }),
];

const Params = Type.Object({ type: TypeName });
const Version = Type.Integer({ minimum: 1 });
const Named = Type.Object({
  publisher: Type.Optional({
    ...Publisher,
    description: 'Needed where several publishers offer the type',
  }),
  version: Type.Optional({ ...Version, description: 'Default: every version' }),
  orgId: Type.Optional(Uuid),
});

const ChangedSchema = Type.Object({
  ...RecordTypeSchema.properties,
  versions: Type.Array(
    Type.Object({
      version: Version,
      status: oneOf(['active', 'disabled']),
      signedStatement: orNull(SignedStatementSchema),
    }),
    { description: 'Newest first; signedStatement is null where nothing changed' },
  ),
});

const DeletedSchema = Type.Object({
  id: Type.String({ description: 'Name of the record type' }),
  deleted: Type.Literal(true),
  publisher: Type.String(),
  versions: Type.Array(Type.Object({ version: Version, signedStatement: SignedStatementSchema })),
  ...GUIDANCE,
});

const STORED = { ...RECORD_TYPE, signedStatement: null };
const sealed = (entryType: string, position: number): object => ({
  ...SIGNED_STATEMENT,
  chainKey: RECORD_TYPE.signedStatement.chainKey,
  position,
  entryType,
});
const CHANGED = {
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
      method: 'PATCH',
      href: '/v1/schemas/report.weekly',
      description: 'Enable it again: {"status": "active"}, with publisher and version as queries',
    },
  ],
};
const DELETED = {
  id: 'report.weekly',
  deleted: true,
  publisher: 'acme',
  versions: [{ version: 1, signedStatement: sealed('SCHEMA_DELETED', 3) }],
  suggestion: 'The versions are gone; the schema chain keeps what was sealed about them.',
  nextSteps: [
    {
      action: 'list',
      method: 'GET',
      href: '/v1/schemas',
      description: 'List the record types of the org',
    },
  ],
};
