import { ContainerModule } from 'inversify';
import { IssueKey } from '../../application/identity/issue-key.ts';
import { BootstrapPlatform } from '../../application/operations/bootstrap-platform.ts';
import { ListKeysOnHost } from '../../application/operations/list-keys-on-host.ts';
import { MintPlatformKey } from '../../application/operations/mint-platform-key.ts';
import { RevokeKeyOnHost } from '../../application/operations/revoke-key-on-host.ts';
import { RevokeKeys } from '../../application/identity/revoke-keys.ts';
import { CheckHealth } from '../../application/operations/check-health.ts';
import { SealPlatform } from '../../application/sealing/seal-platform.ts';
import { Vault } from '../../application/vault/vault.ts';
import { provide, provideBy } from '../provide.ts';
import { TOKENS as t } from '../tokens.ts';

/** Bootstrap, the keys commands of the host, and health of the service. */
export const operationsModule = new ContainerModule((options) => {
  provide(options, BootstrapPlatform, [t.unitOfWork, SealPlatform, IssueKey, t.clock, t.ids]);
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
    CheckHealth,
    (sql, vault, limits) =>
      new CheckHealth(sql.health, vault, () => Math.floor(process.uptime()), limits),
    [t.sql, Vault, t.sharedLimits],
  );
});
