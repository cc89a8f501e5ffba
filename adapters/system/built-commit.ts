import { readFileSync } from 'node:fs';

/** The commit that `build/dist.js` wrote beside the program: 40 hex digits, with `.changed` if the sources differed from it. Null if the sources run as they are. */
export const builtCommit = (): string | null => {
  try {
    const text = readFileSync(new URL('../../build.json', import.meta.url), 'utf8');
    return (JSON.parse(text) as { commit: string | null }).commit;
  } catch {
    return null;
  }
};
