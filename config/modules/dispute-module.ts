import { ContainerModule } from 'inversify';
import { ActOnDispute } from '../../application/dispute/act-on-dispute.ts';
import { EndPhase } from '../../application/dispute/end-phase.ts';
import { EscalateDispute } from '../../application/dispute/escalate-dispute.ts';
import { GetDispute } from '../../application/dispute/get-dispute.ts';
import { ListDisputes } from '../../application/dispute/list-disputes.ts';
import { OpenDispute } from '../../application/dispute/open-dispute.ts';
import { ResolveDispute } from '../../application/dispute/resolve-dispute.ts';
import { SubmitDisputeEvidence } from '../../application/dispute/submit-dispute-evidence.ts';
import { WithdrawDispute } from '../../application/dispute/withdraw-dispute.ts';
import { provide, provideBy } from '../provide.ts';
import { TOKENS } from '../tokens.ts';

/** Objections to the outcome of a record. */
export const disputeModule = new ContainerModule((options) => {
  const t = TOKENS;
  provideBy(
    options,
    t.disputeTiers,
    (settings) => ({
      tier2: settings.DISPUTE_TIER2_SECONDS,
      tier3: settings.DISPUTE_TIER3_SECONDS,
    }),
    [t.settings],
  );
  provide(options, t.endPhase, EndPhase, [
    t.loadManifest,
    t.judgeCompletion,
    t.children,
    t.disputeTiers,
  ]);
  provide(options, t.actOnDispute, ActOnDispute, [t.actOnRecord, t.presentRecord]);
  provide(options, t.openDispute, OpenDispute, [
    t.findRecord,
    t.actOnRecord,
    t.loadManifest,
    t.contentCheck,
    t.presentRecord,
    t.ids,
  ]);
  provide(options, t.submitDisputeEvidence, SubmitDisputeEvidence, [
    t.findRecord,
    t.actOnDispute,
    t.loadManifest,
    t.contentCheck,
    t.ids,
  ]);
  provide(options, t.escalateDispute, EscalateDispute, [t.actOnDispute, t.disputeTiers]);
  provide(options, t.resolveDispute, ResolveDispute, [t.actOnDispute]);
  provide(options, t.withdrawDispute, WithdrawDispute, [t.actOnDispute]);
  provide(options, t.getDispute, GetDispute, [
    t.findRecord,
    t.disputeReads,
    t.chainReads,
    t.presentRecord,
  ]);
  provide(options, t.listDisputes, ListDisputes, [t.disputeReads, t.actOnRecord, t.clock]);
});
