import { ContainerModule } from 'inversify';
import { ActOnDispute } from '../../application/dispute/act-on-dispute.ts';
import { EndPhase } from '../../application/dispute/end-phase.ts';
import { EscalateDispute } from '../../application/dispute/escalate-dispute.ts';
import { GetDispute } from '../../application/dispute/get-dispute.ts';
import { ListDisputes } from '../../application/dispute/list-disputes.ts';
import { OpenDispute } from '../../application/dispute/open-dispute.ts';
import { ReleaseHold } from '../../application/dispute/release-hold.ts';
import { ResolveDispute } from '../../application/dispute/resolve-dispute.ts';
import { SubmitDisputeEvidence } from '../../application/dispute/submit-dispute-evidence.ts';
import { WithdrawDispute } from '../../application/dispute/withdraw-dispute.ts';
import { ActOnRecord } from '../../application/record/act-on-record.ts';
import { UpToDateSlices } from '../../application/record/up-to-date-slices.ts';
import { ApplyChange } from '../../application/record/apply-change.ts';
import { Children } from '../../application/record/children.ts';
import { ContentCheck } from '../../application/record/content-check.ts';
import { FindRecord } from '../../application/record/find-record.ts';
import { JudgeCompletion } from '../../application/record/judge-completion.ts';
import { LoadRecordType } from '../../application/record/load-record-type.ts';
import { TellPeer } from '../../application/sharing/tell-peer.ts';
import { PresentRecord } from '../../application/record/present-record.ts';
import { SealSignal } from '../../application/sealing/seal-signal.ts';
import { provide, provideBy } from '../provide.ts';
import { TOKENS as t } from '../tokens.ts';

/** Objections to the outcome of a record. */
export const disputeModule = new ContainerModule((options) => {
  provideBy(
    options,
    t.disputeTiers,
    (settings) => ({
      tier2: settings.DISPUTE_TIER2_SECONDS,
      tier3: settings.DISPUTE_TIER3_SECONDS,
    }),
    [t.settings],
  );
  provide(options, EndPhase, [ApplyChange, JudgeCompletion, Children, t.disputeTiers]);
  provide(options, ReleaseHold, [SealSignal, TellPeer, t.ids]);
  provide(options, ActOnDispute, [ActOnRecord, PresentRecord]);
  provide(options, OpenDispute, [
    FindRecord,
    ActOnRecord,
    LoadRecordType,
    ContentCheck,
    PresentRecord,
    t.ids,
  ]);
  provide(options, SubmitDisputeEvidence, [
    FindRecord,
    ActOnDispute,
    LoadRecordType,
    ContentCheck,
    t.ids,
  ]);
  provide(options, EscalateDispute, [ActOnDispute, t.disputeTiers]);
  provide(options, ResolveDispute, [ActOnDispute]);
  provide(options, WithdrawDispute, [ActOnDispute]);
  provide(options, GetDispute, [FindRecord, t.disputeReads, t.chainReads, PresentRecord]);
  provide(options, ListDisputes, [t.disputeReads, UpToDateSlices]);
});
