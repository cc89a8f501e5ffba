import { schemaHref } from '../../http/schema-href.ts';
import { Type } from 'typebox';
import type { RegisteredType } from '../../../application/record-type/register-type.ts';
import type { RecordType } from '../../../domain/record-type/manifest.ts';
import { route, type Route } from '../../http/route.ts';
import { MANIFEST, NOTARIZE_ONLY_MANIFEST, RECORD_TYPE, pageExample } from '../examples.ts';
import { presentPage } from '../page.ts';
import type { RestUseCases } from '../use-cases.ts';
import { Uuid, oneOf, pageOf } from '../wire.ts';
import { presentSignedStatement } from './record-presenter.ts';
import {
  ManifestBody,
  Publisher,
  RecordTypeSchema,
  TypeName,
  presentType,
  typeGuidance,
} from './record-type-presenter.ts';

/** Record types: registered once for a publisher, type and version, and never changed. */
export const schemaRoutes = (useCases: RestUseCases): readonly Route[] => [
  route({
    method: 'POST',
    path: '/v1/schemas',
    operationId: 'registerSchema',
    summary: 'Register a record type',
    description:
      'The body is the manifest itself. The same manifest again answers 200 with the stored row and writes nothing.',
    tag: 'Schemas',
    access: { scope: 'schemas:admin' },
    query: Type.Object({
      orgId: Type.Optional({
        ...Uuid,
        description: 'The org that the type is for; a platform key must name it',
      }),
    }),
    body: ManifestBody,
    examples: { gated: MANIFEST, notarizeOnly: NOTARIZE_ONLY_MANIFEST },
    answers: {
      201: {
        description: 'Registered, and sealed on the schema chain of the org',
        schema: RecordTypeSchema,
        example: RECORD_TYPE,
        headers: { Location: 'Path of this version' },
      },
      200: {
        description: 'This very manifest was registered before',
        schema: RecordTypeSchema,
        example: { ...RECORD_TYPE, signedStatement: null },
      },
    },
    problems: [
      'UNPROCESSABLE',
      'CONFLICTING_VERSION',
      'RESERVED_PUBLISHER_LABEL',
      'ORG_REQUIRED',
      'NOT_FOUND',
    ],
    execute: (context, { body, query }) =>
      useCases.registerType.execute(context, { manifest: body, orgId: query.orgId }),
    present: ({ recordType, created, signedStatement }: RegisteredType, view) => ({
      status: created ? 201 : 200,
      ...(created ? { headers: { Location: schemaHref(recordType) } } : {}),
      body: {
        ...presentType(recordType),
        signedStatement: presentSignedStatement(signedStatement),
        ...typeGuidance(recordType, view),
      },
    }),
  }),
  route({
    method: 'GET',
    path: '/v1/schemas',
    operationId: 'listSchemas',
    summary: 'List record types, newest first',
    tag: 'Schemas',
    access: { scope: 'schemas:read' },
    query: Type.Object({
      type: Type.Optional(TypeName),
      publisher: Type.Optional(Publisher),
      status: Type.Optional(oneOf(['active', 'disabled'])),
      orgId: Type.Optional(Uuid),
    }),
    paged: true,
    answers: {
      200: {
        description: 'A page of record types',
        schema: pageOf(RecordTypeSchema),
        example: pageExample({ ...RECORD_TYPE, signedStatement: null }),
      },
    },
    execute: (context, { query, slice }) =>
      useCases.listTypes.execute(context, { filter: query, slice }),
    present: (slice, view) =>
      presentPage(slice, view, (row: RecordType) => ({
        ...presentType(row),
        signedStatement: null,
        ...typeGuidance(row, view),
      })),
  }),
  route({
    method: 'GET',
    path: '/v1/schemas/{type}',
    operationId: 'getSchema',
    summary: 'Read a record type: its newest active version, or the one that version names',
    tag: 'Schemas',
    access: { scope: 'schemas:read' },
    params: Type.Object({ type: TypeName }),
    query: Type.Object({
      version: Type.Optional(Type.Integer({ minimum: 1 })),
      publisher: Type.Optional(Publisher),
      orgId: Type.Optional(Uuid),
    }),
    answers: {
      200: {
        description: 'The record type',
        schema: RecordTypeSchema,
        example: { ...RECORD_TYPE, signedStatement: null },
      },
    },
    problems: ['AMBIGUOUS_PUBLISHER', 'ORG_REQUIRED'],
    execute: (context, { params, query }) =>
      useCases.getType.execute(context, { type: params.type, ...query }),
    present: (recordType, view) => ({
      status: 200,
      body: {
        ...presentType(recordType),
        signedStatement: null,
        ...typeGuidance(recordType, view),
      },
    }),
  }),
];
