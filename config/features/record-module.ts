import { ContainerModule } from 'inversify';
import { EndPhase } from '../../application/dispute/end-phase.ts';
import { ReleaseHold } from '../../application/dispute/release-hold.ts';
import { IdempotentTransaction } from '../../application/call/idempotent-transaction.ts';
import { VerifiedTypes } from '../../application/record-type/verified-types.ts';
import { ActOnRecord } from '../../application/record/act-on-record.ts';
import { AddReference } from '../../application/record/add-reference.ts';
import { ApplyDeadlines } from '../../application/record/apply-deadlines.ts';
import { UpToDateSlices } from '../../application/record/up-to-date-slices.ts';
import { CancelSubtree } from '../../application/record/cancel-subtree.ts';
import { ApplyChange } from '../../application/record/apply-change.ts';
import { Children } from '../../application/record/children.ts';
import { ContentCheck } from '../../application/record/content-check.ts';
import { CreateRecord } from '../../application/record/create-record.ts';
import { CreateRecordsBulk } from '../../application/record/create-records-bulk.ts';
import { DelegateRecord } from '../../application/record/delegate-record.ts';
import { EncryptedContent } from '../../application/record/encrypted-content.ts';
import { EvaluatePending } from '../../application/record/evaluate-pending.ts';
import { ExpireRecord } from '../../application/record/expire-record.ts';
import { FindRecord } from '../../application/record/find-record.ts';
import { FinishEvaluations } from '../../application/record/finish-evaluations.ts';
import { GetCompletion } from '../../application/record/get-completion.ts';
import { GetGateStatus } from '../../application/record/get-gate-status.ts';
import { GetRecord } from '../../application/record/get-record.ts';
import { NamePeer } from '../../application/sharing/name-peer.ts';
import { OfferStep } from '../../application/record/offer-step.ts';
import { TellPeer } from '../../application/sharing/tell-peer.ts';
import { JudgeCompletion } from '../../application/record/judge-completion.ts';
import { LargeContents } from '../../application/record/large-contents.ts';
import { ListRecords } from '../../application/record/list-records.ts';
import { LoadRecordType } from '../../application/record/load-record-type.ts';
import { LockRecord } from '../../application/record/lock-record.ts';
import { NameParties } from '../../application/record/name-parties.ts';
import { OpenRecord } from '../../application/record/open-record.ts';
import { PlaceRecord } from '../../application/record/place-record.ts';
import { PresentRecord } from '../../application/record/present-record.ts';
import { ReadRecord } from '../../application/record/read-record.ts';
import { ReadTree } from '../../application/record/read-tree.ts';
import { RenderVerdict } from '../../application/record/render-verdict.ts';
import { SweepDeadlines } from '../../application/record/sweep-deadlines.ts';
import { SubmitCompletion } from '../../application/record/submit-completion.ts';
import { TransitionRecord } from '../../application/record/transition-record.ts';
import { RecordChains } from '../../application/sealing/record-chains.ts';
import { SealRecord } from '../../application/sealing/seal-record.ts';
import { Vault } from '../../application/sealing/vault.ts';
import { provide, provideBy } from '../provide.ts';
import { TOKENS as t } from '../tokens.ts';

/** Records, from the draft to the verdict. */
export const recordModule = new ContainerModule((options) => {
  provide(options, ActOnRecord, [
    t.unitOfWork,
    IdempotentTransaction,
    RecordChains,
    LockRecord,
    ApplyChange,
    ApplyDeadlines,
    LargeContents,
    OfferStep,
    t.homeWait,
  ]);
  provide(options, LargeContents, [t.recordReads]);
  provide(options, ExpireRecord, [ApplyChange]);
  provideBy(
    options,
    ApplyDeadlines,
    (unitOfWork, lock, contents, ...rules) => new ApplyDeadlines(unitOfWork, lock, contents, rules),
    [t.unitOfWork, LockRecord, LargeContents, ExpireRecord, EndPhase, ReleaseHold],
  );
  provide(options, LockRecord, [RecordChains, LoadRecordType]);
  provide(options, ApplyChange, [SealRecord, Children, LockRecord, TellPeer, t.ids]);
  provide(options, Children, [RecordChains]);
  provide(options, SweepDeadlines, [t.recordReads, ApplyDeadlines, t.ids, t.log]);
  provide(options, UpToDateSlices, [ApplyDeadlines, t.clock, t.recordReads]);
  provide(options, FindRecord, [t.recordReads, ApplyDeadlines]);
  provide(options, PresentRecord, [Vault, t.clock]);
  provide(options, EncryptedContent, [t.agentKeyReads]);
  provide(options, ContentCheck, [t.schemaValidators, EncryptedContent, t.gateEvaluator]);
  provide(options, NameParties, [t.agentReads, t.recordTypeReads]);
  provide(options, LoadRecordType, [t.recordTypeReads, VerifiedTypes, t.federationReads]);
  provide(options, JudgeCompletion, [t.gateEvaluator]);
  provide(options, OpenRecord, [
    t.recordTypeReads,
    VerifiedTypes,
    NameParties,
    ContentCheck,
    RecordChains,
    ApplyChange,
    PresentRecord,
    NamePeer,
    t.ids,
  ]);
  provideBy(
    options,
    DelegateRecord,
    (settings, ...parts) => new DelegateRecord(...parts, settings.MAX_DELEGATION_DEPTH),
    [
      t.settings,
      FindRecord,
      ActOnRecord,
      LoadRecordType,
      OpenRecord,
      RecordChains,
      t.disputeReads,
      t.clock,
    ],
  );
  provide(options, CancelSubtree, [LockRecord, ApplyChange]);

  provide(options, PlaceRecord, [IdempotentTransaction, OpenRecord, DelegateRecord]);
  provide(options, ReadRecord, [FindRecord, t.chainReads, t.disputeReads, PresentRecord]);
  provide(options, CreateRecord, [PlaceRecord]);
  provide(options, CreateRecordsBulk, [
    IdempotentTransaction,
    PlaceRecord,
    ReadRecord,
    t.inputCheck,
  ]);
  provide(options, GetRecord, [ReadRecord]);
  provide(options, ReadTree, [FindRecord, ApplyDeadlines, t.recordReads, t.chainReads]);
  provide(options, ListRecords, [t.recordReads, UpToDateSlices, PresentRecord]);
  provide(options, EvaluatePending, [ActOnRecord, Children, JudgeCompletion, PresentRecord]);
  provide(options, FinishEvaluations, [t.recordReads, ActOnRecord, EvaluatePending, t.ids, t.log]);
  provide(options, SubmitCompletion, [
    FindRecord,
    ActOnRecord,
    LoadRecordType,
    ContentCheck,
    Children,
    JudgeCompletion,
    EvaluatePending,
    PresentRecord,
    t.ids,
    t.log,
  ]);
  provide(options, GetCompletion, [FindRecord, t.completionReads, t.chainReads, PresentRecord]);
  provide(options, RenderVerdict, [ActOnRecord, Children, PresentRecord]);
  provide(options, TransitionRecord, [
    FindRecord,
    ActOnRecord,
    LoadRecordType,
    EvaluatePending,
    Children,
    CancelSubtree,
    NameParties,
    ContentCheck,
    PresentRecord,
  ]);
  provide(options, AddReference, [ActOnRecord, PresentRecord, t.ids]);
  provide(options, GetGateStatus, [FindRecord, t.completionReads, PresentRecord]);
});
