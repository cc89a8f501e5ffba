/**
 * Bundles what runs without an installation, from the sources: the verifier as one file, and what its pages load. The
 * same sources and libraries give the same bytes, wherever they stand.
 *
 * @example node bundle.js dist/docs
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

const root = import.meta.dirname;
const out = resolve(process.argv[2] ?? join(root, 'dist', 'docs'));

/** Of package.json the version alone, so that a bundle does not change with what only the development needs. */
const onlyVersion = {
  name: 'only-version',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]package\.json$/ }, async ({ path }) => {
      const { version } = JSON.parse(await readFile(path, 'utf8'));
      return { contents: JSON.stringify({ version }), loader: 'json' };
    }),
};

/** A CommonJS library asks for the modules of Node by this name. */
const REQUIRE =
  "import{createRequire}from'node:module';const require=createRequire(import.meta.url);";

/** Names are left as they are: whoever wants to can read what they run. */
const bundled = async (entry, platform) => {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'esm',
    platform,
    target: platform === 'node' ? 'node20' : 'es2022',
    minifyWhitespace: true,
    lineLimit: 160,
    charset: 'utf8',
    legalComments: 'none',
    // The paths of CommonJS modules stand in the bundle: those of this folder, wherever its packages are kept.
    preserveSymlinks: true,
    // The other build of this library makes functions of text, which no strict page allows.
    alias: { 'cbor-x': 'cbor-x/index-no-eval' },
    plugins: [onlyVersion],
    ...(platform === 'node' ? { banner: { js: REQUIRE } } : {}),
    logLevel: 'warning',
  });
  return outputFiles[0].contents;
};

const FILES = [
  ['notary-verify.mjs', 'config/notary-verify.ts', 'node'],
  ['notary-gates.mjs', 'adapters/cel/cel-gate-evaluator.ts', 'node'],
];

await mkdir(out, { recursive: true });
for (const [name, entry, platform] of FILES) {
  const bytes = await bundled(entry, platform);
  await writeFile(join(out, name), bytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  // As sha256sum writes it, and reads it with -c.
  await writeFile(join(out, `${name}.sha256`), `${sha256}  ${name}\n`);
}
