import type { CallContext } from '../call/call-context.ts';
import { notFound } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { CompletionReads } from '../../domain/record/record-store.port.ts';
import { recordChain } from '../../domain/vault/chain-key.ts';
import type { ChainReads } from '../../domain/vault/chain-store.port.ts';
import type { FindRecord } from './find-record.ts';
import type { PresentRecord } from './present-record.ts';
import type { CompletionResult } from './results.ts';

export class GetCompletion {
  constructor(
    private readonly findRecord: FindRecord,
    private readonly completions: CompletionReads,
    private readonly chains: ChainReads,
    private readonly present: PresentRecord,
  ) {}

  /** The signed statement is the one that sealed this completion, even if there are newer entries. */
  async execute(
    context: CallContext,
    input: { readonly recordId: Uuid; readonly completionId: Uuid },
  ): Promise<CompletionResult> {
    const record = await this.findRecord.find(context, input.recordId);
    const completion = await this.completions.find(input.completionId);
    if (!completion || completion.recordId !== record.id) throw notFound('completion');
    const [entry] = await this.chains.entries(recordChain(record.id), completion.entryPosition, 1);
    return this.present.completion(completion, record, entry ?? null, context.caller);
  }
}
