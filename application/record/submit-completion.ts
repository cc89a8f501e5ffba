import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { actorOf } from '../../domain/identity/caller.ts';
import { idTaken } from '../sharing/id-taken.ts';
import type { CallContext } from '../call/call-context.ts';
import { hashJson } from '../../domain/kernel/digest.ts';
import type { IdSource, Uuid } from '../../domain/kernel/ids.ts';
import type { Completion } from '../../domain/record/completion.ts';
import { isMirror } from '../../domain/record/federated-record.ts';
import type { Log } from '../ports/log.port.ts';
import type { ActOnRecord } from './act-on-record.ts';
import type { Children } from './children.ts';
import type { ContentCheck } from './content-check.ts';
import type { EvaluatePending } from './evaluate-pending.ts';
import type { FindRecord } from './find-record.ts';
import type { JudgeCompletion } from './judge-completion.ts';
import type { LoadRecordType } from './load-record-type.ts';
import type { PresentRecord } from './present-record.ts';
import type { CompletionResult } from './results.ts';

/** Delivers work with its evidence. In auto mode the gates then decide, in a second transaction of the same call. */
export class SubmitCompletion {
  constructor(
    private readonly findRecord: FindRecord,
    private readonly actOnRecord: ActOnRecord,
    private readonly loadRecordType: LoadRecordType,
    private readonly contentCheck: ContentCheck,
    private readonly children: Children,
    private readonly judge: JudgeCompletion,
    private readonly evaluatePending: EvaluatePending,
    private readonly present: PresentRecord,
    private readonly ids: IdSource,
    private readonly log: Log,
  ) {}

  async execute(
    context: CallContext,
    input: { readonly recordId: Uuid; readonly evidence: JsonObject },
  ): Promise<CompletionResult> {
    const seen = await this.findRecord.find(context, input.recordId);
    const recordType = await this.loadRecordType.load(seen);
    // The content is validated before any lock. Its refusal waits for its turn, after those of side and state.
    const refusal = await this.contentCheck.evidence(
      context.caller,
      recordType,
      input.evidence,
      seen,
    );
    // The gates of a mirror are its home's to evaluate.
    const isDecidedByGates = recordType.manifest.gateMode === 'auto' && !isMirror(seen);
    const submitted = await this.actOnRecord.byCaller(
      context,
      input.recordId,
      async (held) => {
        const { stores, record, chain, acting } = held;
        const { manifest } = held.recordType;
        await this.children.assertNoneDue(held);
        const transition = record.transitionFor('submit-completion', acting);
        const children = await this.children.forJudging(held);
        if (manifest.cascade.rule !== 'none') {
          record.assertChildrenEnded(children);
          await this.children.assertHomeHears(stores, record.state, chain, children);
        }
        if (refusal) throw refusal;
        const id = context.peer?.id ?? this.ids.next();
        if (context.peer && (await stores.completions.find(id))) throw idTaken('completion', id);
        const completion = {
          id,
          revision: record.state.revisionCount + 1,
          evidence: input.evidence,
          evidenceHash: hashJson(input.evidence),
          submittedAt: chain.at,
        };
        const advice =
          manifest.gateMode === 'principal'
            ? await this.judge.completion(manifest, { record: record.state, completion, children })
            : null;
        const change = record.submit(
          transition,
          {
            id,
            evidence: input.evidence,
            by: actorOf(context.caller),
            position: (chain.head?.position ?? 0) + 1,
          },
          advice,
          chain.at,
        );
        await stores.completions.insert(change.completion as Completion);
        return change;
      },
      ({ change, entry }) =>
        this.present.completion(
          change.completion as Completion,
          change.after,
          entry,
          context.caller,
        ),
      isDecidedByGates,
    );
    return isDecidedByGates ? this.decide(context, submitted) : submitted;
  }

  /**
   * The submission is durable whatever happens here. If the evaluation fails now, the answer shows the submission as it
   * was stored, and `evaluate` or the background job finishes the work.
   */
  private async decide(
    context: CallContext,
    submitted: CompletionResult,
  ): Promise<CompletionResult> {
    try {
      return await this.evaluatePending.afterSubmission(context, submitted);
    } catch (error) {
      this.log.warn(
        { requestId: context.requestId, recordId: submitted.record.id, err: error },
        'the gates were not evaluated with the submission',
      );
      return submitted;
    }
  }
}
