import type { CallContext } from '../call/call-context.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { ReadRecord } from './read-record.ts';
import type { RecordResult } from './results.ts';

export class GetRecord {
  constructor(private readonly readRecord: ReadRecord) {}

  execute(context: CallContext, input: { readonly recordId: Uuid }): Promise<RecordResult> {
    return this.readRecord.read(context, input.recordId);
  }
}
