import { execFileSync } from 'node:child_process';

/** Whether each of these programs is on the PATH. */
export const hasTools = (...names: readonly string[]): boolean =>
  names.every((name) => {
    try {
      execFileSync('which', [name], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  });
