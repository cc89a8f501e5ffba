import { actorOf } from '../../domain/identity/caller.ts';
import type { CallContext } from '../call/call-context.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import type { IdSource, Uuid } from '../../domain/kernel/ids.ts';
import type { DisputeEvidence } from '../../domain/dispute/dispute.ts';
import { submitEvidence } from '../../domain/dispute/moves.ts';
import { sidesOf } from '../../domain/record/sides.ts';
import type { ContentCheck } from '../record/content-check.ts';
import type { FindRecord } from '../record/find-record.ts';
import type { LoadRecordType } from '../record/load-record-type.ts';
import type { ActOnDispute } from './act-on-dispute.ts';
import type { DisputeResult } from '../record/dispute-result.ts';

/** Either party adds evidence for those who decide the dispute. */
export class SubmitDisputeEvidence {
  constructor(
    private readonly findRecord: FindRecord,
    private readonly actOnDispute: ActOnDispute,
    private readonly loadRecordType: LoadRecordType,
    private readonly contentCheck: ContentCheck,
    private readonly ids: IdSource,
  ) {}

  async execute(
    context: CallContext,
    input: { readonly recordId: Uuid; readonly evidence: JsonObject },
  ): Promise<DisputeResult> {
    const { caller } = context;
    const seen = await this.findRecord.find(context, input.recordId);
    const refusal = await this.contentCheck.disputeEvidence(
      await this.loadRecordType.load(seen),
      input.evidence,
      seen,
    );
    return this.actOnDispute.byCaller(
      context,
      input.recordId,
      'submit-dispute-evidence',
      async ({ stores, record, chain }, dispute) => {
        const change = submitEvidence(
          record.state,
          dispute,
          {
            id: this.ids.next(),
            content: input.evidence,
            by: actorOf(caller),
            sides: sidesOf(caller, record.state),
          },
          chain.at,
        );
        if (refusal) throw refusal;
        const { evidence } = change.dispute;
        await stores.disputes.addEvidence(
          dispute.id,
          evidence.at(-1) as DisputeEvidence,
          evidence.length,
        );
        return change;
      },
    );
  }
}
