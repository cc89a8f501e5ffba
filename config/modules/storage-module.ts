import { ContainerModule } from 'inversify';
import {
  cachedAgents,
  cachedApiKeys,
  cachedCerts,
  cachedOrgs,
  cachedRecordTypes,
  cachedTrustedIssuers,
} from '../../adapters/cache/cached-reads.ts';
import { ChangeNotices } from '../../adapters/cache/change-notices.ts';
import { CachedExemptOwners } from '../../adapters/cache/exempt-owners.ts';
import { SealedRecordTypes } from '../../application/record-type/sealed-record-types.ts';
import { SchemaLedger } from '../../application/sealing/schema-ledger.ts';
import { provideBy } from '../provide.ts';
import { TOKENS as t } from '../tokens.ts';

/**
 * The ports of storage. The SQL adapter that the settings chose serves all of them, and hot reads
 * go through a cache.
 */
export const storageModule = new ContainerModule((options) => {
  provideBy(options, t.recordReads, (sql) => sql.reads.records, [t.sql]);
  provideBy(options, t.completionReads, (sql) => sql.reads.completions, [t.sql]);
  provideBy(options, t.disputeReads, (sql) => sql.reads.disputes, [t.sql]);
  provideBy(options, t.performanceReads, (sql) => sql.reads.performance, [t.sql]);
  provideBy(options, t.chainReads, (sql) => sql.reads.chains, [t.sql]);
  provideBy(options, t.vaultKeyReads, (sql) => sql.reads.vaultKeys, [t.sql]);
  provideBy(options, t.checkpointReads, (sql) => sql.reads.checkpoints, [t.sql]);
  provideBy(options, t.timestampReads, (sql) => sql.reads.timestamps, [t.sql]);
  provideBy(options, t.treeReads, (sql) => sql.reads.trees, [t.sql]);
  provideBy(options, t.rewindReads, (sql) => sql.reads.rewinds, [t.sql]);
  provideBy(options, t.anchorLog, (sql) => sql.anchorLog, [t.sql]);
  provideBy(options, t.orgReadsLogs, (sql) => sql.reads.orgReadsLogs, [t.sql]);
  provideBy(options, t.provisionedRows, (sql) => sql.reads.provisionedRows, [t.sql]);
  provideBy(options, t.rateLimitExemptionReads, (sql) => sql.reads.rateLimitExemptions, [t.sql]);
  provideBy(
    options,
    t.exemptOwners,
    (exemptions, notices) => new CachedExemptOwners(exemptions, notices),
    [t.rateLimitExemptionReads, ChangeNotices],
  );
  provideBy(options, t.witnessReads, (sql) => sql.reads.witnesses, [t.sql]);
  provideBy(options, t.hubKeyReads, (sql) => sql.reads.hubKeys, [t.sql]);
  provideBy(options, t.peerReads, (sql) => sql.reads.peers, [t.sql]);
  provideBy(options, t.peerKeyStatementReads, (sql) => sql.reads.peerKeyStatements, [t.sql]);
  provideBy(options, t.statementLogReads, (sql) => sql.reads.statementLogs, [t.sql]);
  provideBy(options, t.orgReads, (sql, notices) => cachedOrgs(sql.reads.orgs, notices), [
    t.sql,
    ChangeNotices,
  ]);
  provideBy(options, t.coSignedRequestReads, (sql) => sql.reads.coSignedRequests, [t.sql]);
  provideBy(options, t.idempotencyReads, (sql) => sql.reads.idempotency, [t.sql]);
  provideBy(options, t.sealedKeys, (sql) => sql.sealedKeys, [t.sql]);
  provideBy(options, t.healthReads, (sql) => sql.healthReads, [t.sql]);
  provideBy(options, t.eventLog, (sql) => sql.eventLog, [t.sql]);
  provideBy(options, t.eventReads, (sql) => sql.events, [t.sql]);
  provideBy(options, t.eventPlaces, (sql) => sql.eventPlaces, [t.sql]);
  provideBy(options, t.laneNotice, (sql) => sql.laneNotice, [t.sql]);
  provideBy(options, t.laneReads, (sql) => sql.reads.federationLanes, [t.sql]);
  provideBy(options, t.federationReads, (sql) => sql.reads.federation, [t.sql]);
  provideBy(options, t.eventNotice, (sql) => sql.eventNotice, [t.sql]);
  provideBy(options, t.keyUseLog, (sql) => sql.keyUseLog, [t.sql]);
  provideBy(options, t.agentReads, (sql, notices) => cachedAgents(sql.reads.agents, notices), [
    t.sql,
    ChangeNotices,
  ]);
  provideBy(options, t.agentKeyReads, (sql) => sql.reads.agentKeys, [t.sql]);
  provideBy(options, t.agentReferenceReads, (sql) => sql.reads.agentReferences, [t.sql]);
  provideBy(options, t.apiKeyReads, (sql, notices) => cachedApiKeys(sql.reads.apiKeys, notices), [
    t.sql,
    ChangeNotices,
  ]);
  provideBy(
    options,
    t.trustedIssuerReads,
    (sql, notices) => cachedTrustedIssuers(sql.reads.trustedIssuers, notices),
    [t.sql, ChangeNotices],
  );
  provideBy(options, t.certReads, (sql, notices) => cachedCerts(sql.reads.certs, notices), [
    t.sql,
    ChangeNotices,
  ]);
  provideBy(
    options,
    t.recordTypeReads,
    (sql, ledger, notices) =>
      cachedRecordTypes(new SealedRecordTypes(sql.reads.recordTypes, ledger), notices),
    [t.sql, SchemaLedger, ChangeNotices],
  );
});
