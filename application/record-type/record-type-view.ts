import { Type } from 'typebox';
import type { RecordType } from '../../domain/record-type/manifest.ts';
import type { Guide } from '../call/guide.ts';
import {
  GUIDANCE,
  Sha256,
  SignedStatementSchema,
  Timestamp,
  Uuid,
  nullable,
  oneOf,
  orNull,
} from '../call/schemas.ts';
import type { ViewOf } from '../call/view-of.ts';
import { signedStatementView } from '../sealing/signed-statement-view.ts';
import type { SignedStatement } from '../sealing/signed-statement.ts';
import { MANIFEST_MEMBERS } from './manifest-schema.ts';
import { SchemaPlaceSchema } from './schema-place.ts';
import type { ShownType } from './shown-type.ts';

export const RecordTypeSchema = Type.Object(
  {
    ...Type.Required(Type.Object(MANIFEST_MEMBERS)).properties,
    manifestDigest: Sha256,
    status: oneOf(['active', 'disabled']),
    orgId: Uuid,
    registeredBy: nullable(Uuid),
    registeredAt: Timestamp,
    managedBy: nullable(oneOf(['provisioning'])),
    schemaUrls: SchemaPlaceSchema,
    signedStatement: orNull(SignedStatementSchema),
    ...GUIDANCE,
  },
  {
    description:
      'A record type: its manifest with every default filled in, and what the service adds',
  },
);

/** @param statement the entry that the call wrote; null where it wrote none. */
export const recordTypeView = (
  shown: ShownType,
  statement: SignedStatement | null,
  guide: Guide,
): ViewOf<typeof RecordTypeSchema> => ({
  ...recordTypeMembers(shown, statement),
  ...recordTypeGuidance(shown.recordType, guide),
});

export const recordTypeMembers = (
  { recordType: row, managedBy }: ShownType,
  statement: SignedStatement | null,
): Omit<ViewOf<typeof RecordTypeSchema>, keyof typeof GUIDANCE> => ({
  ...row.manifest,
  manifestDigest: row.manifestDigest,
  status: row.status,
  orgId: row.orgId,
  registeredBy: row.registeredBy,
  registeredAt: row.registeredAt,
  managedBy,
  schemaUrls: {
    publisher: row.publisher,
    type: row.type,
    version: row.version,
    isPublic: row.manifest.public,
  },
  signedStatement: statement && signedStatementView(statement),
});

export const recordTypeGuidance = (
  { type, publisher, version, status }: RecordType,
  guide: Guide,
): Pick<ViewOf<typeof RecordTypeSchema>, keyof typeof GUIDANCE> => {
  const list = {
    action: 'list',
    operation: 'listSchemas',
    input: {},
    description: 'List the record types of the org',
  };
  if (status === 'active')
    return {
      suggestion: 'Create a record of this type.',
      nextSteps: guide.steps(
        {
          action: 'create',
          operation: 'createRecord',
          input: {},
          description: 'Create a record of this type',
        },
        list,
        {
          action: 'validate',
          operation: 'validateContent',
          input: { type },
          description: 'Try criteria and evidence against the type; nothing is stored',
        },
      ),
    };
  const thisVersion = { type, publisher, version: String(version) };
  return {
    suggestion: 'The type is disabled and takes no new records.',
    nextSteps: guide.steps(
      list,
      {
        action: 'enable',
        operation: 'updateSchema',
        input: { ...thisVersion, status: 'active' },
        description: 'Enable it again',
      },
      {
        action: 'delete',
        operation: 'deleteSchema',
        input: thisVersion,
        description: 'Delete it, where no record pins it',
      },
    ),
  };
};
