import {
  deleteSchema,
  exportSchemas,
  getSchema,
  importSchemas,
  listSchemaVersions,
  listSchemas,
  registerSchema,
  updateSchema,
} from '../../../application/record-type/operations.ts';
import { validateContent } from '../../../application/record/content-operations.ts';
import { schemaHref } from '../../http/schema-href.ts';
import { bind, type RestBinding } from '../binding.ts';

/** Record types: registered once for a publisher, type and version, and never changed. */
export const schemaBindings: readonly RestBinding[] = [
  bind(registerSchema, {
    method: 'POST',
    path: '/v1/schemas',
    query: ['orgId'],
    status: 201,
    location: ({ schemaUrls }) => schemaHref(schemaUrls),
    locationWords: 'Path of this version',
  }),
  bind(listSchemas, { method: 'GET', path: '/v1/schemas' }),
  bind(getSchema, { method: 'GET', path: '/v1/schemas/{type}' }),
  bind(listSchemaVersions, { method: 'GET', path: '/v1/schemas/{type}/versions' }),
  bind(updateSchema, {
    method: 'PATCH',
    path: '/v1/schemas/{type}',
    query: ['publisher', 'version', 'orgId'],
    namesAction: true,
  }),
  bind(deleteSchema, { method: 'DELETE', path: '/v1/schemas/{type}' }),
  bind(validateContent, {
    method: 'POST',
    path: '/v1/schemas/{type}/validate',
    query: ['version', 'publisher', 'orgId'],
    whole: 'content',
    needsBody: true,
  }),
  bind(exportSchemas, { method: 'GET', path: '/v1/schemas/export' }),
  bind(importSchemas, {
    method: 'POST',
    path: '/v1/schemas/import',
    names: { orgId: 'targetOrgId' },
    query: ['targetOrgId'],
  }),
];
