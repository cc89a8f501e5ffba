import { Type } from 'typebox';
import type { Guide } from '../call/guide.ts';
import { RefusalSchema } from '../call/schemas.ts';
import type { ViewOf } from '../call/view-of.ts';
import type { BulkResult } from './create-records-bulk.ts';
import { RecordSchema, recordView } from './record-view.ts';

export const BulkSchema = Type.Object({
  data: Type.Array(
    Type.Object({
      index: Type.Integer(),
      record: Type.Optional(RecordSchema),
      error: Type.Optional(RefusalSchema),
    }),
  ),
  total: Type.Integer(),
  succeeded: Type.Integer(),
  failed: Type.Integer(),
});

/** One outcome for each item, in the order of the items. */
export const bulkView = ({ outcomes }: BulkResult, guide: Guide): ViewOf<typeof BulkSchema> => {
  const data = outcomes.map((outcome, index) => {
    if ('record' in outcome) return { index, record: recordView(outcome.record, guide) };
    const { code, message: detail, members } = outcome.error;
    return { index, error: { code, detail, members, requestId: guide.requestId } };
  });
  const succeeded = outcomes.filter((outcome) => 'record' in outcome).length;
  return { data, total: data.length, succeeded, failed: data.length - succeeded };
};
