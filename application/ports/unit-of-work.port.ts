import type { Outbox } from '../../domain/event/outbox.port.ts';
import type {
  CertStore,
  TrustedIssuerStore,
} from '../../domain/identity/certificate-store.port.ts';
import type {
  AgentKeyStore,
  AgentReferenceStore,
  AgentStore,
  ApiKeyStore,
  OrgStore,
} from '../../domain/identity/identity-store.port.ts';
import type { CoSignedRequestStore } from '../../domain/identity/co-signed-request-store.port.ts';
import type { DeliveryStore, WebhookStore } from '../../domain/delivery/webhook-store.port.ts';
import type { LaneStore } from '../../domain/federation/lane-store.port.ts';
import type { DisputeStore } from '../../domain/dispute/dispute-store.port.ts';
import type { HubKeyStore } from '../../domain/federation/hub-key-store.port.ts';
import type { PeerKeyStatementStore, PeerStore } from '../../domain/federation/peer-store.port.ts';
import type {
  CompletionStore,
  RecordStore,
  ReferenceStore,
} from '../../domain/record/record-store.port.ts';
import type { RateLimitExemptionStore } from '../../domain/identity/rate-limit-exemption-store.port.ts';
import type { RecordTypeStore } from '../../domain/record-type/record-type-store.port.ts';
import type { WitnessStore } from '../../domain/identity/witness-store.port.ts';
import type { OrgReadsStore } from '../../domain/transparency/org-reads-store.port.ts';
import type { StatementLogStore } from '../../domain/transparency/statement-log.port.ts';
import type { TreeStore } from '../../domain/transparency/tree-store.port.ts';
import type { ChainStore } from '../../domain/vault/chain-store.port.ts';
import type { SealedKeyStore } from '../../domain/vault/sealed-key-store.port.ts';
import type { RewindStore } from '../../domain/vault/rewind-store.port.ts';
import type { TimestampStore } from '../../domain/vault/timestamp-store.port.ts';
import type { CheckpointStore, VaultKeyStore } from '../../domain/vault/vault-store.port.ts';
import type { ComplianceExportStore } from './compliance-export-store.port.ts';
import type { FederationStore } from '../../domain/federation/federation-store.port.ts';
import type { EventSums } from './event-sums.port.ts';
import type { VaultScanStore } from './vault-scan-store.port.ts';
import type { ProvisionedRowStore } from './provisioned-rows.port.ts';
import type { IdempotencyStore } from './idempotency-store.port.ts';
import type { Traced } from './tracer.port.ts';

/** The one bag of stores. All of them write to the same transaction. */
export interface Stores {
  readonly records: RecordStore;
  readonly completions: CompletionStore;
  readonly references: ReferenceStore;
  readonly disputes: DisputeStore;
  readonly recordTypes: RecordTypeStore;
  readonly chains: ChainStore;
  readonly coSignedRequests: CoSignedRequestStore;
  readonly vaultKeys: VaultKeyStore;
  readonly checkpoints: CheckpointStore;
  readonly timestamps: TimestampStore;
  readonly trees: TreeStore;
  readonly rewinds: RewindStore;
  readonly orgReads: OrgReadsStore;
  readonly witnesses: WitnessStore;
  readonly provisionedRows: ProvisionedRowStore;
  readonly rateLimitExemptions: RateLimitExemptionStore;
  readonly hubKeys: HubKeyStore;
  readonly peers: PeerStore;
  readonly peerKeyStatements: PeerKeyStatementStore;
  readonly statementLogs: StatementLogStore;
  readonly sealedKeys: SealedKeyStore;
  readonly orgs: OrgStore;
  readonly agents: AgentStore;
  readonly agentKeys: AgentKeyStore;
  readonly agentReferences: AgentReferenceStore;
  readonly apiKeys: ApiKeyStore;
  readonly trustedIssuers: TrustedIssuerStore;
  readonly certs: CertStore;
  readonly vaultScans: VaultScanStore;
  readonly webhooks: WebhookStore;
  readonly deliveries: DeliveryStore;
  readonly federation: FederationStore;
  readonly complianceExports: ComplianceExportStore;
  readonly federationLanes: LaneStore;
  readonly outbox: Outbox;
  readonly eventSums: EventSums;
  readonly idempotency: IdempotencyStore;
}

/**
 * Everything that `work` writes is durable when the promise resolves, or nothing is.
 *
 * `work` may run more than once: after a deadlock, or alone after the group it was committed with failed. It
 * must touch nothing but its stores, and give the same answer for the same rows. A refusal that it throws
 * rolls back and comes out unchanged. A duplicate (a unique key that is taken) comes out as DuplicateError.
 * What a retired key signed comes out as RetiredKeyError.
 * Where the outcome of a commit cannot be known, or the database is away, it rejects with SERVICE_UNAVAILABLE.
 */
export interface UnitOfWork {
  /** @param call that the unit belongs to, where it belongs to one: the unit is a step of its trace. */
  transaction<T>(work: (stores: Stores) => Promise<T>, call?: Traced): Promise<T>;
}

/** A unique key is taken. `constraint` names it as the schema does, as far as the database says. */
export class DuplicateError extends Error {
  override readonly name = 'DuplicateError';
  constructor(
    readonly constraint: string,
    options?: { cause?: unknown },
  ) {
    super(`duplicate ${constraint}`, options);
  }
}

/**
 * The database refused something that a key signed which is not the active one: the key was rotated after the signature
 * was made. Nothing was written.
 */
export class RetiredKeyError extends Error {
  override readonly name = 'RetiredKeyError';
}
