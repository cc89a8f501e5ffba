import { ContainerModule } from 'inversify';
import { IssueKey } from '../../application/identity/issue-key.ts';
import { BootstrapPlatform } from '../../application/operations/bootstrap-platform.ts';
import { ListKeysOnHost } from '../../application/operations/list-keys-on-host.ts';
import { MintPlatformKey } from '../../application/operations/mint-platform-key.ts';
import { RevokeKeyOnHost } from '../../application/operations/revoke-key-on-host.ts';
import { RevokeKeys } from '../../application/identity/revoke-keys.ts';
import { CheckHealth } from '../../application/operations/check-health.ts';
import { JobBeats } from '../../adapters/jobs/job-beats.ts';
import { RuntimeProcessFacts } from '../../adapters/system/runtime-process-facts.ts';
import { Metrics } from '../../adapters/metrics/metrics.ts';
import { LatestHealth } from '../../application/operations/latest-health.ts';
import { VERSION } from '../build-version.ts';
import { GetOpsSummary } from '../../application/operations/get-ops-summary.ts';
import { GetSupportBundle } from '../../application/operations/get-support-bundle.ts';
import { installationOf } from '../installation.ts';
import { GetSystemHealth } from '../../application/operations/get-system-health.ts';
import { JudgeHealth, type HealthSettings } from '../../application/operations/judge-health.ts';
import { RecentFaults } from '../../application/operations/recent-faults.ts';
import { SignerWatch } from '../../application/operations/signer-watch.ts';
import { RewindGuard } from '../../application/sealing/rewind-guard.ts';
import type { Settings } from '../settings-table.ts';
import { ImportConfig } from '../../application/config-import/import-config.ts';
import { PlatformLedger } from '../../application/sealing/platform-ledger.ts';
import { SealSchema } from '../../application/sealing/seal-schema.ts';
import { SealPlatform } from '../../application/sealing/seal-platform.ts';
import { LostRevocations } from '../../application/vault/lost-revocations.ts';
import { Vault } from '../../application/sealing/vault.ts';
import { provide, provideBy } from '../provide.ts';
import { TOKENS as t } from '../tokens.ts';

/** Bootstrap, the keys commands of the host, and health of the service. */
export const operationsModule = new ContainerModule((options) => {
  provide(options, BootstrapPlatform, [
    t.unitOfWork,
    SealPlatform,
    IssueKey,
    t.keyLifetimes,
    t.clock,
    t.ids,
  ]);
  provide(options, MintPlatformKey, [
    t.unitOfWork,
    SealPlatform,
    IssueKey,
    t.keyLifetimes,
    t.clock,
    t.ids,
  ]);
  provide(options, RevokeKeyOnHost, [t.unitOfWork, RevokeKeys, t.clock, t.ids]);
  provide(options, ListKeysOnHost, [t.apiKeyReads]);
  provideBy(
    options,
    ImportConfig,
    (unitOfWork, platform, schema, ledger, orgs, agents, recordTypes, vault, clock, ids) =>
      new ImportConfig(
        unitOfWork,
        platform,
        schema,
        ledger,
        { orgs, agents, recordTypes },
        vault,
        clock,
        ids,
      ),
    [
      t.unitOfWork,
      SealPlatform,
      SealSchema,
      PlatformLedger,
      t.orgReads,
      t.agentReads,
      t.recordTypeReads,
      Vault,
      t.clock,
      t.ids,
    ],
  );
  provideBy(
    options,
    CheckHealth,
    (sql, vault, reads, limits) =>
      new CheckHealth(sql.health, vault, reads, () => Math.floor(process.uptime()), limits),
    [t.sql, Vault, t.healthReads, t.sharedLimits],
  );
  provideBy(options, JobBeats, () => new JobBeats(), []);
  provide(options, RecentFaults, [t.clock]);
  provideBy(options, SignerWatch, () => new SignerWatch(() => performance.now()), []);
  provideBy(options, t.processFacts, () => new RuntimeProcessFacts(), []);
  provideBy(
    options,
    JudgeHealth,
    (check, reads, signer, faults, rewinds, revocations, vault, settings) =>
      new JudgeHealth(
        check,
        reads,
        signer,
        faults,
        rewinds,
        revocations,
        vault,
        healthSettings(settings),
      ),
    [
      CheckHealth,
      t.healthReads,
      SignerWatch,
      RecentFaults,
      RewindGuard,
      LostRevocations,
      Vault,
      t.settings,
    ],
  );
  provide(options, LatestHealth, [JudgeHealth]);
  options
    .bind(Metrics)
    .toDynamicValue((container) => {
      const metrics = new Metrics({
        build: { version: VERSION, role: container.get(t.settings).ROLE },
        process: container.get(t.processFacts),
        faults: container.get(RecentFaults),
        pool: () => container.get(t.sql).pool(),
        // Looked up at a scrape: what it needs is made of what is measured here.
        health: () => container.get(LatestHealth).take(),
      });
      container.get(SignerWatch).onSigned((...signature) => metrics.signed(...signature));
      return metrics;
    })
    .inSingletonScope();
  options.bind(t.measures).toService(Metrics);
  provide(options, GetSystemHealth, [JudgeHealth, t.processFacts]);
  provideBy(
    options,
    GetSupportBundle,
    (judge, facts, clock, settings, sql) =>
      new GetSupportBundle(judge, facts, clock, installationOf(settings), () => sql.pool()),
    [JudgeHealth, t.processFacts, t.clock, t.settings, t.sql],
  );
  provideBy(
    options,
    GetOpsSummary,
    (judge, vault, checkpoints, rewinds, { ANCHOR, ANCHOR_INTERVAL }) =>
      new GetOpsSummary(judge, vault, checkpoints, rewinds, {
        backend: ANCHOR,
        intervalMinutes: ANCHOR_INTERVAL,
      }),
    [JudgeHealth, Vault, t.checkpointReads, RewindGuard, t.settings],
  );
});

const healthSettings = (settings: Settings): HealthSettings => ({
  sinks: [
    ...(settings.SIEM_FILE_PATH === '' ? [] : (['file'] as const)),
    ...(settings.SIEM_HTTP_URL === '' ? [] : (['http'] as const)),
  ],
  anchorEveryMs: settings.ANCHOR === 'none' ? null : settings.ANCHOR_INTERVAL * 60_000,
});
