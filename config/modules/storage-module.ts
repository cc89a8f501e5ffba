import { ContainerModule } from 'inversify';
import {
  cachedAgents,
  cachedApiKeys,
  cachedCerts,
  cachedRecordTypes,
  cachedTrustedIssuers,
} from '../../adapters/cache/cached-reads.ts';
import { provideBy } from '../provide.ts';
import { TOKENS } from '../tokens.ts';

/** The ports of storage, all served by the one SQL adapter that the settings chose; hot reads go through a cache. */
export const storageModule = new ContainerModule((options) => {
  provideBy(options, TOKENS.unitOfWork, (sql) => sql.unitOfWork, [TOKENS.sql]);
  provideBy(options, TOKENS.recordReads, (sql) => sql.reads.records, [TOKENS.sql]);
  provideBy(options, TOKENS.completionReads, (sql) => sql.reads.completions, [TOKENS.sql]);
  provideBy(options, TOKENS.disputeReads, (sql) => sql.reads.disputes, [TOKENS.sql]);
  provideBy(options, TOKENS.performanceReads, (sql) => sql.reads.performance, [TOKENS.sql]);
  provideBy(options, TOKENS.chainReads, (sql) => sql.reads.chains, [TOKENS.sql]);
  provideBy(options, TOKENS.vaultKeyReads, (sql) => sql.reads.vaultKeys, [TOKENS.sql]);
  provideBy(options, TOKENS.checkpointReads, (sql) => sql.reads.checkpoints, [TOKENS.sql]);
  provideBy(options, TOKENS.orgReads, (sql) => sql.reads.orgs, [TOKENS.sql]);
  provideBy(options, TOKENS.idempotencyReads, (sql) => sql.reads.idempotency, [TOKENS.sql]);
  provideBy(options, TOKENS.sealedKeys, (sql) => sql.sealedKeys, [TOKENS.sql]);
  provideBy(options, TOKENS.eventLog, (sql) => sql.eventLog, [TOKENS.sql]);
  provideBy(options, TOKENS.keyUseLog, (sql) => sql.keyUseLog, [TOKENS.sql]);
  provideBy(options, TOKENS.agentReads, (sql, notices) => cachedAgents(sql.reads.agents, notices), [
    TOKENS.sql,
    TOKENS.changeNotices,
  ]);
  provideBy(options, TOKENS.agentKeyReads, (sql) => sql.reads.agentKeys, [TOKENS.sql]);
  provideBy(options, TOKENS.agentReferenceReads, (sql) => sql.reads.agentReferences, [TOKENS.sql]);
  provideBy(
    options,
    TOKENS.apiKeyReads,
    (sql, notices) => cachedApiKeys(sql.reads.apiKeys, notices),
    [TOKENS.sql, TOKENS.changeNotices],
  );
  provideBy(
    options,
    TOKENS.trustedIssuerReads,
    (sql, notices) => cachedTrustedIssuers(sql.reads.trustedIssuers, notices),
    [TOKENS.sql, TOKENS.changeNotices],
  );
  provideBy(options, TOKENS.certReads, (sql, notices) => cachedCerts(sql.reads.certs, notices), [
    TOKENS.sql,
    TOKENS.changeNotices,
  ]);
  provideBy(
    options,
    TOKENS.recordTypeReads,
    (sql, notices) => cachedRecordTypes(sql.reads.recordTypes, notices),
    [TOKENS.sql, TOKENS.changeNotices],
  );
});
