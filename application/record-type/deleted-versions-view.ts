import { Type } from 'typebox';
import type { Guide } from '../call/guide.ts';
import { GUIDANCE, SignedStatementSchema } from '../call/schemas.ts';
import type { ViewOf } from '../call/view-of.ts';
import { signedStatementView } from '../sealing/signed-statement-view.ts';
import type { DeletedVersion } from './delete-type.ts';
import { Version } from './manifest-schema.ts';

export const DeletedVersionsSchema = Type.Object({
  id: Type.String({ description: 'Name of the record type' }),
  deleted: Type.Literal(true),
  publisher: Type.String(),
  versions: Type.Array(Type.Object({ version: Version, signedStatement: SignedStatementSchema })),
  ...GUIDANCE,
});

export const deletedVersionsView = (
  deleted: readonly DeletedVersion[],
  guide: Guide,
): ViewOf<typeof DeletedVersionsSchema> => {
  const newest = deleted[0]?.recordType;
  if (!newest) throw new TypeError('no version was deleted');
  return {
    id: newest.type,
    deleted: true,
    publisher: newest.publisher,
    versions: deleted.map(({ recordType: { version }, signedStatement }) => ({
      version,
      signedStatement: signedStatementView(signedStatement),
    })),
    suggestion: 'The versions are gone; the schema chain keeps what was sealed about them.',
    nextSteps: guide.steps(
      {
        action: 'list',
        operation: 'listSchemas',
        input: {},
        description: 'List the record types of the org',
      },
      {
        action: 'register',
        operation: 'registerSchema',
        input: {},
        description: 'Register a record type',
      },
    ),
  };
};
