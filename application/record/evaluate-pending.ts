import type { CallContext } from '../../domain/identity/caller.ts';
import { hashJson } from '../../domain/kernel/digest.ts';
import type { Child } from '../../domain/record/child.ts';
import type { Completion } from '../../domain/record/completion.ts';
import type { NotaryRecord } from '../../domain/record/notary-record.ts';
import type { RecordChange } from '../../domain/record/record-change.ts';
import type { Attempt } from '../../domain/record/refusal.ts';
import type { Manifest } from '../../domain/record-type/manifest.ts';
import { payloadDrift } from '../sealing/head-check.ts';
import type { Stores } from '../unit-of-work.port.ts';
import type { ActOnRecord, Held } from './act-on-record.ts';
import type { Children } from './children.ts';
import type { JudgeCompletion } from './judge-completion.ts';
import type { PresentRecord } from './present-record.ts';
import type { CompletionView } from './views.ts';

/** Lets the gates of an auto-mode type decide on the completion that waits for them. */
export class EvaluatePending {
  constructor(
    private readonly actOnRecord: ActOnRecord,
    private readonly children: Children,
    private readonly judge: JudgeCompletion,
    private readonly present: PresentRecord,
  ) {}

  /** The second half of a submission. Where somebody else finished it meanwhile, what they found is the answer. */
  async afterSubmission(context: CallContext, submitted: CompletionView, manifest: Manifest): Promise<CompletionView> {
    return this.actOnRecord.again(
      context,
      submitted.record.id,
      (held) => this.finish(held, manifest),
      ({ change, entry }) => this.present.completion(change.completion as Completion, change.after, entry, context.caller),
    );
  }

  /** Because somebody asks: who may, and whether it is time, comes before the gates. */
  async asked(held: Held, attempt: Attempt, manifest: Manifest): Promise<RecordChange> {
    held.record.rowFor('evaluate', held.acting, attempt);
    return this.finish(held, manifest);
  }

  async finish({ stores, record, chain }: Held, manifest: Manifest): Promise<RecordChange> {
    return this.outcome(stores, record, await this.children.forJudging(stores, record.state, chain, manifest), manifest, chain.at);
  }

  async outcome(stores: Stores, record: NotaryRecord, children: readonly Child[], manifest: Manifest, at: string): Promise<RecordChange> {
    const completion = await pendingCompletion(stores, record);
    const change = record.evaluate(completion, await this.judge.execute(manifest, { record: record.state, completion, children }), at);
    await stores.completions.update(change.completion as Completion);
    return change;
  }
}

/** The latest completion, whose stored evidence must still be the evidence that was sealed. */
export const pendingCompletion = async (stores: Stores, { state }: NotaryRecord): Promise<Completion> => {
  const completion = state.latestCompletionId === null ? null : await stores.completions.find(state.latestCompletionId);
  if (!completion || completion.evidenceHash !== state.latestEvidenceHash || hashJson(completion.evidence) !== completion.evidenceHash) throw payloadDrift(state.id, 'evidence');
  return completion;
};
