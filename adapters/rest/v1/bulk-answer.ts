import { Type } from 'typebox';
import { JsonObjectSchema } from '../../../application/call/schemas.ts';
import { RecordSchema } from '../../../application/record/record-view.ts';

export const BulkAnswerSchema = Type.Object({
  data: Type.Array(
    Type.Object({
      index: Type.Integer(),
      status: Type.Integer({ description: 'The status that the item would have had on its own' }),
      record: Type.Optional(RecordSchema),
      error: Type.Optional({ ...JsonObjectSchema, description: 'A problem document' }),
    }),
  ),
  total: Type.Integer(),
  succeeded: Type.Integer(),
  failed: Type.Integer(),
});

interface RenderedBulk {
  readonly data: readonly {
    readonly index: number;
    readonly record?: unknown;
    readonly error?: unknown;
  }[];
}

/**
 * Each item has the status that it would have had on its own. The whole is 207, even where every
 * item failed.
 */
export const bulkAnswer = ({ data, ...counts }: RenderedBulk): object => ({
  data: data.map(({ index, ...outcome }) => ({
    index,
    status: statusOf(outcome.error),
    ...outcome,
  })),
  ...counts,
});

const statusOf = (problem: unknown): unknown =>
  problem === undefined ? 201 : (problem as { readonly status: number }).status;
