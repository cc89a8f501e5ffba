import { Type } from 'typebox';
import type { CreateRecordInput } from '../../../application/record/create-record.ts';
import type { RecordResult } from '../../../application/record/results.ts';
import { NotaryError } from '../../../domain/kernel/errors.ts';
import { STATUSES } from '../../../domain/record/record-status.ts';
import { route, type Route } from '../../http/route.ts';
import { compileCheck } from '../../http/validation.ts';
import {
  AUDIT_EXPORT,
  CREATE_GATED,
  CREATE_NOTARIZED,
  IDS,
  RECORD,
  pageExample,
} from '../examples.ts';
import { presentPage } from '../page.ts';
import type { RestUseCases } from '../use-cases.ts';
import { Timestamp, Uuid, instant, oneOf, withInstants } from '../wire.ts';
import {
  bulkAnswer,
  createdRecordAnswer,
  presentRecord,
  recordAnswer,
} from './record-presenter.ts';
import {
  AuditExportSchema,
  BulkAnswer,
  BulkBody,
  CreateRecordBody,
  RecordPage,
  RecordPath,
  RecordSchema,
} from './record-schemas.ts';

const ETAG = { ETag: 'The version of the record; send it as If-Match with what changes it' };

/** Opening, reading and exporting records. What is done with one stands in `record-actions.ts`. */
export const recordRoutes = (useCases: RestUseCases): readonly Route[] => [
  route({
    method: 'POST',
    path: '/v1/records',
    operationId: 'createRecord',
    summary: 'Create a record: notarize an action, or open a gated one',
    description:
      'A notarize-only type (its completionSchema is {}) is sealed at once and ends RECORDED. A gated one opens CREATED, PROPOSED where a counterparty is named, or ACTIVE with autoActivate.',
    tag: 'Records',
    access: { scope: 'records:write' },
    limit: 'records-create',
    body: CreateRecordBody,
    examples: { notarize: CREATE_NOTARIZED, gated: CREATE_GATED },
    answers: {
      201: {
        description: 'The record, sealed and durable',
        schema: RecordSchema,
        example: RECORD,
        headers: { Location: 'Path of the record', ...ETAG },
      },
    },
    problems: [
      'UNPROCESSABLE',
      'SCHEMA_VALIDATION_ERROR',
      'AMBIGUOUS_PUBLISHER',
      'UNPROCESSABLE_STATE',
      'FORBIDDEN',
      'CHAIN_REWIND_DETECTED',
    ],
    execute: (context, { body }) => useCases.createRecord.execute(context, createInput(body)),
    present: createdRecordAnswer,
  }),
  route({
    method: 'POST',
    path: '/v1/records/bulk',
    operationId: 'createRecordsBulk',
    summary: 'Create up to 100 records, each on its own',
    description:
      'The body is a bare array of creation bodies. Each item is a transaction of its own and counts as one request; one that fails harms no other, and the answer is 207 even where all fail.',
    tag: 'Records',
    access: { scope: 'records:write' },
    limit: 'records-create',
    body: BulkBody,
    cost: (body) => (body as readonly unknown[]).length,
    examples: { two: [CREATE_NOTARIZED, CREATE_GATED] },
    answers: {
      207: {
        description: 'One outcome an item, in the order of the input',
        schema: BulkAnswer,
        example: {
          data: [{ index: 0, status: 201, record: RECORD }],
          total: 1,
          succeeded: 1,
          failed: 0,
        },
      },
    },
    execute: (context, { body }) =>
      useCases.createRecordsBulk.execute(context, { items: body.map(bulkItem) }),
    present: bulkAnswer,
  }),
  route({
    method: 'GET',
    path: '/v1/records',
    operationId: 'listRecords',
    summary: 'List records, newest first',
    tag: 'Records',
    access: { scope: 'records:read' },
    query: ListQuery,
    paged: true,
    answers: {
      200: {
        description: 'A page of records; total is exact up to 10,000',
        schema: RecordPage,
        example: pageExample({ ...RECORD, signedStatement: null }),
      },
    },
    execute: (context, { query: { sort = '-createdAt', ...filter }, slice }) =>
      useCases.listRecords.execute(context, {
        filter: { ...withInstants(filter, INSTANTS), sort },
        slice,
      }),
    present: (slice, view) =>
      presentPage(slice, view, (row: RecordResult) => presentRecord(row, view)),
  }),
  route({
    method: 'GET',
    path: '/v1/records/{id}',
    operationId: 'getRecord',
    summary: 'Read a record, with what to do next',
    tag: 'Records',
    access: { scope: 'records:read' },
    params: RecordPath,
    answers: {
      200: { description: 'The record', schema: RecordSchema, example: RECORD, headers: ETAG },
    },
    execute: (context, { params }) => useCases.getRecord.execute(context, { recordId: params.id }),
    present: recordAnswer,
  }),
  route({
    method: 'GET',
    path: '/v1/records/{recordId}/audit-export',
    operationId: 'exportAudit',
    summary: 'Export the signed chain of a record for offline verification',
    description:
      'Closes with a checkpoint of the head, made for this export. With evidence=true the evidence stands at its COMPLETION_SUBMITTED entry.',
    tag: 'Audit',
    access: { scope: 'audit:read' },
    params: Type.Object({ recordId: Uuid }),
    query: Type.Object({
      evidence: Type.Optional(Type.Boolean({ default: false })),
      format: Type.Optional(oneOf(['json'])),
    }),
    answers: {
      200: { description: 'The export', schema: AuditExportSchema, example: AUDIT_EXPORT },
    },
    problems: ['CONFLICT', 'CHAIN_REWIND_DETECTED'],
    execute: (context, { params, query }) =>
      useCases.exportAudit.execute(context, {
        recordId: params.recordId,
        evidence: query.evidence ?? false,
      }),
    present: (body) => ({ status: 200, body }),
  }),
];

const ListQuery = Type.Object({
  status: Type.Optional(oneOf(STATUSES)),
  type: Type.Optional(Type.String({ minLength: 1, maxLength: 96 })),
  publisher: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  principalAgentId: Type.Optional(Uuid),
  performerAgentId: Type.Optional(Uuid),
  parentRecordId: Type.Optional(Uuid),
  rootRecordId: Type.Optional(Uuid),
  platform: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  platformRef: Type.Optional(Type.String({ maxLength: 256 })),
  disputed: Type.Optional(Type.Boolean()),
  createdFrom: Type.Optional({ ...Timestamp, description: 'Inclusive' }),
  createdTo: Type.Optional({ ...Timestamp, description: 'Exclusive' }),
  updatedFrom: Type.Optional({ ...Timestamp, description: 'Inclusive' }),
  updatedTo: Type.Optional({ ...Timestamp, description: 'Exclusive' }),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 256,
      description: 'Prefix of platformRef or of the id',
    }),
  ),
  sort: Type.Optional(
    oneOf(['createdAt', '-createdAt', 'updatedAt', '-updatedAt'], 'Default -createdAt'),
  ),
});

const INSTANTS = ['createdFrom', 'createdTo', 'updatedFrom', 'updatedTo'] as const;

const createInput = (body: CreateRecordInput): CreateRecordInput =>
  body.expiresAt === undefined ? body : { ...body, expiresAt: instant(body.expiresAt) };

const checkItem = compileCheck(CreateRecordBody, 'body', {
  examplePayload: { ...CREATE_GATED, performerAgentId: IDS.performer },
});

/** The item, or the refusal that it would have met on its own. */
const bulkItem = (item: unknown): CreateRecordInput | NotaryError => {
  try {
    return createInput(checkItem(item));
  } catch (error) {
    if (error instanceof NotaryError) return error;
    throw error;
  }
};
