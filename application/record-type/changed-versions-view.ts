import { Type } from 'typebox';
import type { Guide } from '../call/guide.ts';
import { SignedStatementSchema, oneOf, orNull } from '../call/schemas.ts';
import type { ViewOf } from '../call/view-of.ts';
import { signedStatementView } from '../sealing/signed-statement-view.ts';
import type { ChangedVersion } from './change-type-status.ts';
import { Version } from './manifest-schema.ts';
import { RecordTypeSchema, recordTypeGuidance, recordTypeMembers } from './record-type-view.ts';

export const ChangedVersionsSchema = Type.Object({
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

export const changedVersionsView = (
  changed: readonly ChangedVersion[],
  guide: Guide,
): ViewOf<typeof ChangedVersionsSchema> => {
  const [newest] = changed;
  if (!newest) throw new TypeError('no version was changed');
  return {
    ...recordTypeMembers(newest, newest.signedStatement),
    versions: changed.map(({ recordType: { version, status }, signedStatement }) => ({
      version,
      status,
      signedStatement: signedStatement && signedStatementView(signedStatement),
    })),
    ...recordTypeGuidance(newest.recordType, guide),
  };
};
