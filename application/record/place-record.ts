import type { CallContext } from '../call/call-context.ts';
import type { IdempotentTransaction } from '../call/idempotent-transaction.ts';
import type { DelegateRecord } from './delegate-record.ts';
import type { AskedRecord } from './inputs.ts';
import type { OpenRecord } from './open-record.ts';
import type { RecordResult } from './results.ts';

/** Opens the record that a call asks for where it belongs: on its own, or under another. */
export class PlaceRecord {
  constructor(
    private readonly idempotent: IdempotentTransaction,
    private readonly openRecord: OpenRecord,
    private readonly delegateRecord: DelegateRecord,
  ) {}

  async place(context: CallContext, input: AskedRecord): Promise<RecordResult> {
    const { parentRecordId } = input;
    if (parentRecordId !== undefined)
      return this.delegateRecord.open(
        context,
        await this.openRecord.draft(
          context,
          input,
          await this.delegateRecord.parent(context, parentRecordId),
        ),
        parentRecordId,
      );
    const draft = await this.openRecord.draft(context, input);
    return this.idempotent.run(context, (stores) => this.openRecord.open(stores, context, draft));
  }
}
