import { homedir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { ShellEnvironment } from '../adapters/cli/shell/environment.ts';

/** Where the shell client keeps things follows the XDG Base Directory Specification; a relative path there means nothing. */
export const shellEnvironment = (env: NodeJS.ProcessEnv): ShellEnvironment => {
  const below = (name: string, ...usual: readonly string[]): string => {
    const given = env[name];
    return join(given && isAbsolute(given) ? given : join(home(), ...usual), 'notary');
  };
  return {
    url: env['NOTARY_URL'] || null,
    apiKey: env['NOTARY_API_KEY'] || null,
    context: env['NOTARY_CONTEXT'] || null,
    oidcToken: env['NOTARY_OIDC_TOKEN'] || null,
    configDirectory: below('XDG_CONFIG_HOME', '.config'),
    dataDirectory: below('XDG_DATA_HOME', '.local', 'share'),
    userName: userName(),
  };
};

/** A user without an entry has none, as in some containers. */
const home = (): string => {
  const found = ((): string => {
    try {
      return homedir();
    } catch {
      return '';
    }
  })();
  // An empty HOME is taken as it is, and keys would end in whatever directory the command is run in.
  if (isAbsolute(found)) return found;
  throw new Error('There is no home directory: set HOME, or XDG_CONFIG_HOME and XDG_DATA_HOME.');
};

/** Nobody, where this user has no entry, as in some containers. */
const userName = (): string => {
  try {
    return userInfo().username || 'shell';
  } catch {
    return 'shell';
  }
};
