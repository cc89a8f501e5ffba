import type { CallContext } from '../call/call-context.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { CompletionReads } from '../../domain/record/record-store.port.ts';
import type { FindRecord } from './find-record.ts';
import type { PresentRecord } from './present-record.ts';
import type { GateStatusResult } from './results.ts';

export class GetGateStatus {
  constructor(
    private readonly findRecord: FindRecord,
    private readonly completions: CompletionReads,
    private readonly present: PresentRecord,
  ) {}

  async execute(
    context: CallContext,
    input: { readonly recordId: Uuid },
  ): Promise<GateStatusResult> {
    const record = await this.findRecord.find(context, input.recordId);
    const completion =
      record.latestCompletionId === null
        ? null
        : await this.completions.gateOf(record.latestCompletionId);
    return {
      record,
      completion,
      guidance: this.present.record(record, null, context.caller).guidance,
    };
  }
}
