import type { ServiceIdentifier } from 'inversify';
import type { HttpServer } from '../adapters/http/server.ts';
import type { ChangeNotices } from '../adapters/cache/change-notices.ts';
import type { SchemaThread } from '../adapters/json-schema/schema-thread.ts';
import type { SqlAdapter } from '../adapters/sql/sql-adapter.ts';
import type { ExportAudit } from '../application/audit/export-audit.ts';
import type { ChangeNotice } from '../application/change-notice.port.ts';
import type { IdempotencyReads } from '../application/idempotency/idempotency-store.port.ts';
import type { RunOnce } from '../application/idempotency/run-once.ts';
import type { AddAgentReference } from '../application/identity/add-agent-reference.ts';
import type { AddSigningKey } from '../application/identity/add-signing-key.ts';
import type { AgentProfiles } from '../application/identity/agent-profiles.ts';
import type { Authenticate } from '../application/identity/authenticate.ts';
import type { BulkRevokeKeys } from '../application/identity/bulk-revoke-keys.ts';
import type { EgressClient } from '../application/egress/egress-client.port.ts';
import type { AttestCall } from '../application/identity/attest-call.ts';
import type { AuthenticateBearer } from '../application/identity/authenticate-bearer.ts';
import type { AuthenticateCert } from '../application/identity/authenticate-cert.ts';
import type { AuthenticateOidc } from '../application/identity/authenticate-oidc.ts';
import type { CreateIssuer } from '../application/identity/create-issuer.ts';
import type { DeleteIssuer } from '../application/identity/delete-issuer.ts';
import type { ExchangeToken } from '../application/identity/exchange-token.ts';
import type { JudgeToken } from '../application/identity/judge-token.ts';
import type { KeySets } from '../application/identity/key-sets.ts';
import type { GetIssuer, ListIssuers } from '../application/identity/read-issuers.ts';
import type { RevokeCert, RevokeIssuerCerts } from '../application/identity/revoke-certs.ts';
import type { TokenSignatures } from '../application/identity/token-signatures.port.ts';
import type { UpdateIssuer } from '../application/identity/update-issuer.ts';
import type { CryptoCapabilities } from '../application/vault/crypto-capabilities.port.ts';
import type { CreateAgent } from '../application/identity/create-agent.ts';
import type { DeactivateAgent } from '../application/identity/deactivate-agent.ts';
import type { DeclareCapabilities } from '../application/identity/declare-capabilities.ts';
import type { CreateOrg } from '../application/identity/create-org.ts';
import type { GetAgent } from '../application/identity/get-agent.ts';
import type { IssueKey } from '../application/identity/issue-key.ts';
import type { KeyLifetimes } from '../application/identity/key-lifetime.ts';
import type { ListAgents } from '../application/identity/list-agents.ts';
import type { ListKeys } from '../application/identity/list-keys.ts';
import type { ListOrgs } from '../application/identity/list-orgs.ts';
import type { MintKey } from '../application/identity/mint-key.ts';
import type { ReactivateAgent } from '../application/identity/reactivate-agent.ts';
import type { RevokeKeys } from '../application/identity/revoke-keys.ts';
import type { RevokeSigningKey } from '../application/identity/revoke-signing-key.ts';
import type { MoveToNewestPepper } from '../application/identity/move-to-newest-pepper.ts';
import type { RotateKey } from '../application/identity/rotate-key.ts';
import type { SetEncryptionKey } from '../application/identity/set-encryption-key.ts';
import type { VerifyCoSignature } from '../application/identity/verify-co-signature.ts';
import type { VerifySubjectToken } from '../application/identity/verify-subject-token.ts';
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
import type { ActOnDispute } from '../application/dispute/act-on-dispute.ts';
import type { EndPhase } from '../application/dispute/end-phase.ts';
import type { EscalateDispute } from '../application/dispute/escalate-dispute.ts';
import type { GetDispute } from '../application/dispute/get-dispute.ts';
import type { ListDisputes } from '../application/dispute/list-disputes.ts';
import type { OpenDispute } from '../application/dispute/open-dispute.ts';
import type { ResolveDispute } from '../application/dispute/resolve-dispute.ts';
import type { SubmitDisputeEvidence } from '../application/dispute/submit-dispute-evidence.ts';
import type { WithdrawDispute } from '../application/dispute/withdraw-dispute.ts';
import type { AddReference } from '../application/record/add-reference.ts';
import type { CarryOut } from '../application/record/carry-out.ts';
import type { CancelSubtree } from '../application/record/cancel-subtree.ts';
import type { Children } from '../application/record/children.ts';
import type { ContentCheck } from '../application/record/content-check.ts';
import type { EncryptedContent } from '../application/record/encrypted-content.ts';
import type { CreateRecord } from '../application/record/create-record.ts';
import type { CreateRecordsBulk } from '../application/record/create-records-bulk.ts';
import type { DelegateRecord } from '../application/record/delegate-record.ts';
import type { EvaluatePending } from '../application/record/evaluate-pending.ts';
import type { SettleDue } from '../application/record/settle-due.ts';
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
import type { ReadTree } from '../application/record/read-tree.ts';
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
import type { CertReads, TrustedIssuerReads } from '../domain/identity/certificate-store.port.ts';
import type { EventLog } from '../domain/event/event-log.port.ts';
import type {
  AgentKeyReads,
  AgentReads,
  AgentReferenceReads,
  ApiKeyReads,
  KeyUseLog,
  KeyVault,
  OrgReads,
} from '../domain/identity/identity-store.port.ts';
import type { Clock } from '../domain/kernel/clock.port.ts';
import type { IdSource } from '../domain/kernel/ids.ts';
import type { GateEvaluator } from '../domain/record-type/gate-evaluator.port.ts';
import type { RecordTypeReads } from '../domain/record-type/record-type-store.port.ts';
import type { SchemaValidator } from '../domain/record-type/schema-validator.port.ts';
import type { TierSeconds } from '../domain/record/dispute-moves.ts';
import type { DisputeReads } from '../domain/record/dispute-store.port.ts';
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
  disputeReads: token<DisputeReads>('dispute-reads'),
  performanceReads: token<PerformanceReads>('performance-reads'),
  recordTypeReads: token<RecordTypeReads>('record-type-reads'),
  chainReads: token<ChainReads>('chain-reads'),
  vaultKeyReads: token<VaultKeyReads>('vault-key-reads'),
  checkpointReads: token<CheckpointReads>('checkpoint-reads'),
  orgReads: token<OrgReads>('org-reads'),
  agentReads: token<AgentReads>('agent-reads'),
  agentKeyReads: token<AgentKeyReads>('agent-key-reads'),
  agentReferenceReads: token<AgentReferenceReads>('agent-reference-reads'),
  apiKeyReads: token<ApiKeyReads>('api-key-reads'),
  trustedIssuerReads: token<TrustedIssuerReads>('trusted-issuer-reads'),
  certReads: token<CertReads>('cert-reads'),
  idempotencyReads: token<IdempotencyReads>('idempotency-reads'),
  sealedKeys: token<SealedKeyStore>('sealed-keys'),
  keyUseLog: token<KeyUseLog>('key-use-log'),
  eventLog: token<EventLog>('event-log'),

  keySource: token<KeySource>('key-source'),
  keyVault: token<KeyVault>('key-vault'),
  schemaThread: token<SchemaThread>('schema-thread'),
  schemaValidator: token<SchemaValidator>('schema-validator'),
  gateEvaluator: token<GateEvaluator>('gate-evaluator'),
  rateLimiter: token<RateLimiter>('rate-limiter'),

  vault: token<Vault>('vault'),
  sealEvents: token<SealEvents>('seal-events'),
  runOnce: token<RunOnce>('run-once'),
  listVerificationKeys: token<ListVerificationKeys>('list-verification-keys'),

  actOnRecord: token<ActOnRecord>('act-on-record'),
  carryOut: token<CarryOut>('carry-out'),
  children: token<Children>('children'),
  cancelSubtree: token<CancelSubtree>('cancel-subtree'),
  delegateRecord: token<DelegateRecord>('delegate-record'),
  endPhase: token<EndPhase>('end-phase'),
  finishEvaluations: token<FinishEvaluations>('finish-evaluations'),
  settleDue: token<SettleDue>('settle-due'),
  findRecord: token<FindRecord>('find-record'),
  presentRecord: token<PresentRecord>('present-record'),
  contentCheck: token<ContentCheck>('content-check'),
  encryptedContent: token<EncryptedContent>('encrypted-content'),
  nameParties: token<NameParties>('name-parties'),
  loadManifest: token<LoadManifest>('load-manifest'),
  judgeCompletion: token<JudgeCompletion>('judge-completion'),
  openRecord: token<OpenRecord>('open-record'),
  createRecord: token<CreateRecord>('create-record'),
  createRecordsBulk: token<CreateRecordsBulk>('create-records-bulk'),
  getRecord: token<GetRecord>('get-record'),
  readTree: token<ReadTree>('read-tree'),
  listRecords: token<ListRecords>('list-records'),
  submitCompletion: token<SubmitCompletion>('submit-completion'),
  evaluatePending: token<EvaluatePending>('evaluate-pending'),
  getCompletion: token<GetCompletion>('get-completion'),
  renderVerdict: token<RenderVerdict>('render-verdict'),
  transitionRecord: token<TransitionRecord>('transition-record'),
  getGateStatus: token<GetGateStatus>('get-gate-status'),
  addReference: token<AddReference>('add-reference'),
  disputeTiers: token<TierSeconds>('dispute-tiers'),
  actOnDispute: token<ActOnDispute>('act-on-dispute'),
  openDispute: token<OpenDispute>('open-dispute'),
  submitDisputeEvidence: token<SubmitDisputeEvidence>('submit-dispute-evidence'),
  escalateDispute: token<EscalateDispute>('escalate-dispute'),
  resolveDispute: token<ResolveDispute>('resolve-dispute'),
  withdrawDispute: token<WithdrawDispute>('withdraw-dispute'),
  getDispute: token<GetDispute>('get-dispute'),
  listDisputes: token<ListDisputes>('list-disputes'),
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
  newestPepper: token<MoveToNewestPepper>('newest-pepper'),
  createOrg: token<CreateOrg>('create-org'),
  listOrgs: token<ListOrgs>('list-orgs'),
  createAgent: token<CreateAgent>('create-agent'),
  listAgents: token<ListAgents>('list-agents'),
  getAgent: token<GetAgent>('get-agent'),
  declareCapabilities: token<DeclareCapabilities>('declare-capabilities'),
  agentProfiles: token<AgentProfiles>('agent-profiles'),
  setEncryptionKey: token<SetEncryptionKey>('set-encryption-key'),
  addSigningKey: token<AddSigningKey>('add-signing-key'),
  revokeSigningKey: token<RevokeSigningKey>('revoke-signing-key'),
  addAgentReference: token<AddAgentReference>('add-agent-reference'),
  getReputation: token<GetReputation>('get-reputation'),
  listHistory: token<ListHistory>('list-history'),
  getDrift: token<GetDrift>('get-drift'),
  listDrift: token<ListDrift>('list-drift'),
  mintKey: token<MintKey>('mint-key'),
  listKeys: token<ListKeys>('list-keys'),
  updateKey: token<UpdateKey>('update-key'),
  revokeKeys: token<RevokeKeys>('revoke-keys'),
  bulkRevokeKeys: token<BulkRevokeKeys>('bulk-revoke-keys'),
  deactivateAgent: token<DeactivateAgent>('deactivate-agent'),
  reactivateAgent: token<ReactivateAgent>('reactivate-agent'),
  rotateKey: token<RotateKey>('rotate-key'),

  egressClient: token<EgressClient>('egress-client'),
  cryptoCapabilities: token<CryptoCapabilities>('crypto-capabilities'),
  tokenSignatures: token<TokenSignatures>('token-signatures'),
  keySets: token<KeySets>('key-sets'),
  judgeToken: token<JudgeToken>('judge-token'),
  verifyCoSignature: token<VerifyCoSignature>('verify-co-signature'),
  verifySubjectToken: token<VerifySubjectToken>('verify-subject-token'),
  attestCall: token<AttestCall>('attest-call'),
  authenticateCert: token<AuthenticateCert>('authenticate-cert'),
  authenticateOidc: token<AuthenticateOidc>('authenticate-oidc'),
  authenticateBearer: token<AuthenticateBearer>('authenticate-bearer'),
  createIssuer: token<CreateIssuer>('create-issuer'),
  getIssuer: token<GetIssuer>('get-issuer'),
  listIssuers: token<ListIssuers>('list-issuers'),
  updateIssuer: token<UpdateIssuer>('update-issuer'),
  deleteIssuer: token<DeleteIssuer>('delete-issuer'),
  exchangeToken: token<ExchangeToken>('exchange-token'),
  revokeCert: token<RevokeCert>('revoke-cert'),
  revokeIssuerCerts: token<RevokeIssuerCerts>('revoke-issuer-certs'),

  bootstrapPlatform: token<BootstrapPlatform>('bootstrap-platform'),
  checkHealth: token<CheckHealth>('check-health'),
  httpServer: token<HttpServer>('http-server'),
} as const;
