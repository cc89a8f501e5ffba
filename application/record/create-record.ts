import type { CallContext } from '../call/call-context.ts';
import type { AskedRecord } from './inputs.ts';
import type { PlaceRecord } from './place-record.ts';
import type { RecordResult } from './results.ts';

/** Opens a record, on its own or under another. A record of a notarize-only type is sealed for good in the same call. */
export class CreateRecord {
  constructor(private readonly placeRecord: PlaceRecord) {}

  execute(context: CallContext, input: AskedRecord): Promise<RecordResult> {
    return this.placeRecord.place(context, input);
  }
}
