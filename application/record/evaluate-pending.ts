import type { CallContext } from '../call/call-context.ts';
import type { Child } from '../../domain/record/child.ts';
import type { Completion } from '../../domain/record/completion.ts';
import type { RecordChange } from '../../domain/record/record-change.ts';
import type { ActOnRecord } from './act-on-record.ts';
import type { LockedRecord } from './locked-record.ts';
import type { Children } from './children.ts';
import type { JudgeCompletion } from './judge-completion.ts';
import type { PresentRecord } from './present-record.ts';
import type { CompletionResult } from './results.ts';
import { verifiedCompletion } from './verified-completion.ts';

/** Lets the gates of an auto-mode type decide on the completion that waits for them. */
export class EvaluatePending {
  constructor(
    private readonly actOnRecord: ActOnRecord,
    private readonly children: Children,
    private readonly judge: JudgeCompletion,
    private readonly present: PresentRecord,
  ) {}

  /** The second half of a submission. If somebody else finished it meanwhile, their result is the answer. */
  async afterSubmission(
    context: CallContext,
    submitted: CompletionResult,
  ): Promise<CompletionResult> {
    return this.actOnRecord.again(
      context,
      submitted.record.id,
      (held) => this.finish(held),
      ({ change, entry }) =>
        this.present.completion(
          change.completion as Completion,
          change.after,
          entry,
          context.caller,
        ),
    );
  }

  /** On request: whether this party may ask, and in this state, is decided before the gates run. */
  async asked(held: LockedRecord): Promise<RecordChange> {
    held.record.transitionFor('evaluate', held.acting);
    return this.finish(held);
  }

  async finish(held: LockedRecord): Promise<RecordChange> {
    await this.children.assertNoneDue(held);
    return this.outcome(held, await this.children.forJudging(held));
  }

  /** @param children as the chains tell them. */
  async outcome(
    { stores, record, recordType, chain }: LockedRecord,
    children: readonly Child[],
  ): Promise<RecordChange> {
    const completion = await verifiedCompletion(stores, record, chain);
    const change = record.evaluate(
      completion,
      await this.judge.completion(recordType.manifest, {
        record: record.state,
        completion,
        children,
      }),
      chain.at,
    );
    await stores.completions.update(change.completion as Completion);
    return change;
  }
}
