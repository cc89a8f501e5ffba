import 'reflect-metadata';
import { Container } from 'inversify';
import type { SqlAdapter } from '../adapters/sql/sql-adapter.ts';
import type { Log } from '../application/log.port.ts';
import { certificateModule } from './modules/certificate-module.ts';
import { disputeModule } from './modules/dispute-module.ts';
import { httpModule } from './modules/http-module.ts';
import { identityModule } from './modules/identity-module.ts';
import { operationsModule } from './modules/operations-module.ts';
import { recordModule } from './modules/record-module.ts';
import { storageModule } from './modules/storage-module.ts';
import { systemModule } from './modules/system-module.ts';
import { vaultModule } from './modules/vault-module.ts';
import type { Secrets } from './secrets.ts';
import type { Settings } from './settings-table.ts';
import { TOKENS } from './tokens.ts';

/** What has to be there before anything can be wired: it takes waiting, or was chosen by whoever starts. */
export interface Ground {
  readonly settings: Settings;
  readonly secrets: Secrets;
  readonly sql: SqlAdapter;
  readonly log: Log;
}

export const createContainer = (ground: Ground): Container => {
  const container = new Container();
  container.bind(TOKENS.settings).toConstantValue(ground.settings);
  container.bind(TOKENS.secrets).toConstantValue(ground.secrets);
  container.bind(TOKENS.sql).toConstantValue(ground.sql);
  container.bind(TOKENS.log).toConstantValue(ground.log);
  container.load(
    systemModule,
    storageModule,
    vaultModule,
    recordModule,
    disputeModule,
    identityModule,
    certificateModule,
    operationsModule,
    httpModule,
  );
  return container;
};
