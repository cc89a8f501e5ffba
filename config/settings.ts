import { readFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import { parseEnv } from 'node:util';
import { distance } from 'fastest-levenshtein';
import type { Setting } from './setting-types.ts';
import { SETTINGS, type SettingName, type Settings } from './settings-table.ts';

export interface Loaded {
  readonly settings: Settings;
  /** Sentences for the operator. None of them prevents the start. */
  readonly warnings: readonly string[];
}

export interface SettingProblem {
  readonly name: string;
  readonly message: string;
}

/** The service cannot start. The message lists everything that is wrong. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  constructor(readonly problems: readonly SettingProblem[]) {
    super(
      [
        'The configuration is not valid:',
        ...problems.map((problem) => `  ${problem.name}: ${problem.message}`),
      ].join('\n'),
    );
  }
}

export type Environment = { readonly [name: string]: string | undefined };

export interface Source {
  /** Returns the text of a file, or throws. */
  readonly readFile?: (file: string) => string;
  /** Relative paths start here, and `.env` is here. */
  readonly cwd?: string;
}

const NAMES = Object.keys(SETTINGS) as readonly SettingName[];
const TABLE = new Map<string, Setting<unknown>>(Object.entries(SETTINGS));

/**
 * Reads every setting: the environment, then `NAME_FILE`, then (outside of production) `.env` in
 * the working directory. An empty value counts as unset.
 *
 * @throws SettingsError
 */
export const loadSettings = (
  env: Environment,
  { readFile = (file) => readFileSync(file, 'utf8'), cwd = process.cwd() }: Source = {},
): Loaded => {
  const problems: SettingProblem[] = [];
  const warnings: string[] = [];
  const merged =
    env.NODE_ENV === 'production' ? env : overlay(dotEnv(readFile, cwd), withoutEmpty(env));
  warnings.push(...misspelt(merged));

  const values = new Map<SettingName, unknown>();
  for (const name of NAMES) {
    const setting = TABLE.get(name)!;
    const text = textOf(name, merged, readFile, cwd, problems);
    const parsed =
      text === null ? { ok: true as const, value: setting.fallback } : setting.parse(text, cwd);
    values.set(name, parsed.ok ? parsed.value : setting.fallback);
    if (!parsed.ok) problems.push({ name, message: parsed.message });
    else if ('warning' in parsed && parsed.warning) warnings.push(`${name}: ${parsed.warning}.`);
  }

  const given = Object.fromEntries(values) as unknown as Settings;
  const settings = workedOut(given, cwd);
  // A rule that compares two settings is skipped while one of them is itself wrong.
  const wrong = new Set(problems.map((problem) => problem.name));
  for (const rule of RULES)
    if (!rule.of.some((name) => wrong.has(name))) problems.push(...rule.check(settings));
  if (problems.length > 0) throw new SettingsError(problems);
  if (!given.PUBLIC_URL && (settings.HOST === '0.0.0.0' || settings.HOST === '::')) {
    warnings.push(
      `PUBLIC_URL is not set, so links say ${settings.PUBLIC_URL}, which callers on other machines cannot follow.`,
    );
  }
  return { settings, warnings };
};

/** Defaults that depend on other settings. */
const workedOut = (given: Settings, cwd: string): Settings => {
  const host = given.HOST.includes(':') ? `[${given.HOST}]` : given.HOST;
  const dataDir = given.DATA_DIR || join(cwd, 'data');
  return {
    ...given,
    DATA_DIR: dataDir,
    KEYS_DIR: given.KEYS_DIR || join(dirname(dataDir), `${basename(dataDir)}-keys`),
    DATABASE_URL: given.DATABASE_URL || `sqlite://${join(dataDir, 'notary.sqlite')}`,
    PUBLIC_URL: given.PUBLIC_URL || `http://${host}:${given.PORT}`,
  };
};

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

const RULES: readonly Rule[] = [
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

/** Both absolute. A directory is inside itself. */
export const isInside = (inner: string, outer: string): boolean => {
  const way = relative(outer, inner);
  return way === '' || (!isAbsolute(way) && way.split(/[\\/]/)[0] !== '..');
};

const textOf = (
  name: string,
  env: Environment,
  readFile: (file: string) => string,
  cwd: string,
  problems: SettingProblem[],
): string | null => {
  const value = env[name]?.trim() || null;
  const file = env[`${name}_FILE`]?.trim() || null;
  if (file === null) return value;
  if (value !== null) {
    problems.push({ name, message: `is given twice: set ${name} or ${name}_FILE, not both` });
    return null;
  }
  try {
    const content = readFile(isAbsolute(file) ? file : join(cwd, file)).trim();
    if (content !== '') return content;
    problems.push({ name, message: `${name}_FILE names an empty file, ${file}` });
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'not readable';
    problems.push({
      name,
      message: `${name}_FILE names a file that cannot be read, ${file} (${code})`,
    });
  }
  return null;
};

const dotEnv = (readFile: (file: string) => string, cwd: string): Environment => {
  try {
    return withoutEmpty(parseEnv(readFile(join(cwd, '.env'))));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new SettingsError([
      {
        name: '.env',
        message: `cannot be read (${(cause as NodeJS.ErrnoException).code ?? 'not readable'})`,
      },
    ]);
  }
};

/**
 * A setting in the environment, in either form, replaces the same setting in the file, in either
 * form.
 */
const overlay = (file: Environment, env: Environment): Environment => {
  const said = new Set(Object.keys(env).map(bare));
  return {
    ...Object.fromEntries(Object.entries(file).filter(([name]) => !said.has(bare(name)))),
    ...env,
  };
};

const bare = (name: string): string => name.replace(/_FILE$/, '');

const withoutEmpty = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));

/**
 * Warns about unknown names that look like a setting. Settings have no common prefix, and the
 * environment is full of variables of other programs, so only a near miss of a long name is worth a
 * warning.
 */
const misspelt = (env: Environment): readonly string[] => {
  const known = new Set<string>(NAMES.flatMap((name) => [name, `${name}_FILE`]));
  return Object.keys(env)
    .filter((name) => !known.has(name))
    .flatMap((name) => {
      const near = [...known].find(
        (candidate) =>
          candidate.length >= 8 &&
          distance(candidate, name.toUpperCase()) <= (candidate.length >= 12 ? 2 : 1),
      );
      return near ? [`${name} is not a setting and was ignored. Is ${near} meant?`] : [];
    });
};
