import { availableParallelism, totalmem } from 'node:os';
import { CACHED_MS } from '../adapters/cache/cached-reads.ts';
import { INTERFACE_VERSION } from '../adapters/rest/interface-version.ts';
import type { Installation } from '../application/operations/get-support-bundle.ts';
import type { Settings } from './settings-table.ts';
import { maskedSettings } from './settings-view.ts';
import { VERSION } from './build-version.ts';

export const installationOf = (settings: Settings): Installation => ({
  release: VERSION,
  interfaceVersion: INTERFACE_VERSION,
  databaseKind: settings.DATABASE_URL.startsWith('mysql:') ? 'mysql' : 'sqlite',
  authCacheMs: CACHED_MS,
  config: maskedSettings(settings),
  environment: {
    platform: process.platform,
    arch: process.arch,
    processors: availableParallelism(),
    memoryBytes: totalmem(),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  },
});
