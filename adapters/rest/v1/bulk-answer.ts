import { Type } from 'typebox';
import { CreateRecordInput } from '../../../application/record/inputs.ts';
import { RecordSchema } from '../../../application/record/record-view.ts';
import { ProblemSchema } from '../problem-schema.ts';

/** Each item is checked as a call of its own is, and refused by itself. */
export const BulkRequestSchema = Type.Array(CreateRecordInput, { minItems: 1, maxItems: 100 });

export const BulkAnswerSchema = Type.Object({
  data: Type.Array(
    Type.Object({
      index: Type.Integer(),
      status: Type.Integer({ description: 'The status that the item would have had on its own' }),
      record: Type.Optional(RecordSchema),
      error: Type.Optional(ProblemSchema),
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
