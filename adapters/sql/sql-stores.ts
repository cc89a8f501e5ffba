import type { Stores } from '../../application/ports/unit-of-work.port.ts';
import type { UnitContext } from './tables/unit-context.ts';
import { SqlAgentKeyStore } from './identity/agent-key-store.ts';
import { SqlAgentReferenceStore } from './identity/agent-reference-store.ts';
import { SqlCertStore, SqlTrustedIssuerStore } from './identity/certificate-stores.ts';
import { SqlAgentStore, SqlApiKeyStore, SqlOrgStore } from './identity/identity-stores.ts';
import { SqlChainStore } from './vault/chain-store.ts';
import { SqlCheckpointStore } from './vault/checkpoint-store.ts';
import { SqlCoSignedRequestStore } from './vault/co-signed-request-store.ts';
import { SqlCompletionStore } from './records/completion-store.ts';
import { SqlDisputeStore } from './records/dispute-store.ts';
import { SqlIdempotencyStore } from './idempotency/idempotency-store.ts';
import { SqlOrgReadsStore } from './transparency/org-reads-store.ts';
import { SqlOutbox } from './events/outbox.ts';
import {
  SqlHubKeyStore,
  SqlPeerKeyStatementStore,
  SqlPeerStore,
} from './federation/peer-stores.ts';
import { SqlRecordStore } from './records/record-store.ts';
import { SqlReferenceStore } from './records/reference-store.ts';
import { SqlRecordTypeStore } from './record-types/record-type-store.ts';
import { SqlRewindStore } from './vault/rewind-store.ts';
import { SqlSealedKeyStore } from './vault/sealed-key-store.ts';
import { SqlStatementLogStore } from './transparency/statement-log-store.ts';
import { SqlTimestampStore } from './vault/timestamp-store.ts';
import { SqlTreeStore } from './transparency/tree-store.ts';
import { SqlVaultKeyStore } from './vault/vault-key-store.ts';
import { SqlDeliveryStore } from './delivery/delivery-store.ts';
import { SqlWebhookStore } from './delivery/webhook-store.ts';
import { SqlProvisionedRowStore } from './identity/provisioned-row-store.ts';
import { SqlRateLimitExemptionStore } from './identity/rate-limit-exemption-store.ts';
import { SqlWitnessStore } from './identity/witness-store.ts';
import { SqlComplianceExportStore } from './audit/compliance-export-store.ts';
import { SqlFederationStore } from './federation/federation-store.ts';
import { SqlLaneStore } from './federation/lane-store.ts';
import { SqlEventSums } from './events/event-sums-store.ts';
import { SqlVaultScanStore } from './vault/vault-scan-store.ts';

/**
 * The stores of one unit of work. Each is created at its first use, because most units use only
 * three.
 */
export class SqlStores implements Stores {
  #records?: SqlRecordStore;
  #completions?: SqlCompletionStore;
  #chains?: SqlChainStore;
  #outbox?: SqlOutbox;
  #coSignedRequests?: SqlCoSignedRequestStore;

  constructor(private readonly unit: UnitContext) {}

  get records(): SqlRecordStore {
    return (this.#records ??= new SqlRecordStore(this.unit));
  }
  get completions(): SqlCompletionStore {
    return (this.#completions ??= new SqlCompletionStore(this.unit));
  }
  get chains(): SqlChainStore {
    return (this.#chains ??= new SqlChainStore(this.unit));
  }
  get outbox(): SqlOutbox {
    return (this.#outbox ??= new SqlOutbox(this.unit));
  }
  get coSignedRequests(): SqlCoSignedRequestStore {
    return (this.#coSignedRequests ??= new SqlCoSignedRequestStore(this.unit));
  }
  get references(): SqlReferenceStore {
    return new SqlReferenceStore(this.unit);
  }
  get disputes(): SqlDisputeStore {
    return new SqlDisputeStore(this.unit);
  }
  get recordTypes(): SqlRecordTypeStore {
    return new SqlRecordTypeStore(this.unit);
  }
  get vaultKeys(): SqlVaultKeyStore {
    return new SqlVaultKeyStore(this.unit);
  }
  get checkpoints(): SqlCheckpointStore {
    return new SqlCheckpointStore(this.unit);
  }
  get timestamps(): SqlTimestampStore {
    return new SqlTimestampStore(this.unit);
  }
  get trees(): SqlTreeStore {
    return new SqlTreeStore(this.unit);
  }
  get rewinds(): SqlRewindStore {
    return new SqlRewindStore(this.unit);
  }
  get orgReads(): SqlOrgReadsStore {
    return new SqlOrgReadsStore(this.unit);
  }
  get witnesses(): SqlWitnessStore {
    return new SqlWitnessStore(this.unit);
  }
  get provisionedRows(): SqlProvisionedRowStore {
    return new SqlProvisionedRowStore(this.unit);
  }
  get rateLimitExemptions(): SqlRateLimitExemptionStore {
    return new SqlRateLimitExemptionStore(this.unit);
  }
  get hubKeys(): SqlHubKeyStore {
    return new SqlHubKeyStore(this.unit);
  }
  get peers(): SqlPeerStore {
    return new SqlPeerStore(this.unit);
  }
  get peerKeyStatements(): SqlPeerKeyStatementStore {
    return new SqlPeerKeyStatementStore(this.unit);
  }
  get statementLogs(): SqlStatementLogStore {
    return new SqlStatementLogStore(this.unit);
  }
  get sealedKeys(): SqlSealedKeyStore {
    return new SqlSealedKeyStore(this.unit);
  }
  get vaultScans(): SqlVaultScanStore {
    return new SqlVaultScanStore(this.unit);
  }
  get webhooks(): SqlWebhookStore {
    return new SqlWebhookStore(this.unit);
  }
  get deliveries(): SqlDeliveryStore {
    return new SqlDeliveryStore(this.unit);
  }
  get federation(): SqlFederationStore {
    return new SqlFederationStore(this.unit);
  }
  get federationLanes(): SqlLaneStore {
    return new SqlLaneStore(this.unit);
  }
  get eventSums(): SqlEventSums {
    return new SqlEventSums(this.unit);
  }
  get complianceExports(): SqlComplianceExportStore {
    return new SqlComplianceExportStore(this.unit);
  }
  get orgs(): SqlOrgStore {
    return new SqlOrgStore(this.unit);
  }
  get agents(): SqlAgentStore {
    return new SqlAgentStore(this.unit);
  }
  get agentKeys(): SqlAgentKeyStore {
    return new SqlAgentKeyStore(this.unit);
  }
  get agentReferences(): SqlAgentReferenceStore {
    return new SqlAgentReferenceStore(this.unit);
  }
  get apiKeys(): SqlApiKeyStore {
    return new SqlApiKeyStore(this.unit);
  }
  get trustedIssuers(): SqlTrustedIssuerStore {
    return new SqlTrustedIssuerStore(this.unit);
  }
  get certs(): SqlCertStore {
    return new SqlCertStore(this.unit);
  }
  get idempotency(): SqlIdempotencyStore {
    return new SqlIdempotencyStore(this.unit);
  }
}
