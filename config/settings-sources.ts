import { isAbsolute, join } from 'node:path';
import { parseEnv } from 'node:util';
import { type SettingProblem, SettingsError } from './settings-error.ts';

export const textOf = (
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

export type Environment = { readonly [name: string]: string | undefined };

export const dotEnv = (readFile: (file: string) => string, cwd: string): Environment => {
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
export const overlay = (file: Environment, env: Environment): Environment => {
  const said = new Set(Object.keys(env).map(bare));
  return {
    ...Object.fromEntries(Object.entries(file).filter(([name]) => !said.has(bare(name)))),
    ...env,
  };
};

const bare = (name: string): string => name.replace(/_FILE$/, '');

export const withoutEmpty = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));
