import { Type } from 'typebox';
import type { RecordType } from '../../domain/record-type/manifest.ts';
import type { Guide } from '../call/guide.ts';
import { GUIDANCE, Sha256, SignedStatementSchema, oneOf, orNull } from '../call/schemas.ts';
import type { ViewOf } from '../call/view-of.ts';
import { signedStatementView } from '../sealing/signed-statement-view.ts';
import type { ImportedTypes } from './import-types.ts';
import { Version } from './manifest-schema.ts';

const ImportedVersionSchema = Type.Object({
  publisher: Type.String(),
  type: Type.String(),
  version: Version,
  manifestDigest: Sha256,
  status: oneOf(['active', 'disabled']),
});

export const ImportedTypesSchema = Type.Object({
  created: Type.Array(
    Type.Object({ ...ImportedVersionSchema.properties, signedStatement: SignedStatementSchema }),
  ),
  unchanged: Type.Array(
    Type.Object({
      ...ImportedVersionSchema.properties,
      signedStatement: orNull(SignedStatementSchema),
    }),
    { description: 'Held already; signedStatement is null' },
  ),
  refused: Type.Array(ImportedVersionSchema, {
    description: 'Always empty in this answer: where one is refused, all are',
  }),
  ...GUIDANCE,
});

export const importedTypesView = (
  { created, unchanged }: ImportedTypes,
  guide: Guide,
): ViewOf<typeof ImportedTypesSchema> => ({
  created: created.map(({ recordType, signedStatement }) => ({
    ...versionView(recordType),
    signedStatement: signedStatementView(signedStatement),
  })),
  unchanged: unchanged.map((row) => ({ ...versionView(row), signedStatement: null })),
  refused: [],
  suggestion:
    created.length > 0
      ? 'Create records of these types; where another publisher offers the same type, name the publisher.'
      : 'The org held all of them already.',
  nextSteps: guide.steps(
    {
      action: 'list',
      operation: 'listSchemas',
      input: {},
      description: 'List the record types of the org',
    },
    { action: 'create', operation: 'createRecord', input: {}, description: 'Create a record' },
  ),
});

const versionView = ({
  publisher,
  type,
  version,
  manifestDigest,
  status,
}: RecordType): ViewOf<typeof ImportedVersionSchema> => ({
  publisher,
  type,
  version,
  manifestDigest,
  status,
});
