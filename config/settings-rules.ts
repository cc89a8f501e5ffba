import { isInside } from './is-inside.ts';
import type { SettingProblem } from './settings-error.ts';
import type { SettingName, Settings } from './settings-table.ts';

interface Rule {
  readonly of: readonly SettingName[];
  check(settings: Settings): readonly SettingProblem[];
}

const secretMustBeSet = (name: 'API_KEY_PEPPER' | 'SECRETS_KEY' | 'SIGNER_KEK'): Rule => ({
  of: [name, 'NODE_ENV', 'DATABASE_URL'],
  check: (settings) => {
    const production = settings.NODE_ENV === 'production';
    if (settings[name] !== null || (!production && !settings.DATABASE_URL.startsWith('mysql:')))
      return [];
    const because = production
      ? 'with NODE_ENV=production'
      : 'with a MySQL database, which several nodes share';
    return [
      {
        name,
        message: `must be set ${because}. Make one with: openssl rand -base64 32, keep it apart from the database, and give it as ${name} or, in a file, as ${name}_FILE`,
      },
    ];
  },
});

export const RULES: readonly Rule[] = [
  secretMustBeSet('API_KEY_PEPPER'),
  secretMustBeSet('SECRETS_KEY'),
  secretMustBeSet('SIGNER_KEK'),
  {
    of: ['CONNECTION_TIMEOUT_MS', 'HANDLER_TIMEOUT_MS', 'KEEP_ALIVE_TIMEOUT_MS'],
    check: ({
      HANDLER_TIMEOUT_MS: handler,
      CONNECTION_TIMEOUT_MS: connection,
      KEEP_ALIVE_TIMEOUT_MS: keepAlive,
    }) =>
      handler < connection && connection < keepAlive
        ? []
        : [
            {
              name: 'CONNECTION_TIMEOUT_MS',
              message: `must be above HANDLER_TIMEOUT_MS and below KEEP_ALIVE_TIMEOUT_MS, but they are ${handler}, ${connection} and ${keepAlive} ms`,
            },
          ],
  },
  {
    of: ['KEYS_DIR', 'DATA_DIR'],
    check: ({ KEYS_DIR, DATA_DIR }) =>
      isInside(KEYS_DIR, DATA_DIR)
        ? [
            {
              name: 'KEYS_DIR',
              message: `must not be inside DATA_DIR (${DATA_DIR}): a backup of the data would hold the keys`,
            },
          ]
        : [],
  },
  {
    of: ['API_KEY_DEFAULT_LIFETIME_SECONDS', 'API_KEY_MAX_LIFETIME_SECONDS'],
    check: ({ API_KEY_DEFAULT_LIFETIME_SECONDS: usual, API_KEY_MAX_LIFETIME_SECONDS: longest }) =>
      usual !== null && longest !== null && usual > longest
        ? [
            {
              name: 'API_KEY_DEFAULT_LIFETIME_SECONDS',
              message: `must not be above API_KEY_MAX_LIFETIME_SECONDS (${longest})`,
            },
          ]
        : [],
  },
];
