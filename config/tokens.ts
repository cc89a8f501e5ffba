import type { ServiceIdentifier } from 'inversify';
import type { HttpServer } from '../adapters/http/server.ts';
import type { ChangeNotices } from '../adapters/cache/change-notices.ts';
import type { SqlAdapter } from '../adapters/sql/sql-adapter.ts';
import type { ExportAudit } from '../application/audit/export-audit.ts';
import type { ChangeNotice } from '../application/change-notice.port.ts';
import type { IdempotencyReads } from '../application/idempotency/idempotency-store.port.ts';
import type { RunOnce } from '../application/idempotency/run-once.ts';
import type { Authenticate } from '../application/identity/authenticate.ts';
import type { CreateAgent } from '../application/identity/create-agent.ts';
import type { DeclareCapabilities } from '../application/identity/declare-capabilities.ts';
import type { CreateOrg } from '../application/identity/create-org.ts';
import type { GetAgent } from '../application/identity/get-agent.ts';
import type { IssueKey } from '../application/identity/issue-key.ts';
import type { KeyLifetimes } from '../application/identity/key-lifetime.ts';
import type { ListAgents } from '../application/identity/list-agents.ts';
import type { ListKeys } from '../application/identity/list-keys.ts';
import type { ListOrgs } from '../application/identity/list-orgs.ts';
import type { MintKey } from '../application/identity/mint-key.ts';
import type { RotateKey } from '../application/identity/rotate-key.ts';
import type { UpdateKey } from '../application/identity/update-key.ts';
import type { RateLimiter } from '../application/limits/rate-limiter.port.ts';
import type { Log } from '../application/log.port.ts';
import type { BootstrapPlatform } from '../application/operations/bootstrap-platform.ts';
import type { CheckHealth } from '../application/operations/check-health.ts';
import type { ChangeTypeStatus } from '../application/record-type/change-type-status.ts';
import type { DeleteType } from '../application/record-type/delete-type.ts';
import type { ExportTypes } from '../application/record-type/export-types.ts';
import type { FindType } from '../application/record-type/find-type.ts';
import type { GenuineTypes } from '../application/record-type/genuine-types.ts';
import type { GetPublicSchema } from '../application/record-type/get-public-schema.ts';
import type { GetType } from '../application/record-type/get-type.ts';
import type { ImportTypes } from '../application/record-type/import-types.ts';
import type { ListTypes } from '../application/record-type/list-types.ts';
import type { ListVersions } from '../application/record-type/list-versions.ts';
import type { RegisterType } from '../application/record-type/register-type.ts';
import type { ValidateContent } from '../application/record-type/validate-content.ts';
import type { ActOnRecord } from '../application/record/act-on-record.ts';
import type { AddReference } from '../application/record/add-reference.ts';
import type { ContentCheck } from '../application/record/content-check.ts';
import type { CreateRecord } from '../application/record/create-record.ts';
import type { CreateRecordsBulk } from '../application/record/create-records-bulk.ts';
import type { EvaluatePending } from '../application/record/evaluate-pending.ts';
import type { ExpireDue } from '../application/record/expire-due.ts';
import type { FinishEvaluations } from '../application/record/finish-evaluations.ts';
import type { FindRecord } from '../application/record/find-record.ts';
import type { GetCompletion } from '../application/record/get-completion.ts';
import type { GetGateStatus } from '../application/record/get-gate-status.ts';
import type { GetRecord } from '../application/record/get-record.ts';
import type { JudgeCompletion } from '../application/record/judge-completion.ts';
import type { ListRecords } from '../application/record/list-records.ts';
import type { LoadManifest } from '../application/record/load-manifest.ts';
import type { NameParties } from '../application/record/name-parties.ts';
import type { OpenRecord } from '../application/record/open-record.ts';
import type { PresentRecord } from '../application/record/present-record.ts';
import type { RenderVerdict } from '../application/record/render-verdict.ts';
import type { SubmitCompletion } from '../application/record/submit-completion.ts';
import type { TransitionRecord } from '../application/record/transition-record.ts';
import type { GetDrift } from '../application/reputation/get-drift.ts';
import type { GetReputation } from '../application/reputation/get-reputation.ts';
import type { ListDrift } from '../application/reputation/list-drift.ts';
import type { ListHistory } from '../application/reputation/list-history.ts';
import type { SealEvents } from '../application/sealing/seal-events.ts';
import type { UnitOfWork } from '../application/unit-of-work.port.ts';
import type { ListVerificationKeys } from '../application/vault/list-verification-keys.ts';
import type { Vault } from '../application/vault/vault.ts';
import type { AgentReads, ApiKeyReads, KeyUseLog, KeyVault, OrgReads } from '../domain/identity/identity-store.port.ts';
import type { Clock } from '../domain/kernel/clock.port.ts';
import type { IdSource } from '../domain/kernel/ids.ts';
import type { GateEvaluator } from '../domain/record-type/gate-evaluator.port.ts';
import type { RecordTypeReads } from '../domain/record-type/record-type-store.port.ts';
import type { SchemaValidator } from '../domain/record-type/schema-validator.port.ts';
import type { CompletionReads, RecordReads } from '../domain/record/record-store.port.ts';
import type { PerformanceReads } from '../domain/reputation/performance-reads.port.ts';
import type { ChainReads } from '../domain/vault/chain-store.port.ts';
import type { KeySource } from '../domain/vault/key-source.port.ts';
import type { SealedKeyStore } from '../domain/vault/sealed-key-store.port.ts';
import type { CheckpointReads, VaultKeyReads } from '../domain/vault/vault-store.port.ts';
import type { Secrets } from './secrets.ts';
import type { Settings } from './settings-table.ts';

/** A name under which the container knows a thing of type T. */
const token = <T>(name: string): ServiceIdentifier<T> => Symbol.for(`notary.${name}`);

/** Everything the container knows. A test resolves each of these for every choice of adapters. */
export const TOKENS = {
  settings: token<Settings>('settings'),
  secrets: token<Secrets>('secrets'),
  sql: token<SqlAdapter>('sql'),
  log: token<Log>('log'),
  clock: token<Clock>('clock'),
  ids: token<IdSource>('ids'),
  changeNotices: token<ChangeNotices>('change-notices'),
  changeNotice: token<ChangeNotice>('change-notice'),

  unitOfWork: token<UnitOfWork>('unit-of-work'),
  recordReads: token<RecordReads>('record-reads'),
  completionReads: token<CompletionReads>('completion-reads'),
  performanceReads: token<PerformanceReads>('performance-reads'),
  recordTypeReads: token<RecordTypeReads>('record-type-reads'),
  chainReads: token<ChainReads>('chain-reads'),
  vaultKeyReads: token<VaultKeyReads>('vault-key-reads'),
  checkpointReads: token<CheckpointReads>('checkpoint-reads'),
  orgReads: token<OrgReads>('org-reads'),
  agentReads: token<AgentReads>('agent-reads'),
  apiKeyReads: token<ApiKeyReads>('api-key-reads'),
  idempotencyReads: token<IdempotencyReads>('idempotency-reads'),
  sealedKeys: token<SealedKeyStore>('sealed-keys'),
  keyUseLog: token<KeyUseLog>('key-use-log'),

  keySource: token<KeySource>('key-source'),
  keyVault: token<KeyVault>('key-vault'),
  schemaValidator: token<SchemaValidator>('schema-validator'),
  gateEvaluator: token<GateEvaluator>('gate-evaluator'),
  rateLimiter: token<RateLimiter>('rate-limiter'),

  vault: token<Vault>('vault'),
  sealEvents: token<SealEvents>('seal-events'),
  runOnce: token<RunOnce>('run-once'),
  listVerificationKeys: token<ListVerificationKeys>('list-verification-keys'),

  actOnRecord: token<ActOnRecord>('act-on-record'),
  finishEvaluations: token<FinishEvaluations>('finish-evaluations'),
  expireDue: token<ExpireDue>('expire-due'),
  findRecord: token<FindRecord>('find-record'),
  presentRecord: token<PresentRecord>('present-record'),
  contentCheck: token<ContentCheck>('content-check'),
  nameParties: token<NameParties>('name-parties'),
  loadManifest: token<LoadManifest>('load-manifest'),
  judgeCompletion: token<JudgeCompletion>('judge-completion'),
  openRecord: token<OpenRecord>('open-record'),
  createRecord: token<CreateRecord>('create-record'),
  createRecordsBulk: token<CreateRecordsBulk>('create-records-bulk'),
  getRecord: token<GetRecord>('get-record'),
  listRecords: token<ListRecords>('list-records'),
  submitCompletion: token<SubmitCompletion>('submit-completion'),
  evaluatePending: token<EvaluatePending>('evaluate-pending'),
  getCompletion: token<GetCompletion>('get-completion'),
  renderVerdict: token<RenderVerdict>('render-verdict'),
  transitionRecord: token<TransitionRecord>('transition-record'),
  getGateStatus: token<GetGateStatus>('get-gate-status'),
  addReference: token<AddReference>('add-reference'),
  exportAudit: token<ExportAudit>('export-audit'),

  genuineTypes: token<GenuineTypes>('genuine-types'),
  registerType: token<RegisterType>('register-type'),
  getType: token<GetType>('get-type'),
  listTypes: token<ListTypes>('list-types'),
  findType: token<FindType>('find-type'),
  listVersions: token<ListVersions>('list-versions'),
  changeTypeStatus: token<ChangeTypeStatus>('change-type-status'),
  deleteType: token<DeleteType>('delete-type'),
  validateContent: token<ValidateContent>('validate-content'),
  getPublicSchema: token<GetPublicSchema>('get-public-schema'),
  exportTypes: token<ExportTypes>('export-types'),
  importTypes: token<ImportTypes>('import-types'),

  keyLifetimes: token<KeyLifetimes>('key-lifetimes'),
  issueKey: token<IssueKey>('issue-key'),
  authenticate: token<Authenticate>('authenticate'),
  createOrg: token<CreateOrg>('create-org'),
  listOrgs: token<ListOrgs>('list-orgs'),
  createAgent: token<CreateAgent>('create-agent'),
  listAgents: token<ListAgents>('list-agents'),
  getAgent: token<GetAgent>('get-agent'),
  declareCapabilities: token<DeclareCapabilities>('declare-capabilities'),
  getReputation: token<GetReputation>('get-reputation'),
  listHistory: token<ListHistory>('list-history'),
  getDrift: token<GetDrift>('get-drift'),
  listDrift: token<ListDrift>('list-drift'),
  mintKey: token<MintKey>('mint-key'),
  listKeys: token<ListKeys>('list-keys'),
  updateKey: token<UpdateKey>('update-key'),
  rotateKey: token<RotateKey>('rotate-key'),

  bootstrapPlatform: token<BootstrapPlatform>('bootstrap-platform'),
  checkHealth: token<CheckHealth>('check-health'),
  httpServer: token<HttpServer>('http-server'),
} as const;
