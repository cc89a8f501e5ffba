import { Type } from 'typebox';
import type { Guide } from '../call/guide.ts';
import type { Shown } from '../call/operation.ts';
import {
  Actor,
  RECORD_GUIDANCE,
  SignedStatementSchema,
  Status,
  Timestamp,
  Uuid,
  nullable,
  orNull,
} from '../call/schemas.ts';
import type { ViewOf } from '../call/view-of.ts';
import { newestStatementView } from '../sealing/signed-statement-view.ts';
import { guidanceView } from './guidance-view.ts';
import { ReferenceDigest, REFERENCE_TARGET } from './reference-input.ts';
import type { ReferenceResult } from './results.ts';

/** A reference as its record shows it. */
export const REFERENCE_MEMBERS = {
  id: Uuid,
  recordId: Uuid,
  ...REFERENCE_TARGET,
  digest: orNull(ReferenceDigest),
  label: nullable(Type.String()),
  addedBy: Actor,
  addedAt: Timestamp,
};

export const ReferenceSchema = Type.Object(
  {
    ...REFERENCE_MEMBERS,
    recordStatus: {
      ...Status,
      description: 'Status of the record, which a reference does not change',
    },
    signedStatement: orNull(SignedStatementSchema),
    ...RECORD_GUIDANCE,
  },
  {
    description:
      'A reference on a record. signedStatement is the chain entry that the call wrote; null where the reference was there.',
  },
);

export const shownReference = (
  { reference, added, record, signedStatement, guidance }: ReferenceResult,
  guide: Guide,
): Shown<ViewOf<typeof ReferenceSchema>> => ({
  view: {
    ...reference,
    recordStatus: record.status,
    signedStatement: newestStatementView(signedStatement),
    ...guidanceView(guidance, record.id, guide),
  },
  version: record.version,
  isNew: added,
});
