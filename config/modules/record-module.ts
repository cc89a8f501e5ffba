import { setTimeout } from 'node:timers/promises';
import { ContainerModule } from 'inversify';
import { CelGateEvaluator } from '../../adapters/cel/cel-gate-evaluator.ts';
import { AjvSchemaValidator } from '../../adapters/json-schema/ajv-schema-validator.ts';
import { GuardedSchemaValidator } from '../../adapters/json-schema/guarded-schema-validator.ts';
import { SchemaThread } from '../../adapters/json-schema/schema-thread.ts';
import { ExportAudit } from '../../application/audit/export-audit.ts';
import { ChangeTypeStatus } from '../../application/record-type/change-type-status.ts';
import { DeleteType } from '../../application/record-type/delete-type.ts';
import { ExportTypes } from '../../application/record-type/export-types.ts';
import { FindType } from '../../application/record-type/find-type.ts';
import { GenuineTypes } from '../../application/record-type/genuine-types.ts';
import { GetPublicSchema } from '../../application/record-type/get-public-schema.ts';
import { GetType } from '../../application/record-type/get-type.ts';
import { ImportTypes } from '../../application/record-type/import-types.ts';
import { ListTypes } from '../../application/record-type/list-types.ts';
import { ListVersions } from '../../application/record-type/list-versions.ts';
import { RegisterType } from '../../application/record-type/register-type.ts';
import { ValidateContent } from '../../application/record-type/validate-content.ts';
import { ActOnRecord } from '../../application/record/act-on-record.ts';
import { AddReference } from '../../application/record/add-reference.ts';
import { CarryOut } from '../../application/record/carry-out.ts';
import { CancelSubtree } from '../../application/record/cancel-subtree.ts';
import { Children } from '../../application/record/children.ts';
import { ContentCheck } from '../../application/record/content-check.ts';
import { EncryptedContent } from '../../application/record/encrypted-content.ts';
import { CreateRecord } from '../../application/record/create-record.ts';
import { CreateRecordsBulk } from '../../application/record/create-records-bulk.ts';
import { DelegateRecord } from '../../application/record/delegate-record.ts';
import { EvaluatePending } from '../../application/record/evaluate-pending.ts';
import { SettleDue } from '../../application/record/settle-due.ts';
import { FinishEvaluations } from '../../application/record/finish-evaluations.ts';
import { FindRecord } from '../../application/record/find-record.ts';
import { GetCompletion } from '../../application/record/get-completion.ts';
import { GetGateStatus } from '../../application/record/get-gate-status.ts';
import { GetRecord } from '../../application/record/get-record.ts';
import { JudgeCompletion } from '../../application/record/judge-completion.ts';
import { ListRecords } from '../../application/record/list-records.ts';
import { LoadManifest } from '../../application/record/load-manifest.ts';
import { NameParties } from '../../application/record/name-parties.ts';
import { OpenRecord } from '../../application/record/open-record.ts';
import { PresentRecord } from '../../application/record/present-record.ts';
import { ReadTree } from '../../application/record/read-tree.ts';
import { RenderVerdict } from '../../application/record/render-verdict.ts';
import { SubmitCompletion } from '../../application/record/submit-completion.ts';
import { TransitionRecord } from '../../application/record/transition-record.ts';
import { provide, provideBy } from '../provide.ts';
import { TOKENS } from '../tokens.ts';
import { VERSION } from '../version.ts';

/** Records and their types. */
export const recordModule = new ContainerModule((options) => {
  const t = TOKENS;
  provideBy(options, t.schemaThread, () => new SchemaThread(), []);
  provideBy(
    options,
    t.schemaValidator,
    (thread) => new GuardedSchemaValidator(new AjvSchemaValidator(), thread),
    [t.schemaThread],
  );
  provideBy(options, t.gateEvaluator, () => new CelGateEvaluator(), []);

  provide(options, t.actOnRecord, ActOnRecord, [
    t.unitOfWork,
    t.runOnce,
    t.sealEvents,
    t.loadManifest,
    t.carryOut,
    t.endPhase,
  ]);
  provide(options, t.carryOut, CarryOut, [t.sealEvents, t.children, t.loadManifest, t.ids]);
  provide(options, t.children, Children, [t.sealEvents]);
  provide(options, t.settleDue, SettleDue, [t.recordReads, t.actOnRecord, t.ids, t.log]);
  provide(options, t.findRecord, FindRecord, [t.recordReads, t.actOnRecord]);
  provide(options, t.presentRecord, PresentRecord, [t.vault, t.clock]);
  provide(options, t.encryptedContent, EncryptedContent, [t.agentKeyReads]);
  provide(options, t.contentCheck, ContentCheck, [
    t.schemaValidator,
    t.encryptedContent,
    t.gateEvaluator,
  ]);
  provide(options, t.nameParties, NameParties, [t.agentReads, t.recordTypeReads]);
  provide(options, t.loadManifest, LoadManifest, [t.recordTypeReads, t.genuineTypes]);
  provide(options, t.judgeCompletion, JudgeCompletion, [t.gateEvaluator]);
  provide(options, t.openRecord, OpenRecord, [
    t.recordTypeReads,
    t.genuineTypes,
    t.nameParties,
    t.contentCheck,
    t.sealEvents,
    t.carryOut,
    t.presentRecord,
    t.ids,
  ]);
  provideBy(
    options,
    t.delegateRecord,
    (find, act, load, open, settings) =>
      new DelegateRecord(find, act, load, open, settings.MAX_DELEGATION_DEPTH),
    [t.findRecord, t.actOnRecord, t.loadManifest, t.openRecord, t.settings],
  );
  provide(options, t.cancelSubtree, CancelSubtree, [t.sealEvents, t.carryOut]);

  provide(options, t.createRecord, CreateRecord, [t.runOnce, t.openRecord, t.delegateRecord]);
  provide(options, t.createRecordsBulk, CreateRecordsBulk, [
    t.runOnce,
    t.createRecord,
    t.getRecord,
  ]);
  provide(options, t.getRecord, GetRecord, [
    t.findRecord,
    t.chainReads,
    t.disputeReads,
    t.presentRecord,
  ]);
  provide(options, t.readTree, ReadTree, [t.findRecord, t.recordReads, t.chainReads]);
  provide(options, t.listRecords, ListRecords, [
    t.recordReads,
    t.actOnRecord,
    t.clock,
    t.presentRecord,
  ]);
  provide(options, t.evaluatePending, EvaluatePending, [
    t.actOnRecord,
    t.children,
    t.judgeCompletion,
    t.presentRecord,
  ]);
  provide(options, t.finishEvaluations, FinishEvaluations, [
    t.recordReads,
    t.actOnRecord,
    t.loadManifest,
    t.evaluatePending,
    t.ids,
    t.log,
  ]);
  provide(options, t.submitCompletion, SubmitCompletion, [
    t.findRecord,
    t.actOnRecord,
    t.loadManifest,
    t.contentCheck,
    t.children,
    t.judgeCompletion,
    t.evaluatePending,
    t.presentRecord,
    t.ids,
    t.log,
  ]);
  provide(options, t.getCompletion, GetCompletion, [
    t.findRecord,
    t.completionReads,
    t.chainReads,
    t.presentRecord,
  ]);
  provide(options, t.renderVerdict, RenderVerdict, [
    t.actOnRecord,
    t.loadManifest,
    t.children,
    t.presentRecord,
  ]);
  provide(options, t.transitionRecord, TransitionRecord, [
    t.findRecord,
    t.actOnRecord,
    t.loadManifest,
    t.evaluatePending,
    t.children,
    t.cancelSubtree,
    t.nameParties,
    t.contentCheck,
    t.presentRecord,
  ]);
  provide(options, t.addReference, AddReference, [t.actOnRecord, t.presentRecord, t.ids]);
  provide(options, t.getGateStatus, GetGateStatus, [
    t.findRecord,
    t.completionReads,
    t.presentRecord,
  ]);
  provideBy(
    options,
    t.exportAudit,
    (
      findRecord,
      unitOfWork,
      sealing,
      vault,
      chains,
      completions,
      checkpoints,
      vaultKeys,
      clock,
      ids,
      settings,
    ) =>
      new ExportAudit(
        findRecord,
        unitOfWork,
        sealing,
        vault,
        chains,
        completions,
        checkpoints,
        vaultKeys,
        clock,
        ids,
        { baseUrl: settings.PUBLIC_URL, version: VERSION },
      ),
    [
      t.findRecord,
      t.unitOfWork,
      t.sealEvents,
      t.vault,
      t.chainReads,
      t.completionReads,
      t.checkpointReads,
      t.vaultKeyReads,
      t.clock,
      t.ids,
      t.settings,
    ],
  );

  provide(options, t.genuineTypes, GenuineTypes, [t.chainReads, t.vault]);
  provide(options, t.registerType, RegisterType, [
    t.runOnce,
    t.sealEvents,
    t.schemaValidator,
    t.gateEvaluator,
    t.vault,
    t.changeNotice,
    t.ids,
  ]);
  provide(options, t.findType, FindType, [t.recordTypeReads, t.recordReads]);
  provide(options, t.getType, GetType, [t.findType]);
  provide(options, t.listTypes, ListTypes, [t.recordTypeReads]);
  provide(options, t.listVersions, ListVersions, [t.recordTypeReads]);
  provide(options, t.changeTypeStatus, ChangeTypeStatus, [
    t.runOnce,
    t.sealEvents,
    t.genuineTypes,
    t.vault,
    t.changeNotice,
  ]);
  provideBy(
    options,
    t.deleteType,
    (runOnce, sealing, genuineTypes, vault, notice, clock) =>
      new DeleteType(runOnce, sealing, genuineTypes, vault, notice, clock, setTimeout),
    [t.runOnce, t.sealEvents, t.genuineTypes, t.vault, t.changeNotice, t.clock],
  );
  provide(options, t.validateContent, ValidateContent, [
    t.runOnce,
    t.findType,
    t.genuineTypes,
    t.contentCheck,
    t.gateEvaluator,
    t.clock,
  ]);
  provide(options, t.getPublicSchema, GetPublicSchema, [t.recordTypeReads]);
  provide(options, t.exportTypes, ExportTypes, [
    t.recordTypeReads,
    t.genuineTypes,
    t.vault,
    t.clock,
  ]);
  provide(options, t.importTypes, ImportTypes, [
    t.runOnce,
    t.sealEvents,
    t.vault,
    t.changeNotice,
    t.ids,
  ]);
});
