import { ContainerModule } from 'inversify';
import { EscalateDispute } from '../../application/dispute/escalate-dispute.ts';
import { OpenDispute } from '../../application/dispute/open-dispute.ts';
import { ResolveDispute } from '../../application/dispute/resolve-dispute.ts';
import { SubmitDisputeEvidence } from '../../application/dispute/submit-dispute-evidence.ts';
import { WithdrawDispute } from '../../application/dispute/withdraw-dispute.ts';
import { ApplyStep } from '../../application/federation/apply-step.ts';
import { DetachRecord } from '../../application/federation/detach-record.ts';
import { DetachPeer } from '../../application/federation/detach-peer.ts';
import { DetachRevoked } from '../../application/federation/detach-revoked.ts';
import { EndOffer } from '../../application/federation/end-offer.ts';
import { FederatedEvents } from '../../application/federation/federated-events.ts';
import { FederatedParties } from '../../application/sharing/federated-parties.ts';
import { FollowHome } from '../../application/federation/follow-home.ts';
import { HomeFault } from '../../application/federation/home-fault.ts';
import { NamePeer } from '../../application/sharing/name-peer.ts';
import { OfferQuota } from '../../application/federation/offer-quota.ts';
import { OfferStep } from '../../application/record/offer-step.ts';
import { OpenMirror } from '../../application/federation/open-mirror.ts';
import { PeerWords } from '../../application/federation/peer-words.ts';
import { PeerVaultKeys } from '../../application/federation/peer-vault-keys.ts';
import { PerformStep } from '../../application/federation/perform-step.ts';
import { ReceiveSignal } from '../../application/federation/receive-signal.ts';
import { ReceiveStateTransition } from '../../application/federation/receive-state-transition.ts';
import { RejoinLanes } from '../../application/federation/rejoin-lanes.ts';
import { RefuseMessage } from '../../application/federation/refuse-message.ts';
import { SealBeside } from '../../application/sharing/seal-beside.ts';
import { ConfirmAnswer } from '../../application/federation/confirm-answer.ts';
import { PeerAttestations } from '../../application/federation/peer-attestations.ts';
import { TakeAnswer } from '../../application/federation/take-answer.ts';
import { TakeMessage } from '../../application/federation/take-message.ts';
import { TellPeer } from '../../application/sharing/tell-peer.ts';
import { VerifyMessage } from '../../application/federation/verify-message.ts';
import { AddReference } from '../../application/record/add-reference.ts';
import { ApplyChange } from '../../application/record/apply-change.ts';
import { ContentCheck } from '../../application/record/content-check.ts';
import { LargeContents } from '../../application/record/large-contents.ts';
import { LoadRecordType } from '../../application/record/load-record-type.ts';
import { LockRecord } from '../../application/record/lock-record.ts';
import { SubmitCompletion } from '../../application/record/submit-completion.ts';
import { TransitionRecord } from '../../application/record/transition-record.ts';
import { ChainWriter } from '../../application/sealing/chain-writer.ts';
import { EventOutbox } from '../../application/sealing/event-outbox.ts';
import { RecordChains } from '../../application/sealing/record-chains.ts';
import { Vault } from '../../application/sealing/vault.ts';
import { peerBodyBytes } from '../peer-bodies.ts';
import { provide, provideBy } from '../provide.ts';
import { TOKENS as t } from '../tokens.ts';

/** Records that two hubs share: what is told, what is taken, and the steps of mirrors. */
export const federatedRecordModule = new ContainerModule((options) => {
  provide(options, NamePeer, [t.peerReads, t.agentReads]);
  provide(options, FederatedParties, [Vault]);
  provideBy(
    options,
    TellPeer,
    (settings, ...parts) => new TellPeer(...parts, peerBodyBytes(settings.MAX_BODY_BYTES)),
    [t.settings, Vault, FederatedParties, t.ids],
  );
  provide(options, SealBeside, [ChainWriter, RecordChains]);
  provide(options, OfferStep, [SealBeside, TellPeer]);
  provide(options, FederatedEvents, [EventOutbox]);
  provide(options, VerifyMessage, [PeerVaultKeys, t.clock]);
  provide(options, RefuseMessage, [t.unitOfWork, LockRecord, SealBeside]);
  provide(options, EndOffer, [LockRecord, ApplyChange, RefuseMessage]);
  provide(options, DetachRecord, [t.unitOfWork, LockRecord, ApplyChange, RefuseMessage]);
  provide(options, DetachPeer, [t.federationReads, DetachRecord, t.log]);
  provide(options, DetachRevoked, [t.peerReads, DetachPeer, t.clock, t.ids]);
  provide(options, RejoinLanes, [
    t.federationReads,
    t.recordReads,
    t.unitOfWork,
    LockRecord,
    t.log,
  ]);
  provide(options, PeerAttestations, [t.recordReads, t.orgReads, PeerVaultKeys, Vault]);
  provide(options, ConfirmAnswer, [Vault, t.clock]);
  provide(options, TakeAnswer, [
    t.unitOfWork,
    t.recordReads,
    PeerAttestations,
    LockRecord,
    SealBeside,
    RefuseMessage,
    EndOffer,
    FederatedEvents,
    t.clock,
  ]);
  // A step runs the use case that a party here would call.
  provideBy(
    options,
    PerformStep,
    (
      transition,
      submitCompletion,
      openDispute,
      submitDisputeEvidence,
      escalateDispute,
      resolveDispute,
      withdrawDispute,
      addReference,
    ) =>
      new PerformStep({
        transition,
        submitCompletion,
        openDispute,
        submitDisputeEvidence,
        escalateDispute,
        resolveDispute,
        withdrawDispute,
        addReference,
      }),
    [
      TransitionRecord,
      SubmitCompletion,
      OpenDispute,
      SubmitDisputeEvidence,
      EscalateDispute,
      ResolveDispute,
      WithdrawDispute,
      AddReference,
    ],
  );
  provide(options, PeerWords, [t.inputCheck, ContentCheck]);
  provide(options, HomeFault, [t.federationReads, LoadRecordType, PeerWords]);
  provide(options, ApplyStep, [
    PerformStep,
    SealBeside,
    RefuseMessage,
    FederatedEvents,
    t.federationReads,
    PeerWords,
  ]);
  provide(options, FollowHome, [
    t.unitOfWork,
    LockRecord,
    LargeContents,
    ApplyChange,
    SealBeside,
    RefuseMessage,
    FederatedEvents,
    t.ids,
    HomeFault,
  ]);
  provideBy(
    options,
    OpenMirror,
    (settings, ...parts) => new OpenMirror(...parts, settings.MAX_DELEGATION_DEPTH),
    [
      t.settings,
      t.unitOfWork,
      RecordChains,
      ApplyChange,
      SealBeside,
      FederatedEvents,
      t.agentReads,
      t.agentKeyReads,
      t.orgReads,
      t.recordReads,
      t.schemaValidators,
      t.gateEvaluator,
      Vault,
      PeerWords,
      t.ids,
    ],
  );
  provideBy(options, OfferQuota, () => new OfferQuota(), []);
  provide(options, TakeMessage, [
    t.recordReads,
    t.federationReads,
    LoadRecordType,
    VerifyMessage,
    OpenMirror,
    FollowHome,
    ApplyStep,
    RefuseMessage,
    OfferQuota,
    DetachRecord,
    ConfirmAnswer,
  ]);
  provide(options, ReceiveStateTransition, [VerifyMessage, TakeMessage, Vault]);
  provide(options, ReceiveSignal, [VerifyMessage, TakeMessage, Vault]);
});
