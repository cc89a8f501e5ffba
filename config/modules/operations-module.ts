import { ContainerModule } from 'inversify';
import { CheckHealth } from '../../application/operations/check-health.ts';
import { provideBy } from '../provide.ts';
import { TOKENS } from '../tokens.ts';

/** How the service is run and watched. */
export const operationsModule = new ContainerModule((options) => {
  provideBy(
    options,
    TOKENS.checkHealth,
    (sql, vault) => {
      const probe = {
        ping: () => sql.ping().then(() => true),
        isMigrated: async () => (await sql.migrationState()).pending.length === 0,
      };
      return new CheckHealth(probe, vault, () => Math.floor(process.uptime()));
    },
    [TOKENS.sql, TOKENS.vault],
  );
});
