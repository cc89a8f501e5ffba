/**
 * Makes the TypeScript client that the package exports, from the sources: `notary-service/client` and
 * `notary-service/client/verify`, each as one module with its types. Neither knows Node.
 *
 * @example node bundle-client.js
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';
import ts from 'typescript';

const root = import.meta.dirname;
const out = resolve(process.argv[2] ?? join(root, 'dist', 'client'));
const ENTRIES = ['client', 'verify'];
const entryOf = (name) => join(root, 'adapters', 'client', `${name}.ts`);

/** Of a module that something of Node got into there is none: esbuild finds no `node:` on this platform. */
const bundled = () =>
  build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(ENTRIES.map((name) => [name, entryOf(name)])),
    outdir: out,
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    preserveSymlinks: true,
    alias: { 'cbor-x': 'cbor-x/index-no-eval' },
    logLevel: 'warning',
  });

/** The types of the two modules, and of what these name: each file where its source is. */
const declarations = () => {
  const path = join(root, 'adapters', 'client', 'tsconfig.json');
  const { options, fileNames } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(path, ts.sys.readFile).config,
    ts.sys,
    dirname(path),
  );
  const program = ts.createProgram({
    rootNames: [...ENTRIES.map(entryOf), ...fileNames.filter((name) => name.endsWith('.d.ts'))],
    options: {
      ...options,
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      // That they are sound is the business of `npm run check`.
      noCheck: true,
      rootDir: root,
      outDir: '/types',
    },
  });
  const made = new Map();
  program.emit(undefined, (name, text) => made.set(relative('/types', name), text));
  return reached(made);
};

/** A declaration imports its neighbours by the names of their sources, which are not there. */
const reached = (made) => {
  const kept = new Map();
  const visit = (name) => {
    if (kept.has(name)) return;
    const text = made.get(name);
    if (text === undefined) throw new Error(`no declaration of ${name}`);
    const places = [];
    kept.set(
      name,
      text.replace(/((?:from|import\()\s*["'])(\.[^"']+)\.ts(["'])/g, (_, before, place, after) => {
        places.push(`${join(dirname(name), place)}.d.ts`);
        return `${before}${place}.js${after}`;
      }),
    );
    places.forEach(visit);
  };
  for (const name of ENTRIES) visit(join('adapters', 'client', `${name}.d.ts`));
  return kept;
};

const { outputFiles } = await bundled();
const files = new Map(outputFiles.map(({ path, contents }) => [path, contents]));
for (const [name, text] of declarations()) files.set(join(out, 'types', name), text);
await rm(join(out, 'types'), { recursive: true, force: true });
for (const [path, contents] of files) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, contents);
}
