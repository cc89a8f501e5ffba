import type { CallContext } from '../call/call-context.ts';
import { hashJson } from '../../domain/kernel/digest.ts';
import type { Child } from '../../domain/record/child.ts';
import type { Completion } from '../../domain/record/completion.ts';
import type { NotaryRecord } from '../../domain/record/notary-record.ts';
import type { RecordChange } from '../../domain/record/record-change.ts';
import type { Manifest } from '../../domain/record-type/manifest.ts';
import { entriesBehind } from '../sealing/entries-behind.ts';
import { payloadDrift } from '../sealing/head-check.ts';
import type { OpenChain } from '../sealing/seal-events.ts';
import type { Stores } from '../unit-of-work.port.ts';
import type { ActOnRecord, Held } from './act-on-record.ts';
import type { Children } from './children.ts';
import type { JudgeCompletion } from './judge-completion.ts';
import type { PresentRecord } from './present-record.ts';
import type { CompletionResult } from './results.ts';

/** Lets the gates of an auto-mode type decide on the completion that waits for them. */
export class EvaluatePending {
  constructor(
    private readonly actOnRecord: ActOnRecord,
    private readonly children: Children,
    private readonly judge: JudgeCompletion,
    private readonly present: PresentRecord,
  ) {}

  /** The second half of a submission. Where somebody else finished it meanwhile, what they found is the answer. */
  async afterSubmission(
    context: CallContext,
    submitted: CompletionResult,
    manifest: Manifest,
  ): Promise<CompletionResult> {
    return this.actOnRecord.again(
      context,
      submitted.record.id,
      (held) => this.finish(held, manifest),
      ({ change, entry }) =>
        this.present.completion(
          change.completion as Completion,
          change.after,
          entry,
          context.caller,
        ),
    );
  }

  /** Because somebody asks: who may, and whether it is time, comes before the gates. */
  async asked(held: Held, manifest: Manifest): Promise<RecordChange> {
    held.record.transitionFor('evaluate', held.acting);
    return this.finish(held, manifest);
  }

  async finish({ stores, record, chain }: Held, manifest: Manifest): Promise<RecordChange> {
    return this.outcome(
      stores,
      record,
      await this.children.forJudging(stores, record.state, chain, manifest),
      manifest,
      chain,
    );
  }

  async outcome(
    stores: Stores,
    record: NotaryRecord,
    children: readonly Child[],
    manifest: Manifest,
    chain: OpenChain,
  ): Promise<RecordChange> {
    const completion = await genuineCompletion(stores, record, chain);
    const change = record.evaluate(
      completion,
      await this.judge.execute(manifest, { record: record.state, completion, children }),
      chain.at,
    );
    await stores.completions.update(change.completion as Completion);
    return change;
  }
}

/**
 * The same for whoever lets the gates decide on it: they see more than evidence, and all that the chain tells of
 * it, and of the times of its record, must be what the chain tells.
 */
export const genuineCompletion = async (
  stores: Stores,
  record: NotaryRecord,
  chain: OpenChain,
): Promise<Completion> => {
  const { state } = record;
  const completion = await pendingCompletion(stores, record);
  let [submittedAt, activatedAt, createdAt]: unknown[] = [];
  let revisions = 0;
  for await (const { entryType, transition, at } of entriesBehind(stores, chain)) {
    if (entryType === 'COMPLETION_SUBMITTED') submittedAt ??= at;
    if (entryType === 'REVISION_REQUESTED') revisions += 1;
    if (startsWork(transition)) activatedAt = at;
    createdAt = at;
  }
  const agrees =
    submittedAt === completion.submittedAt &&
    completion.revision === revisions + 1 &&
    revisions === state.revisionCount &&
    activatedAt === state.activatedAt &&
    createdAt === state.createdAt;
  if (!agrees)
    throw payloadDrift(state.id, 'what the gates see of the completion and of the record');
  return completion;
};

/** Into ACTIVE from a state before it, or at once. */
const startsWork = (transition: unknown): boolean => {
  const { from, to } = (transition ?? {}) as { readonly from?: unknown; readonly to?: unknown };
  return to === 'ACTIVE' && (from === null || from === 'CREATED' || from === 'PROPOSED');
};

/** The latest completion, whose stored evidence must still be the evidence that was sealed. */
export const pendingCompletion = async (
  stores: Stores,
  { state }: NotaryRecord,
): Promise<Completion> => {
  const completion =
    state.latestCompletionId === null
      ? null
      : await stores.completions.find(state.latestCompletionId);
  if (
    !completion ||
    completion.evidenceHash !== state.latestEvidenceHash ||
    hashJson(completion.evidence) !== completion.evidenceHash
  )
    throw payloadDrift(state.id, 'evidence');
  return completion;
};
