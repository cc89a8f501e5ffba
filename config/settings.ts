import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { distance } from 'fastest-levenshtein';
import type { Setting } from './setting-types.ts';
import { type SettingName, type Settings, SETTINGS } from './settings-table.ts';
import { type SettingProblem, SettingsError } from './settings-error.ts';
import { dotEnv, type Environment, overlay, textOf, withoutEmpty } from './settings-sources.ts';
import { grpcInTheClear, RULES } from './settings-rules.ts';

export interface Loaded {
  readonly settings: Settings;
  /** Sentences for the operator. None of them prevents the start. */
  readonly warnings: readonly string[];
}

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
  const merged = mergedEnvironment(env, cwd, readFile);
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

  const given = Object.fromEntries(values) as Settings;
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
  const inTheClear = grpcInTheClear(settings);
  if (inTheClear !== null) warnings.push(inTheClear);
  return { settings, warnings };
};

/** The environment, over `.env` outside of production. */
export const mergedEnvironment = (
  env: Environment,
  cwd: string,
  readFile = (file: string): string => readFileSync(file, 'utf8'),
): Environment =>
  env.NODE_ENV === 'production' ? env : overlay(dotEnv(readFile, cwd), withoutEmpty(env));

/** Defaults that depend on other settings. */
const workedOut = (given: Settings, cwd: string): Settings => {
  const host = given.HOST.includes(':') ? `[${given.HOST}]` : given.HOST;
  const dataDir = given.DATA_DIR || join(cwd, 'data');
  return {
    ...given,
    DATA_DIR: dataDir,
    KEYS_DIR: given.KEYS_DIR || join(dirname(dataDir), `${basename(dataDir)}-keys`),
    ANCHOR_PATH: given.ANCHOR_PATH || join(dirname(dataDir), `${basename(dataDir)}-anchors`),
    DATABASE_URL: given.DATABASE_URL || `sqlite://${join(dataDir, 'notary.sqlite')}`,
    HUB_NAME: given.HUB_NAME || hostname(),
    PUBLIC_URL: given.PUBLIC_URL || `http://${host}:${given.PORT}`,
    GRPC_PORT: given.GRPC_PORT === '' ? defaultGrpcPort(given) : given.GRPC_PORT,
  };
};

/** Suites start many services side by side, and most of them need no second port. */
const defaultGrpcPort = ({ NODE_ENV }: Settings): Settings['GRPC_PORT'] =>
  NODE_ENV === 'test' ? 'off' : 50_051;

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
          Math.abs(candidate.length - name.length) <= 2 &&
          distance(candidate, name.toUpperCase()) <= (candidate.length >= 12 ? 2 : 1),
      );
      return near ? [`${name} is not a setting and was ignored. Is ${near} meant?`] : [];
    });
};
