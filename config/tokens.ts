import type { ServiceIdentifier } from 'inversify';
import type { ClientAddress } from '../adapters/http/http-call.ts';
import type { HttpRoute } from '../adapters/http/http-route.ts';
import type { SqlAdapter } from '../adapters/sql/sql-adapter.ts';
import type { ServiceInfo } from '../application/audit/audit-export-document.ts';
import type { CursorMac } from '../application/call/cursor-mac.port.ts';
import type { InputCheck } from '../application/call/input-check.port.ts';
import type { JsonReader } from '../application/call/json-reader.port.ts';
import type { ChangeNotice } from '../application/ports/change-notice.port.ts';
import type { IdempotencyReads } from '../application/ports/idempotency-store.port.ts';
import type { WebhookSecrets } from '../application/delivery/webhook-secrets.port.ts';
import type { EgressPost } from '../application/ports/egress-post.port.ts';
import type { SignDelivery } from '../application/delivery/sign-delivery.port.ts';
import type { SummedEvents } from '../application/event/summed-events.ts';
import type { AddressRules } from '../application/egress/address-rules.port.ts';
import type { EgressClient } from '../application/ports/egress-client.port.ts';
import type { JwksSource } from '../application/identity/jwks-source.port.ts';
import type { TokenSignatures } from '../application/identity/token-signatures.port.ts';
import type { CryptoCapabilities } from '../application/sealing/crypto-capabilities.port.ts';
import type { KeyLifetimes } from '../application/identity/key-lifetime.ts';
import type { HealthReads } from '../application/operations/health-reads.port.ts';
import type { Measures } from '../application/ports/measures.port.ts';
import type { Tracer } from '../application/ports/tracer.port.ts';
import type { ProcessFacts } from '../application/operations/process-facts.port.ts';
import type { JobLeases } from '../application/ports/job-leases.port.ts';
import type { SharedLimiter } from '../adapters/limits/shared-limiter.ts';
import type { ExemptOwners } from '../application/ports/exempt-owners.port.ts';
import type { RateLimiter } from '../application/ports/rate-limiter.port.ts';
import type { Log } from '../application/ports/log.port.ts';
import type { UnitOfWork } from '../application/ports/unit-of-work.port.ts';
import type { LockedSigning } from '../application/sealing/locked-signing.port.ts';
import type { KeyChoice } from '../application/sealing/signing-keys.ts';
import type { VaultScanReads } from '../application/ports/vault-scan-store.port.ts';
import type { VaultScanner } from '../application/vault/scan/vault-scanner.port.ts';
import type { VaultOptions } from '../application/sealing/vault-options.ts';
import type { CertReads, TrustedIssuerReads } from '../domain/identity/certificate-store.port.ts';
import type { AwaitHome } from '../application/sharing/await-home.ts';
import type { LaneNotice } from '../application/federation/lane-notice.port.ts';
import type { OutgoingMessages } from '../application/sharing/outgoing.port.ts';
import type { FederationReads } from '../domain/federation/federation-store.port.ts';
import type { LaneReads } from '../domain/federation/lane-store.port.ts';
import type { EventNotice } from '../application/event/event-notice.port.ts';
import type { EventLog } from '../domain/event/event-log.port.ts';
import type { DeliveryQueue, WebhookReads } from '../domain/delivery/webhook-store.port.ts';
import type { ComplianceExportReads } from '../application/ports/compliance-export-store.port.ts';
import type { EventPlaces } from '../domain/event/event-places.port.ts';
import type { EventReads } from '../domain/event/event-reads.port.ts';
import type { ApiKeyHasher } from '../domain/identity/api-key-hasher.port.ts';
import type {
  AgentKeyReads,
  AgentReads,
  AgentReferenceReads,
  ApiKeyReads,
  KeyUseLog,
  OrgReads,
} from '../domain/identity/identity-store.port.ts';
import type { Clock } from '../domain/kernel/clock.port.ts';
import type { IdSource } from '../domain/kernel/ids.ts';
import type { GateEvaluator } from '../domain/record-type/gate-evaluator.port.ts';
import type { RecordTypeReads } from '../domain/record-type/record-type-store.port.ts';
import type { SchemaValidators } from '../domain/record-type/schema-validator.port.ts';
import type { TierSeconds } from '../domain/dispute/moves.ts';
import type { CoSignedRequestReads } from '../domain/identity/co-signed-request-store.port.ts';
import type { DisputeReads } from '../domain/dispute/dispute-store.port.ts';
import type { CompletionReads, RecordReads } from '../domain/record/record-store.port.ts';
import type { PerformanceReads } from '../domain/reputation/performance-reads.port.ts';
import type { ProvisioningFiles } from '../application/provisioning/provisioning-files.port.ts';
import type { SecretFiles } from '../application/provisioning/secret-files.port.ts';
import type { ProvisionedRowReads } from '../application/ports/provisioned-rows.port.ts';
import type { RateLimitExemptionReads } from '../domain/identity/rate-limit-exemption-store.port.ts';
import type { WitnessReads } from '../domain/identity/witness-store.port.ts';
import type { HubKeySecrets } from '../application/federation/hub-key-secrets.port.ts';
import type { PeerReceivers } from '../application/federation/peer-receivers.ts';
import type { PeerTransport } from '../application/federation/peer-transport.port.ts';
import type { HubKeyReads } from '../domain/federation/hub-key-store.port.ts';
import type { PeerKeyStatementReads, PeerReads } from '../domain/federation/peer-store.port.ts';
import type { OrgReadsReads } from '../domain/transparency/org-reads-store.port.ts';
import type { StatementLogReads } from '../domain/transparency/statement-log.port.ts';
import type { TreeReads } from '../domain/transparency/tree-store.port.ts';
import type { AnchorLog } from '../domain/vault/anchor-log.port.ts';
import type { AnchorStore } from '../domain/vault/anchor.port.ts';
import type { RewindReads } from '../domain/vault/rewind-store.port.ts';
import type { TimestampAuthority } from '../application/vault/timestamp-authority.port.ts';
import type { TimestampChecker } from '../domain/vault/timestamp-checker.port.ts';
import type { TimestampReads } from '../domain/vault/timestamp-store.port.ts';
import type { ChainReads } from '../domain/vault/chain-store.port.ts';
import type { KeySource } from '../domain/vault/key-source.port.ts';
import type { SealedKeyStore } from '../domain/vault/sealed-key-store.port.ts';
import type { VaultSnapshots } from '../domain/transparency/vault-snapshots.port.ts';
import type { CheckpointReads, VaultKeyReads } from '../domain/vault/vault-store.port.ts';
import type { Secrets } from './secrets.ts';
import type { Settings } from './settings-table.ts';

/** A name under which the container knows a port or a setting of type T. */
const token = <T>(name: string): ServiceIdentifier<T> => Symbol.for(`notary.${name}`);

/**
 * The ports and the settings. A class is its own token and needs no line here:
 * `container.get(CreateRecord)`. A test resolves each of these, and each class, for every choice of
 * adapters.
 */
export const TOKENS = {
  settings: token<Settings>('settings'),
  secrets: token<Secrets>('secrets'),
  sql: token<SqlAdapter>('sql'),
  log: token<Log>('log'),
  clock: token<Clock>('clock'),
  ids: token<IdSource>('ids'),
  changeNotice: token<ChangeNotice>('change-notice'),
  apiKeyHasher: token<ApiKeyHasher>('api-key-hasher'),
  /** The newest first. */
  cursorMacs: token<readonly CursorMac[]>('cursor-macs'),
  rateLimiter: token<RateLimiter>('rate-limiter'),
  exemptOwners: token<ExemptOwners>('exempt-owners'),
  /** Null where each process counts for itself. */
  sharedLimits: token<SharedLimiter | null>('shared-limits'),
  egressClient: token<EgressClient>('egress-client'),
  egressPost: token<EgressPost>('egress-post'),
  webhookAddresses: token<AddressRules>('webhook-addresses'),
  peerAddresses: token<AddressRules>('peer-addresses'),
  providerAddresses: token<AddressRules>('provider-addresses'),
  signDelivery: token<SignDelivery>('sign-delivery'),
  publicUrl: token<string>('public-url'),
  clientAddress: token<ClientAddress>('client-address'),
  a2aRoutes: token<readonly HttpRoute[]>('a2a-routes'),
  mcpRoute: token<HttpRoute>('mcp-route'),
  /** Empty but in the service of a demo. */
  demoRoutes: token<readonly HttpRoute[]>('demo-routes'),

  unitOfWork: token<UnitOfWork>('unit-of-work'),
  /** Null where no traces are told. */
  tracer: token<Tracer | null>('tracer'),
  signingWork: token<UnitOfWork>('signing-work'),
  recordReads: token<RecordReads>('record-reads'),
  completionReads: token<CompletionReads>('completion-reads'),
  disputeReads: token<DisputeReads>('dispute-reads'),
  performanceReads: token<PerformanceReads>('performance-reads'),
  recordTypeReads: token<RecordTypeReads>('record-type-reads'),
  chainReads: token<ChainReads>('chain-reads'),
  coSignedRequestReads: token<CoSignedRequestReads>('co-signed-request-reads'),
  vaultKeyReads: token<VaultKeyReads>('vault-key-reads'),
  checkpointReads: token<CheckpointReads>('checkpoint-reads'),
  healthReads: token<HealthReads>('health-reads'),
  measures: token<Measures>('measures'),
  processFacts: token<ProcessFacts>('process-facts'),
  jobLeases: token<JobLeases>('job-leases'),
  vaultSnapshots: token<VaultSnapshots>('vault-snapshots'),
  vaultScans: token<VaultScanReads>('vault-scans'),
  vaultScanner: token<VaultScanner>('vault-scanner'),
  treeReads: token<TreeReads>('tree-reads'),
  rewindReads: token<RewindReads>('rewind-reads'),
  anchorLog: token<AnchorLog>('anchor-log'),
  anchorStore: token<AnchorStore | null>('anchor-store'),
  orgReadsLogs: token<OrgReadsReads>('org-reads-logs'),
  provisioningFiles: token<ProvisioningFiles>('provisioning-files'),
  secretFiles: token<SecretFiles>('secret-files'),
  provisionedRows: token<ProvisionedRowReads>('provisioned-rows'),
  rateLimitExemptionReads: token<RateLimitExemptionReads>('rate-limit-exemption-reads'),
  witnessReads: token<WitnessReads>('witness-reads'),
  hubKeyReads: token<HubKeyReads>('hub-key-reads'),
  hubKeySecrets: token<HubKeySecrets>('hub-key-secrets'),
  peerReads: token<PeerReads>('peer-reads'),
  peerKeyStatementReads: token<PeerKeyStatementReads>('peer-key-statement-reads'),
  peerTransport: token<PeerTransport>('peer-transport'),
  peerReceivers: token<PeerReceivers | null>('peer-receivers'),
  peerJsonReader: token<JsonReader>('peer-json-reader'),
  federationRoutes: token<readonly HttpRoute[]>('federation-routes'),
  statementLogReads: token<StatementLogReads>('statement-log-reads'),
  timestampReads: token<TimestampReads>('timestamp-reads'),
  timestampChecker: token<TimestampChecker>('timestamp-checker'),
  timestampAuthority: token<TimestampAuthority | null>('timestamp-authority'),
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
  refusals: token<SummedEvents>('refusals'),
  refusedMessages: token<SummedEvents>('refused-messages'),
  keyUses: token<SummedEvents>('key-uses'),
  eventReads: token<EventReads>('event-reads'),
  complianceExports: token<ComplianceExportReads>('compliance-exports'),
  eventPlaces: token<EventPlaces>('event-places'),
  eventNotice: token<EventNotice>('event-notice'),
  laneNotice: token<LaneNotice>('lane-notice'),
  laneReads: token<LaneReads>('lane-reads'),
  federationReads: token<FederationReads & OutgoingMessages>('federation-reads'),
  homeWait: token<Pick<AwaitHome, 'until'>>('home-wait'),
  webhookReads: token<WebhookReads>('webhook-reads'),
  deliveryQueue: token<DeliveryQueue>('delivery-queue'),
  webhookSecrets: token<WebhookSecrets>('webhook-secrets'),

  keySource: token<KeySource>('key-source'),
  keyChoice: token<KeyChoice>('key-choice'),
  lockedSigning: token<LockedSigning>('locked-signing'),
  cryptoCapabilities: token<CryptoCapabilities>('crypto-capabilities'),
  vaultOptions: token<VaultOptions>('vault-options'),
  jwksSource: token<JwksSource>('jwks-source'),
  tokenSignatures: token<TokenSignatures>('token-signatures'),
  schemaValidators: token<SchemaValidators>('schema-validators'),
  gateEvaluator: token<GateEvaluator>('gate-evaluator'),
  disputeTiers: token<TierSeconds>('dispute-tiers'),
  keyLifetimes: token<KeyLifetimes>('key-lifetimes'),
  inputCheck: token<InputCheck>('input-check'),
  jsonReader: token<JsonReader>('json-reader'),
  serviceInfo: token<ServiceInfo>('service-info'),
} as const;
