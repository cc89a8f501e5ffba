import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** Parts of the product as the build makes them: what a loader makes of the sources is slower. */
export const asBuilt = async <T>(entry: string): Promise<T> => {
  // Libraries are found from here as from the program.
  mkdirSync('dist', { recursive: true });
  const folder = mkdtempSync(join('dist', 'bench-'));
  const outfile = join(folder, 'parts.js');
  try {
    await build({
      entryPoints: [join(import.meta.dirname, entry)],
      outfile,
      bundle: true,
      packages: 'external',
      format: 'esm',
      platform: 'node',
      target: 'node20',
      logLevel: 'warning',
    });
    return (await import(pathToFileURL(outfile).href)) as T;
  } finally {
    rmSync(folder, { recursive: true });
  }
};
