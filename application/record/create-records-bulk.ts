import { sha256 } from '../../domain/kernel/digest.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import type { CallContext, OnceKey } from '../call/call-context.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { RunOnce } from '../idempotency/run-once.ts';
import type { CreateRecord, CreateRecordInput } from './create-record.ts';
import type { GetRecord } from './get-record.ts';
import type { RecordResult } from './results.ts';

export type BulkOutcome = { readonly record: RecordResult } | { readonly error: NotaryError };
export interface BulkResult {
  readonly outcomes: readonly BulkOutcome[];
}

/**
 * Opens many records, each in a transaction of its own: one that fails harms no other.
 *
 * Under an Idempotency-Key each item commits with a key of its own, so that a retry after a crash in the middle
 * makes only what is still missing.
 */
export class CreateRecordsBulk {
  constructor(
    private readonly runOnce: RunOnce,
    private readonly createRecord: Pick<CreateRecord, 'execute'>,
    private readonly getRecord: Pick<GetRecord, 'execute'>,
  ) {}

  /** An item whose shape was refused already is given as its refusal, and stays in its place. */
  async execute(
    context: CallContext,
    input: { readonly items: readonly (CreateRecordInput | NotaryError)[] },
  ): Promise<BulkResult> {
    const result = {
      outcomes: await Promise.all(input.items.map((item, index) => this.one(context, item, index))),
    };
    if (context.once) await this.runOnce.keep(context.once, context.once.render(result));
    return result;
  }

  private async one(
    context: CallContext,
    item: CreateRecordInput | NotaryError,
    index: number,
  ): Promise<BulkOutcome> {
    if (item instanceof NotaryError) return { error: item };
    const once = context.once && itemKey(context.once, index);
    const earlier = once && (await this.runOnce.find(once.scope));
    if (earlier)
      return {
        record: await this.getRecord.execute(context, {
          recordId: (JSON.parse(earlier.answer) as { recordId: Uuid }).recordId,
        }),
      };
    try {
      const own: CallContext = {
        caller: context.caller,
        requestId: context.requestId,
        ...(once ? { once } : {}),
      };
      return { record: await this.createRecord.execute(own, item) };
    } catch (error) {
      if (error instanceof NotaryError && !error.entry.retryable) return { error };
      throw error;
    }
  }
}

const itemKey = (once: OnceKey, index: number): OnceKey => ({
  scope: sha256(Uint8Array.of(...once.scope, index)),
  bodyHash: once.bodyHash,
  render: (view) => JSON.stringify({ recordId: (view as RecordResult).record.id }),
});
