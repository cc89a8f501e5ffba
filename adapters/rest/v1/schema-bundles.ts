import { Type } from 'typebox';
import type { ImportedTypes } from '../../../application/record-type/import-types.ts';
import { NotaryError } from '../../../domain/kernel/errors.ts';
import type { Manifest, RecordType } from '../../../domain/record-type/manifest.ts';
import {
  BUNDLE_FORMAT_VERSION,
  MAX_BUNDLED,
  type SchemaBundle,
} from '../../../domain/record-type/schema-bundle.ts';
import { decodeBase64Strict } from '../../../domain/kernel/base64.ts';
import { route, type Route } from '../../http/route.ts';
import { RECORD_TYPE, SIGNED_STATEMENT } from '../examples.ts';
import { stepsTo } from '../guidance.ts';
import type { RestUseCases } from '../use-cases.ts';
import {
  Base64,
  GUIDANCE,
  Sha256,
  SignedStatementSchema,
  Timestamp,
  Uuid,
  oneOf,
  orNull,
} from '../wire.ts';
import { presentSignedStatement } from './record-presenter.ts';
import { MANIFEST_MEMBERS, Publisher, TypeName } from './record-type-presenter.ts';

/** Record types from one org to another. */
export const schemaBundleRoutes = (useCases: RestUseCases): readonly Route[] => [
  route({
    method: 'GET',
    path: '/v1/schemas/export',
    operationId: 'exportSchemas',
    summary: 'Export record types as one signed document',
    description: `At most ${MAX_BUNDLED} manifests, disabled ones too; name a type or a publisher to export in parts.`,
    tag: 'Schemas',
    access: { scope: 'schemas:read' },
    query: Type.Object({
      type: Type.Optional(TypeName),
      publisher: Type.Optional(Publisher),
      orgId: Type.Optional(Uuid),
    }),
    answers: { 200: { description: 'The bundle', schema: BundleSchema, example: BUNDLE } },
    problems: ['ORG_REQUIRED', 'UNPROCESSABLE', 'CONFLICT'],
    execute: (context, { query }) => useCases.exportTypes.execute(context, query),
    present: (bundle) => ({
      status: 200,
      body: { ...bundle, coseSign1: Buffer.from(bundle.coseSign1).toString('base64') },
    }),
  }),
  route({
    method: 'POST',
    path: '/v1/schemas/import',
    operationId: 'importSchemas',
    summary: 'Import a bundle of record types, all or none',
    description:
      'The manifests keep their publisher, byte for byte. Where one of them stands against another manifest of the same publisher, type and version, all are refused, and errors lists those that are in the way.',
    tag: 'Schemas',
    access: { scope: 'schemas:admin' },
    query: Type.Object({
      orgId: Type.Optional({
        ...Uuid,
        description: 'The org that takes them; a platform key must name it',
      }),
    }),
    body: BundleSchema,
    examples: { bundle: BUNDLE },
    answers: { 200: { description: 'What was taken', schema: ImportedSchema, example: IMPORTED } },
    problems: [
      'SCHEMA_DIGEST_MISMATCH',
      'UNPROCESSABLE',
      'CONFLICTING_VERSION',
      'ORG_REQUIRED',
      'NOT_FOUND',
    ],
    execute: (context, { body, query }) =>
      useCases.importTypes.execute(context, {
        bundle: bundleOf(body),
        ...(query.orgId === undefined ? {} : { orgId: query.orgId }),
      }),
    present: (imported, view) => ({
      status: 200,
      body: {
        ...presentImported(imported),
        suggestion:
          imported.created.length > 0
            ? 'Create records of these types; where another publisher offers the same type, name the publisher.'
            : 'The org held all of them already.',
        nextSteps: stepsTo(
          view,
          ['list', 'listSchemas', 'List the record types of the org'],
          ['create', 'createRecord', 'Create a record'],
        ),
      },
    }),
  }),
];

const Version = Type.Integer({ minimum: 1 });
const BundleSchema = Type.Object(
  {
    formatVersion: Type.String({ maxLength: 16, description: BUNDLE_FORMAT_VERSION }),
    exportedAt: Timestamp,
    orgId: { ...Uuid, description: 'The org that it was exported from' },
    manifests: Type.Array(
      Type.Object(
        {
          manifest: Type.Object(
            { ...MANIFEST_MEMBERS, publisher: Publisher, version: Version },
            { additionalProperties: false, description: 'Complete, with every default filled in' },
          ),
          manifestDigest: {
            ...Sha256,
            description: 'SHA-256 of the RFC 8785 form of the manifest',
          },
        },
        { additionalProperties: false },
      ),
      { maxItems: MAX_BUNDLED },
    ),
    coseSign1: {
      ...Base64,
      description:
        'COSE_Sign1 of the type schema-bundle over a statement that holds one digest of all manifests',
    },
  },
  { additionalProperties: false },
);

const ImportedVersion = {
  publisher: Type.String(),
  type: Type.String(),
  version: Version,
  manifestDigest: Sha256,
  status: oneOf(['active', 'disabled']),
};
const ImportedSchema = Type.Object({
  created: Type.Array(Type.Object({ ...ImportedVersion, signedStatement: SignedStatementSchema })),
  unchanged: Type.Array(
    Type.Object({ ...ImportedVersion, signedStatement: orNull(SignedStatementSchema) }),
    { description: 'Held already; signedStatement is null' },
  ),
  refused: Type.Array(Type.Object(ImportedVersion), {
    description: 'Always empty in this answer: where one is refused, all are',
  }),
  ...GUIDANCE,
});

const {
  manifestDigest,
  status: _status,
  orgId,
  registeredBy: _by,
  registeredAt,
  schemaUrls: _urls,
  signedStatement: _seal,
  suggestion: _suggestion,
  nextSteps: _steps,
  ...manifest
} = RECORD_TYPE;
const BUNDLE = {
  formatVersion: BUNDLE_FORMAT_VERSION,
  exportedAt: registeredAt,
  orgId,
  manifests: [{ manifest, manifestDigest }],
  coseSign1: SIGNED_STATEMENT.coseSign1,
};
const IMPORTED = {
  created: [
    {
      publisher: 'acme',
      type: 'report.weekly',
      version: 1,
      manifestDigest,
      status: 'active',
      signedStatement: {
        ...SIGNED_STATEMENT,
        chainKey: RECORD_TYPE.signedStatement.chainKey,
        entryType: 'SCHEMA_IMPORTED',
      },
    },
  ],
  unchanged: [],
  refused: [],
  suggestion:
    'Create records of these types; where another publisher offers the same type, name the publisher.',
  nextSteps: [
    {
      action: 'list',
      method: 'GET',
      href: '/v1/schemas',
      description: 'List the record types of the org',
    },
  ],
};

/** The shape was checked; a manifest that leaves a default out has another digest and is refused for that. */
const bundleOf = (body: {
  readonly formatVersion: string;
  readonly exportedAt: string;
  readonly orgId: string;
  readonly manifests: readonly { readonly manifest: object; readonly manifestDigest: string }[];
  readonly coseSign1: string;
}): SchemaBundle => {
  const coseSign1 = decodeBase64Strict(body.coseSign1);
  if (!coseSign1)
    throw new NotaryError(
      'VALIDATION_ERROR',
      'The body is not valid: /coseSign1 is not canonical base64.',
      {
        errors: [
          { path: '/coseSign1', keyword: 'contentEncoding', message: 'is not canonical base64' },
        ],
      },
    );
  return {
    ...body,
    manifests: body.manifests as readonly {
      readonly manifest: Manifest;
      readonly manifestDigest: string;
    }[],
    coseSign1,
  };
};

const presentVersion = ({
  publisher,
  type,
  version,
  manifestDigest: digest,
  status,
}: RecordType): object => ({ publisher, type, version, manifestDigest: digest, status });

const presentImported = ({ created, unchanged }: ImportedTypes): object => ({
  created: created.map(({ recordType, signedStatement }) => ({
    ...presentVersion(recordType),
    signedStatement: presentSignedStatement(signedStatement),
  })),
  unchanged: unchanged.map((row) => ({ ...presentVersion(row), signedStatement: null })),
  refused: [],
});
