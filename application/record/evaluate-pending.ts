import type { CallContext } from '../../domain/identity/caller.ts';
import { hashJson } from '../../domain/kernel/digest.ts';
import type { Completion } from '../../domain/record/completion.ts';
import type { NotaryRecord } from '../../domain/record/notary-record.ts';
import type { RecordChange } from '../../domain/record/record-change.ts';
import type { Acting } from '../../domain/record/sides.ts';
import type { Attempt } from '../../domain/record/refusal.ts';
import type { Manifest } from '../../domain/record-type/manifest.ts';
import type { OpenChain } from '../sealing/seal-events.ts';
import { payloadDrift } from '../sealing/head-check.ts';
import type { Stores } from '../unit-of-work.port.ts';
import type { ActOnRecord } from './act-on-record.ts';
import type { JudgeCompletion } from './judge-completion.ts';
import type { PresentRecord } from './present-record.ts';
import type { CompletionView } from './views.ts';

/** Lets the gates of an auto-mode type decide on the completion that waits for them. */
export class EvaluatePending {
  constructor(
    private readonly actOnRecord: ActOnRecord,
    private readonly judge: JudgeCompletion,
    private readonly present: PresentRecord,
  ) {}

  /** The second half of a submission. Where somebody else finished it meanwhile, what they found is the answer. */
  async afterSubmission(context: CallContext, submitted: CompletionView, manifest: Manifest): Promise<CompletionView> {
    return this.actOnRecord.again(
      context,
      submitted.record.id,
      async (held) => this.decide(held.stores, held.record, held.chain, 'system', 'dedicated', manifest),
      ({ change, entry }) => this.present.completion(change.completion as Completion, change.after, entry, context.caller),
    );
  }

  async decide(stores: Stores, record: NotaryRecord, chain: OpenChain, acting: Acting, attempt: Attempt, manifest: Manifest): Promise<RecordChange> {
    // Who may and whether it is time is asked before the gates run; which row it is depends on what they say.
    record.rowFor('evaluate', acting, attempt);
    const completion = await pendingCompletion(stores, record);
    const gate = this.judge.execute(manifest, { record: record.state, completion });
    const row = record.rowFor('evaluate', acting, attempt, [gate.state === 'PASSED' ? 'FULFILLED' : 'FAILED']);
    const change = record.evaluate(row, completion, gate, chain.at);
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
