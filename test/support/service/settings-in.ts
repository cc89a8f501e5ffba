import { join } from 'node:path';
import { loadSettings } from '../../../config/settings.ts';
import type { Settings } from '../../../config/settings-table.ts';
import { NO_LIMITS } from './service-process.ts';

/** Of a service of the test's own, which keeps all that it has in the directory, and limits nobody. */
export const settingsIn = (
  directory: string,
  env: Readonly<Record<string, string | undefined>> = {},
): Settings =>
  loadSettings(
    {
      NODE_ENV: 'test',
      PORT: '0',
      DATA_DIR: join(directory, 'data'),
      KEYS_DIR: join(directory, 'keys'),
      ...NO_LIMITS,
      ...env,
    },
    { cwd: directory },
  ).settings;
