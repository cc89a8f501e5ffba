import { Type } from 'typebox';
import { MAX_BUNDLED } from '../../domain/record-type/schema-bundle.ts';
import { pageExample } from '../call/example-story.ts';
import { listing, operation, type Target } from '../call/operation.ts';
import { pageView } from '../call/page-view.ts';
import { PAGE_INPUT, Uuid, oneOf, pageOf } from '../call/schemas.ts';
import { ChangeTypeStatus } from './change-type-status.ts';
import { ChangedVersionsSchema, changedVersionsView } from './changed-versions-view.ts';
import { DeleteType } from './delete-type.ts';
import { DeletedVersionsSchema, deletedVersionsView } from './deleted-versions-view.ts';
import {
  CHANGED_VERSIONS,
  DELETED_VERSIONS,
  IMPORTED_TYPES,
  MANIFEST,
  NOTARIZE_ONLY_MANIFEST,
  RECORD_TYPE,
  SCHEMA_BUNDLE,
  STORED_TYPE,
} from './examples.ts';
import { ExportTypes } from './export-types.ts';
import { GetType } from './get-type.ts';
import { ImportTypes } from './import-types.ts';
import { ImportedTypesSchema, importedTypesView } from './imported-types-view.ts';
import { ListTypes } from './list-types.ts';
import { ListVersions } from './list-versions.ts';
import { MANIFEST_MEMBERS, Publisher, TypeName } from './manifest-schema.ts';
import { RecordTypeSchema, recordTypeView } from './record-type-view.ts';
import { RegisterType } from './register-type.ts';
import { SchemaBundleSchema, schemaBundleView } from './schema-bundle-view.ts';
import { ONE_VERSION, OwnerOrg, VERSIONS } from './version-input.ts';

const closed = { additionalProperties: false } as const;

const targetOf = ({ type }: { readonly type?: unknown }): Target | null =>
  typeof type === 'string' ? { kind: 'record-type', id: type } : null;

export const registerSchema = operation({
  id: 'registerSchema',
  words: {
    summary: 'Register a record type',
    description:
      'The body is the manifest itself. The same manifest again answers 200 with the stored row and writes nothing.',
    group: 'Schemas',
  },
  effect: 'write',
  access: () => ({ scope: 'schemas:admin' }),
  input: Type.Object(
    {
      ...MANIFEST_MEMBERS,
      orgId: Type.Optional({
        ...Uuid,
        description: 'The org that the type is for; a platform key must name it',
      }),
    },
    closed,
  ),
  examples: { gated: MANIFEST, notarizeOnly: NOTARIZE_ONLY_MANIFEST },
  output: RecordTypeSchema,
  result: {
    description: 'Registered, and sealed on the schema chain of the org',
    example: RECORD_TYPE,
    found: { description: 'This very manifest was registered before', example: RECORD_TYPE },
  },
  problems: [
    'UNPROCESSABLE',
    'CONFLICTING_VERSION',
    'RESERVED_PUBLISHER_LABEL',
    'ORG_REQUIRED',
    'NOT_FOUND',
    'PROVISIONING_MANAGED',
  ],
  useCase: RegisterType,
  view: (registered, guide) => ({
    view: recordTypeView(registered, registered.signedStatement, guide),
    isNew: registered.created,
  }),
});

export const listSchemas = listing({
  id: 'listSchemas',
  words: { summary: 'List record types, newest first', group: 'Schemas' },
  access: () => ({ scope: 'schemas:read' }),
  input: Type.Object(
    {
      type: Type.Optional({ ...TypeName, description: 'Of this name' }),
      publisher: Type.Optional({ ...Publisher, description: 'Of this publisher' }),
      status: Type.Optional(oneOf(['active', 'disabled'], 'Of this status')),
      orgId: Type.Optional(OwnerOrg),
      ...PAGE_INPUT,
    },
    closed,
  ),
  output: pageOf(RecordTypeSchema),
  result: { description: 'A page of record types', example: pageExample(STORED_TYPE) },
  problems: ['NOT_FOUND'],
  useCase: ListTypes,
  concerns: ({ rows }) => ({ orgs: rows.map(({ recordType }) => recordType.orgId) }),
  view: (slice, guide) => pageView(slice, guide, (row) => recordTypeView(row, null, guide)),
});

export const getSchema = operation({
  id: 'getSchema',
  words: {
    summary: 'Read a record type: its newest active version, or the one that version names',
    group: 'Schemas',
  },
  effect: 'read',
  access: () => ({ scope: 'schemas:read' }),
  input: Type.Object(ONE_VERSION, closed),
  output: RecordTypeSchema,
  result: { description: 'The record type', example: RECORD_TYPE },
  problems: ['AMBIGUOUS_PUBLISHER', 'ORG_REQUIRED'],
  target: targetOf,
  useCase: GetType,
  concerns: ({ recordType }) => ({ orgs: [recordType.orgId] }),
  view: (read, guide) => ({
    view: recordTypeView(read, read.signedStatement, guide),
  }),
});

export const listSchemaVersions = listing({
  id: 'listSchemaVersions',
  words: {
    summary: 'List every version of a record type, newest registration first',
    group: 'Schemas',
  },
  access: () => ({ scope: 'schemas:read' }),
  input: Type.Object(
    {
      type: TypeName,
      publisher: Type.Optional({ ...Publisher, description: 'Of this publisher' }),
      orgId: Type.Optional(OwnerOrg),
      ...PAGE_INPUT,
    },
    closed,
  ),
  output: pageOf(RecordTypeSchema),
  result: {
    description: 'A page of versions, disabled ones too',
    example: pageExample(STORED_TYPE),
  },
  problems: ['ORG_REQUIRED'],
  target: targetOf,
  useCase: ListVersions,
  concerns: ({ rows }) => ({ orgs: rows.map(({ recordType }) => recordType.orgId) }),
  view: (slice, guide) => pageView(slice, guide, (row) => recordTypeView(row, null, guide)),
});

export const updateSchema = operation({
  id: 'updateSchema',
  words: {
    summary: 'Disable versions of a record type, or enable them again',
    description:
      'A disabled version takes no new records; those that pin it go on. Without the query version, all versions of the publisher. Every version that changes is an entry of the schema chain; one that has the status already is not.',
    group: 'Schemas',
  },
  effect: 'write',
  access: () => ({ scope: 'schemas:admin' }),
  input: Type.Object({ ...VERSIONS, status: oneOf(['active', 'disabled']) }, closed),
  examples: { disable: { type: 'report.weekly', status: 'disabled' } },
  output: ChangedVersionsSchema,
  result: {
    description: 'The newest of the versions that were meant, and what became of each',
    example: CHANGED_VERSIONS,
  },
  problems: ['AMBIGUOUS_PUBLISHER', 'ORG_REQUIRED', 'CONFLICT', 'PROVISIONING_MANAGED'],
  target: targetOf,
  useCase: ChangeTypeStatus,
  view: (changed, guide) => ({ view: changedVersionsView(changed, guide) }),
});

export const deleteSchema = operation({
  id: 'deleteSchema',
  words: {
    summary: 'Delete disabled versions of a record type that no record pins',
    description:
      'Without the query version, all versions of the publisher. What was sealed about them stays on the schema chain. Where the type was disabled a moment ago, the answer waits until every process has heard of it: two seconds at most.',
    group: 'Schemas',
  },
  effect: 'write',
  access: () => ({ scope: 'schemas:admin' }),
  input: Type.Object(VERSIONS, closed),
  output: DeletedVersionsSchema,
  result: { description: 'Gone', example: DELETED_VERSIONS },
  problems: [
    'STATUS_NOT_DISABLED',
    'RECORDS_REFERENCE_TYPE',
    'AMBIGUOUS_PUBLISHER',
    'ORG_REQUIRED',
    'CONFLICT',
    'PROVISIONING_MANAGED',
  ],
  target: targetOf,
  useCase: DeleteType,
  view: (deleted, guide) => ({ view: deletedVersionsView(deleted, guide) }),
});

export const exportSchemas = operation({
  id: 'exportSchemas',
  words: {
    summary: 'Export record types as one signed document',
    description: `At most ${MAX_BUNDLED} manifests, disabled ones too; name a type or a publisher to export in parts.`,
    group: 'Schemas',
  },
  effect: 'read',
  access: () => ({ scope: 'schemas:read' }),
  input: Type.Object(
    {
      type: Type.Optional({ ...TypeName, description: 'Of this name' }),
      publisher: Type.Optional({ ...Publisher, description: 'Of this publisher' }),
      orgId: Type.Optional(OwnerOrg),
    },
    closed,
  ),
  output: SchemaBundleSchema,
  result: { description: 'The bundle', example: SCHEMA_BUNDLE },
  problems: ['NOT_FOUND', 'ORG_REQUIRED', 'UNPROCESSABLE', 'CONFLICT'],
  useCase: ExportTypes,
  concerns: ({ orgId }) => ({ orgs: [orgId] }),
  view: (bundle) => ({ view: schemaBundleView(bundle) }),
});

export const importSchemas = operation({
  id: 'importSchemas',
  words: {
    summary: 'Import a bundle of record types, all or none',
    description:
      'The manifests keep their publisher, byte for byte. Where one of them stands against another manifest of the same publisher, type and version, all are refused, and errors lists those that are in the way.',
    group: 'Schemas',
  },
  effect: 'write',
  access: () => ({ scope: 'schemas:admin' }),
  input: Type.Object(
    {
      ...SchemaBundleSchema.properties,
      targetOrgId: Type.Optional({
        ...Uuid,
        description: 'The org that takes them; a platform key must name it',
      }),
    },
    closed,
  ),
  examples: { bundle: SCHEMA_BUNDLE },
  output: ImportedTypesSchema,
  result: { description: 'What was taken', example: IMPORTED_TYPES },
  problems: [
    'SCHEMA_DIGEST_MISMATCH',
    'UNPROCESSABLE',
    'CONFLICTING_VERSION',
    'ORG_REQUIRED',
    'NOT_FOUND',
    'PROVISIONING_MANAGED',
  ],
  useCase: ImportTypes,
  view: (imported, guide) => ({ view: importedTypesView(imported, guide) }),
});
