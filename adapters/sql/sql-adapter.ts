import type { IdempotencyReads } from '../../application/ports/idempotency-store.port.ts';
import type { UnitOfWork } from '../../application/ports/unit-of-work.port.ts';
import type {
  AgentKeyReads,
  AgentReads,
  AgentReferenceReads,
  ApiKeyReads,
  KeyUseLog,
  OrgReads,
} from '../../domain/identity/identity-store.port.ts';
import type { LaneNotice } from '../../application/federation/lane-notice.port.ts';
import type { EventNotice } from '../../application/event/event-notice.port.ts';
import type { TellEventFault } from '../../application/event/event-fault.ts';
import type { EventLog } from '../../domain/event/event-log.port.ts';
import type { EventPlaces } from '../../domain/event/event-places.port.ts';
import type { EventReads } from '../../domain/event/event-reads.port.ts';
import type {
  CertReads,
  TrustedIssuerReads,
} from '../../domain/identity/certificate-store.port.ts';
import type { CoSignedRequestReads } from '../../domain/identity/co-signed-request-store.port.ts';
import type { DeliveryQueue, WebhookReads } from '../../domain/delivery/webhook-store.port.ts';
import type { OutgoingMessages } from '../../application/sharing/outgoing.port.ts';
import type { FederationReads } from '../../domain/federation/federation-store.port.ts';
import type { LaneReads } from '../../domain/federation/lane-store.port.ts';
import type { DisputeReads } from '../../domain/dispute/dispute-store.port.ts';
import type { CompletionReads, RecordReads } from '../../domain/record/record-store.port.ts';
import type { PerformanceReads } from '../../domain/reputation/performance-reads.port.ts';
import type {
  RecordTypeReads,
  RecordTypeRows,
} from '../../domain/record-type/record-type-store.port.ts';
import type { WitnessReads } from '../../domain/identity/witness-store.port.ts';
import type { HubKeyReads } from '../../domain/federation/hub-key-store.port.ts';
import type { PeerKeyStatementReads, PeerReads } from '../../domain/federation/peer-store.port.ts';
import type { OrgReadsReads } from '../../domain/transparency/org-reads-store.port.ts';
import type { StatementLogReads } from '../../domain/transparency/statement-log.port.ts';
import type { TreeReads } from '../../domain/transparency/tree-store.port.ts';
import type { AnchorLog } from '../../domain/vault/anchor-log.port.ts';
import type { RewindReads } from '../../domain/vault/rewind-store.port.ts';
import type { VaultSnapshots } from '../../domain/transparency/vault-snapshots.port.ts';
import type { ChainReads } from '../../domain/vault/chain-store.port.ts';
import type { SealedKeyStore } from '../../domain/vault/sealed-key-store.port.ts';
import type { TimestampReads } from '../../domain/vault/timestamp-store.port.ts';
import type { CheckpointReads, VaultKeyReads } from '../../domain/vault/vault-store.port.ts';
import type { ComplianceExportReads } from '../../application/ports/compliance-export-store.port.ts';
import type { SinkPositions } from '../../application/siem/sink-positions.port.ts';
import type { RowVersions } from '../../application/sealing/row-versions.port.ts';
import type { VaultScanReads } from '../../application/ports/vault-scan-store.port.ts';
import type { VaultScanner } from '../../application/vault/scan/vault-scanner.port.ts';
import type { Database, PoolState } from './base/database.ts';
import { openDatabase } from './database/open-database.ts';
import { DeferredEvents } from './events/deferred-events.ts';
import { LaneNotices } from './events/lane-notices.ts';
import { EventNotices } from './events/event-notices.ts';
import { EventNumbers } from './events/event-numbers.ts';
import { EventSequencer } from './events/event-sequencer.ts';
import { SqlHealth } from './upkeep/health.ts';
import { ForgetEvents } from './upkeep/forget-events.ts';
import { Housekeeping } from './upkeep/housekeeping.ts';
import type { JobLeases } from '../../application/ports/job-leases.port.ts';
import type { HealthProbe } from '../../application/operations/check-health.ts';
import type { HealthReads } from '../../application/operations/health-reads.port.ts';
import type { SecretCheckStore } from '../../application/operations/secret-checks.port.ts';
import { SqlJobLeases } from './upkeep/job-leases.ts';
import { SqlKeyUseLog } from './upkeep/key-use-log.ts';
import {
  assertKnownSchema,
  migrate,
  migrationState,
  type MigrationState,
} from './upkeep/migrate.ts';
import { moveRowsToNewestKey } from './upkeep/move-row-keys.ts';
import { needsOtherRowKeys } from './upkeep/needs-other-row-keys.ts';
import { isMysql } from './mysql/mysql-database.ts';
import { MysqlWriter } from './mysql/mysql-writer.ts';
import { numberingDatabase } from './events/numbering-database.ts';
import { SqlAgentKeyReads, SqlAgentReferenceReads } from './identity/agent-profile-reads.ts';
import { SqlCertReads, SqlTrustedIssuerReads } from './identity/certificate-reads.ts';
import { SqlChainReads } from './vault/chain-reads.ts';
import { SqlCoSignedRequestReads } from './vault/co-signed-request-reads.ts';
import { SqlCompletionReads } from './records/completion-reads.ts';
import { SqlDisputeReads } from './records/dispute-reads.ts';
import { SqlHealthReads } from './upkeep/health-reads.ts';
import { SqlIdempotencyReads } from './idempotency/idempotency-reads.ts';
import { SqlAgentReads, SqlApiKeyReads, SqlOrgReads } from './identity/identity-reads.ts';
import { SqlEventPlaces } from './events/event-places.ts';
import { SqlEventReads } from './events/event-reads.ts';
import { Lister } from './listing/keyset.ts';
import type { Pace } from './listing/walk-reader.ts';
import { SqlOrgReadsReads } from './transparency/org-reads-reads.ts';
import { SqlPerformanceReads } from './records/performance-reads.ts';
import { SqlHubKeyReads, SqlPeerKeyStatementReads, SqlPeerReads } from './federation/peer-reads.ts';
import { SqlRecordReads } from './records/record-reads.ts';
import { SqlRecordTypeReads } from './record-types/record-type-reads.ts';
import { SqlCheckpointReads, SqlVaultKeyReads } from './vault/vault-reads.ts';
import { SqlDeliveryQueue, SqlWebhookReads } from './delivery/webhook-reads.ts';
import { SqlFederationReads } from './federation/federation-reads.ts';
import { SqlLaneReads } from './federation/lane-reads.ts';
import { SqlProvisionedRowReads } from './identity/provisioned-row-reads.ts';
import { SqlWitnessReads } from './identity/witness-reads.ts';
import { RowSeals, type RowAlarm } from './tables/row-seals.ts';
import { ThreadedVaultScanner } from './scan/scan-thread.ts';
import { findAll } from './tables/find.ts';
import type { RowKey } from './tables/row-macs.ts';
import { SEALED_KEYS } from './vault/vault-row.ts';
import { SqlAnchorLog } from './upkeep/anchor-log.ts';
import { SqlSecretChecks } from './upkeep/secret-checks.ts';
import type { Reader } from './tables/reader.ts';
import { SqlSinkPositions } from './upkeep/sink-positions.ts';
import { SqliteWriter } from './sqlite/sqlite-writer.ts';
import { ALL_SEALED_KEYS } from './vault/sealed-key-store.ts';
import { SqlRewindReads } from './vault/rewind-store.ts';
import { SqlStatementLogReads } from './transparency/statement-log-store.ts';
import { SqlTimestampReads } from './vault/timestamp-store.ts';
import { SqlTreeReads } from './transparency/tree-store.ts';
import { SqlComplianceExportReads } from './audit/compliance-export-store.ts';
import { SqlVaultScanReads } from './vault/vault-scan-store.ts';
import { SqlUnitOfWork } from './commit/unit-of-work.ts';
import { SqlVaultSnapshots } from './scan/vault-snapshots.ts';
import { DamageWatch } from './database/damage.ts';
import { watchedDatabase } from './database/watched-database.ts';
import { SqlStores } from './sql-stores.ts';
import { WriteWatch } from './database/write-watch.ts';
import type { RateLimitExemptionReads } from '../../domain/identity/rate-limit-exemption-store.port.ts';
import { SqlRateLimitExemptionReads } from './identity/rate-limit-exemption-reads.ts';
import type { ProvisionedRowReads } from '../../application/ports/provisioned-rows.port.ts';

export interface SqlAdapterOptions {
  /** `sqlite://PATH` (everything after the slashes is the path) or `mysql://user:password@host:port/database`. */
  readonly url: string;
  /** Connections to MySQL; 10 by default. */
  readonly poolSize?: number;
  /** As `useRowKeys` takes them, where they are known already. */
  readonly rowKeys?: readonly RowKey[];
  /** Told of every row that is refused because somebody else wrote it. */
  readonly onAlarm?: RowAlarm;
  /** Called with the first error that says that the database is damaged. */
  readonly onDamage?: (error: unknown) => void;
  /** Told of what somebody else did to the events. */
  readonly onEventFault?: TellEventFault;
  /** Receives the errors of background writes. */
  readonly onError?: (error: unknown) => void;
  /** The clock by which kept answers expire. */
  readonly now?: () => Date;
  /** How far a listing looks at once. */
  readonly pace?: Pace;
}

export interface SqlReads {
  readonly records: RecordReads;
  readonly completions: CompletionReads;
  readonly disputes: DisputeReads;
  readonly performance: PerformanceReads;
  readonly recordTypes: RecordTypeReads & RecordTypeRows;
  readonly chains: ChainReads;
  readonly coSignedRequests: CoSignedRequestReads;
  readonly vaultKeys: VaultKeyReads;
  readonly checkpoints: CheckpointReads;
  readonly timestamps: TimestampReads;
  readonly vaultScans: VaultScanReads;
  readonly complianceExports: ComplianceExportReads;
  readonly trees: TreeReads;
  readonly rewinds: RewindReads;
  readonly orgReadsLogs: OrgReadsReads;
  readonly witnesses: WitnessReads;
  readonly provisionedRows: ProvisionedRowReads;
  readonly rateLimitExemptions: RateLimitExemptionReads;
  readonly hubKeys: HubKeyReads;
  readonly peers: PeerReads;
  readonly peerKeyStatements: PeerKeyStatementReads;
  readonly statementLogs: StatementLogReads;
  readonly orgs: OrgReads;
  readonly agents: AgentReads;
  readonly agentKeys: AgentKeyReads;
  readonly agentReferences: AgentReferenceReads;
  readonly apiKeys: ApiKeyReads;
  readonly trustedIssuers: TrustedIssuerReads;
  readonly certs: CertReads;
  readonly idempotency: IdempotencyReads;
  readonly webhooks: WebhookReads;
  readonly federation: FederationReads & OutgoingMessages;
  readonly federationLanes: LaneReads;
}

export interface SqlAdapter {
  readonly unitOfWork: UnitOfWork;
  readonly reads: SqlReads;
  readonly keyUseLog: KeyUseLog & { flush(): Promise<void> };
  readonly eventLog: EventLog;
  /** Numbered events. */
  readonly events: EventReads;
  readonly eventPlaces: EventPlaces;
  readonly sinkPositions: SinkPositions;
  readonly eventNotice: EventNotice;
  readonly laneNotice: LaneNotice;
  readonly deliveryQueue: DeliveryQueue;
  /** Where events are numbered after their commit: looks for those of other processes as well from now on. */
  startNumbering(): void;
  /** As onEventFault, from now on. */
  tellEventFaults(tell: TellEventFault): void;
  readonly sealedKeys: SealedKeyStore;
  readonly health: HealthProbe;
  readonly healthReads: HealthReads;
  readonly jobLeases: JobLeases;
  readonly vaultSnapshots: VaultSnapshots;
  readonly anchorLog: AnchorLog;
  readonly vaultScanner: VaultScanner;
  readonly secretChecks: SecretCheckStore;
  readonly housekeeping: Pick<
    Housekeeping,
    | 'hasExpiredAnswers'
    | 'deleteExpiredAnswers'
    | 'hasSpentTokens'
    | 'deleteSpentTokens'
    | 'hasOldDeliveries'
    | 'deleteOldDeliveries'
    | 'hasSums'
    | 'hasSpentNonces'
    | 'deleteSpentNonces'
  >;
  readonly forgetEvents: Pick<ForgetEvents, 'isNeeded' | 'run'>;
  /** The keys under which rows are sealed, newest first. Without any only the schema can be migrated. */
  useRowKeys(keys: readonly RowKey[]): void;
  /** Seals rows of an older secret under the newest. Resolves to how many. */
  moveRowsToNewestKey(): Promise<number>;
  /** Whether most of the rows that say who may do what were sealed under a key that is not among the given ones. */
  needsOtherRowKeys(): Promise<boolean>;
  /** Compares the versions of rows from now on. */
  followVersions(versions: RowVersions): void;
  /** Brings the schema up to date, under a lock. Rejects as `assertKnownSchema`. */
  migrate(): Promise<void>;
  /** Rejects if the database is newer than this program, or was made by a build before 0.1.0. */
  assertKnownSchema(): Promise<void>;
  migrationState(): Promise<MigrationState>;
  /** See Database. */
  join(): readonly number[];
  /**
   * Ends the lease of a process that was killed, where `join` found nobody else on a database file: of such a file all
   * processes are on this machine. Elsewhere nobody knows, and a lease ends by itself. Resolves to whether there was one.
   */
  endLeftLease(job: string): Promise<boolean>;
  /** See Database. */
  isAwaited(): boolean;
  /** See Database. */
  pool(): PoolState;
  /** Rejects with SERVICE_UNAVAILABLE where the database does not answer. */
  ping(): Promise<void>;
  /** Refuses new units of work, waits for those that run, and closes every connection. */
  close(): Promise<void>;
}

/** Opens no connection yet; the first statement connects. */
export const openSqlAdapter = (options: SqlAdapterOptions): SqlAdapter => {
  const now = options.now ?? (() => new Date());
  const poolSize = options.poolSize ?? 10;
  const damage = new DamageWatch(options.onDamage ?? (() => undefined));
  const database = watchedDatabase(openDatabase({ url: options.url, poolSize }), (error) =>
    damage.saw(error),
  );
  const { dialect } = database;
  let rowKeys = options.rowKeys ?? [];
  const seals = new RowSeals(rowKeys, options.onAlarm ?? (() => undefined));
  let onEventFault: TellEventFault = options.onEventFault ?? (() => undefined);
  const tell: TellEventFault = (fault) => onEventFault(fault);
  const numbers = new EventNumbers(dialect, seals, tell);
  const writer = isMysql(database)
    ? new MysqlWriter(database, poolSize)
    : new SqliteWriter(numberingDatabase(database, seals, numbers));
  const notices = new EventNotices();
  const laneNotices = new LaneNotices();
  const writes = new WriteWatch(database, damage);
  const unitOfWork = new SqlUnitOfWork(
    dialect,
    seals,
    writer,
    (unit) => new SqlStores(unit),
    writes,
    () => (sequencer ? sequencer.wake() : notices.numbered()),
    (peerHubIds) => laneNotices.queued(peerHubIds),
  );
  const read = seals.over(database.read);
  const onError = options.onError ?? (() => undefined);
  const sequencer =
    dialect.name === 'sqlite'
      ? null
      : new EventSequencer(
          unitOfWork,
          database.read,
          seals,
          numbers,
          () => notices.numbered(),
          tell,
          onError,
        );
  const keyUseLog = new SqlKeyUseLog(unitOfWork, onError);
  const eventLog = new DeferredEvents(unitOfWork, onError);
  const housekeeping = new Housekeeping(unitOfWork, read, now);
  const anchorLog = new SqlAnchorLog(unitOfWork, read, database.dialect);
  const eventPlaces = new SqlEventPlaces(database.read, seals, dialect);
  const jobLeases = new SqlJobLeases(unitOfWork, database.dialect);
  const scanner = new ThreadedVaultScanner(options.url, () => rowKeys);
  /** When nobody else was there; null: somebody was, or nobody can know. */
  let aloneSince: number | null = null;
  return {
    unitOfWork,
    reads: readsOf(database, read, seals, housekeeping, now, options.pace),
    keyUseLog,
    eventLog,
    events: new SqlEventReads(database.read, seals, tell, eventPlaces, async () => {
      await eventLog.flush();
      await sequencer?.settle();
    }),
    eventPlaces,
    sinkPositions: new SqlSinkPositions(unitOfWork, read),
    eventNotice: notices,
    laneNotice: laneNotices,
    deliveryQueue: new SqlDeliveryQueue(read, seals, unitOfWork),
    startNumbering: () => sequencer?.start(),
    tellEventFaults: (listener) => {
      onEventFault = listener;
    },
    sealedKeys: {
      insert: (key) => unitOfWork.transaction((stores) => stores.sealedKeys.insert(key)),
      load: () => findAll(read, SEALED_KEYS, ALL_SEALED_KEYS, []),
      erase: (keyId) => unitOfWork.transaction((stores) => stores.sealedKeys.erase(keyId)),
    },
    health: new SqlHealth(database, writes),
    healthReads: new SqlHealthReads(database.read, database.dialect, anchorLog),
    jobLeases,
    vaultSnapshots: new SqlVaultSnapshots(database, seals),
    anchorLog,
    vaultScanner: {
      // Its thread has a connection of its own.
      scan: (order) =>
        scanner.scan(order).catch((error: unknown) => {
          damage.saw(error);
          throw error;
        }),
    },
    secretChecks: new SqlSecretChecks(database, read, unitOfWork),
    housekeeping,
    forgetEvents: new ForgetEvents(unitOfWork, database.read, seals, now),
    useRowKeys: (keys) => {
      rowKeys = keys;
      seals.use(keys);
    },
    needsOtherRowKeys: () => needsOtherRowKeys(database.read, seals),
    moveRowsToNewestKey: () => moveRowsToNewestKey(unitOfWork, database.read, seals),
    followVersions: (versions) => seals.follow(versions),
    migrate: () => migrate(database),
    assertKnownSchema: () => assertKnownSchema(database),
    migrationState: () => migrationState(database),
    join: () => {
      const at = now().getTime();
      const others = database.join();
      aloneSince = database.isOneMachine && others.length === 0 ? at : null;
      return others;
    },
    endLeftLease: async (job) => aloneSince !== null && (await jobLeases.endLeft(job, aloneSince)),
    isAwaited: () => database.isAwaited(),
    pool: () => database.pool(),
    ping: () => database.ping(),
    close: async () => {
      await Promise.all([keyUseLog.close(), eventLog.close()]);
      await sequencer?.close();
      await unitOfWork.close();
      await database.close();
    },
  };
};

const readsOf = (
  { writer, dialect, readWide }: Database,
  read: Reader,
  seals: RowSeals,
  housekeeping: Housekeeping,
  now: () => Date,
  pace?: Pace,
): SqlReads => {
  const lister = new Lister(writer, read, pace);
  return {
    records: new SqlRecordReads(read, lister, dialect),
    completions: new SqlCompletionReads(read),
    disputes: new SqlDisputeReads(read, lister),
    performance: new SqlPerformanceReads(read, dialect, readWide),
    recordTypes: new SqlRecordTypeReads(read, lister),
    chains: new SqlChainReads(read, dialect),
    coSignedRequests: new SqlCoSignedRequestReads(read),
    vaultKeys: new SqlVaultKeyReads(read),
    checkpoints: new SqlCheckpointReads(read),
    timestamps: new SqlTimestampReads(read),
    vaultScans: new SqlVaultScanReads(read),
    complianceExports: new SqlComplianceExportReads(read, lister),
    trees: new SqlTreeReads(read),
    rewinds: new SqlRewindReads(read),
    orgReadsLogs: new SqlOrgReadsReads(read, lister),
    witnesses: new SqlWitnessReads(read, lister),
    provisionedRows: new SqlProvisionedRowReads(read),
    rateLimitExemptions: new SqlRateLimitExemptionReads(read),
    hubKeys: new SqlHubKeyReads(read),
    peers: new SqlPeerReads(read),
    peerKeyStatements: new SqlPeerKeyStatementReads(read),
    statementLogs: new SqlStatementLogReads(read, dialect.name),
    orgs: new SqlOrgReads(read, lister),
    agents: new SqlAgentReads(read, lister),
    agentKeys: new SqlAgentKeyReads(read),
    agentReferences: new SqlAgentReferenceReads(read),
    apiKeys: new SqlApiKeyReads(read, lister),
    trustedIssuers: new SqlTrustedIssuerReads(read, lister),
    certs: new SqlCertReads(read),
    webhooks: new SqlWebhookReads(read, lister, dialect),
    federation: new SqlFederationReads(read),
    federationLanes: new SqlLaneReads(read, dialect),
    idempotency: new SqlIdempotencyReads(
      read,
      seals,
      (scope, expired) => housekeeping.forgetAnswer(scope, expired),
      now,
    ),
  };
};
