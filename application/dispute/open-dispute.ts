import { actorOf } from '../../domain/identity/caller.ts';
import { idTaken } from '../sharing/id-taken.ts';
import { assertStepsBetween } from '../sharing/steps-between.ts';
import type { CallContext } from '../call/call-context.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import type { IdSource, Uuid } from '../../domain/kernel/ids.ts';
import type { Dispute } from '../../domain/dispute/dispute.ts';
import { assertDisputable, open } from '../../domain/dispute/moves.ts';
import type { ActOnRecord } from '../record/act-on-record.ts';
import type { ContentCheck } from '../record/content-check.ts';
import type { FindRecord } from '../record/find-record.ts';
import type { LoadRecordType } from '../record/load-record-type.ts';
import type { PresentRecord } from '../record/present-record.ts';
import type { DisputeResult } from '../record/dispute-result.ts';

export interface AskedDispute {
  readonly recordId: Uuid;
  readonly grounds?: string;
  readonly statement?: string;
  readonly evidence?: JsonObject;
}

/** The losing side objects to the outcome of a record. */
export class OpenDispute {
  constructor(
    private readonly findRecord: FindRecord,
    private readonly actOnRecord: ActOnRecord,
    private readonly loadRecordType: LoadRecordType,
    private readonly contentCheck: ContentCheck,
    private readonly present: PresentRecord,
    private readonly ids: IdSource,
  ) {}

  async execute(context: CallContext, input: AskedDispute): Promise<DisputeResult> {
    const { caller } = context;
    const seen = await this.findRecord.find(context, input.recordId);
    const refusal = input.evidence
      ? await this.contentCheck.disputeEvidence(
          await this.loadRecordType.load(seen),
          input.evidence,
          seen,
        )
      : null;
    return this.actOnRecord.byCaller(
      context,
      input.recordId,
      async ({ stores, record, recordType, chain, acting, now }) => {
        const side = assertDisputable(record.state, acting, now);
        if (refusal) throw refusal;
        if (!context.peer) await assertStepsBetween(stores, record.state, chain);
        const evidence = input.evidence ? { id: this.ids.next(), content: input.evidence } : null;
        if (context.peer?.id && (await stores.disputes.lock(context.peer.id)))
          throw idTaken('dispute', context.peer.id);
        const draft = {
          id: context.peer?.id ?? this.ids.next(),
          caller,
          by: actorOf(caller),
          grounds: input.grounds ?? 'OTHER',
          statement: input.statement ?? null,
          evidence,
          windowSeconds: recordType.manifest.evidenceWindowSeconds,
        };
        const change = open(record.state, side, draft, chain.at);
        await stores.disputes.insert(change.dispute, change.after);
        return change;
      },
      ({ change, entry }) =>
        this.present.dispute(change.dispute as Dispute, change.after, entry, caller),
    );
  }
}
