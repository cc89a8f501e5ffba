import { execFileSync } from 'node:child_process';

/**
 * Whether each of these programs is on the PATH.
 *
 * @throws Error where REQUIRE_TOOLS=1 and one is not.
 */
export const hasTools = (...names: readonly string[]): boolean => {
  const missing = names.filter((name) => !isOnPath(name));
  if (missing.length > 0 && process.env['REQUIRE_TOOLS'] === '1')
    throw new Error(`REQUIRE_TOOLS=1, but there is no ${missing.join(' and no ')}`);
  return missing.length === 0;
};

const isOnPath = (name: string): boolean => {
  try {
    execFileSync('which', [name], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
