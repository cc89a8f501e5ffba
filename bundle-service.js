/**
 * Makes the program that runs, from the sources: few files, each with what is needed at the same time, instead of one for
 * each of some 1,700 sources and as many of libraries. A start reads, links and keeps them in memory: see CONTRIBUTING.md.
 *
 * @example node bundle-service.js dist
 */
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';
import { onlyVersion } from './only-version.js';

const root = import.meta.dirname;
/** Beside the sources, as `dist` is: the source maps name them by their relative paths. */
const out = resolve(process.argv[2] ?? join(root, 'dist'));

/** What is started by its path: the command, threads, and the last step of the build. */
const ENTRIES = [
  'config/main',
  'config/write-documents',
  'config/dump-worker',
  'adapters/json-schema/schema-worker',
  'adapters/json-work/json-worker',
  'adapters/signer/pkcs11/token-worker',
  'adapters/signer/threads/signing-worker',
  'adapters/sql/scan/scan-worker',
  'adapters/sql/sqlite/sqlite-reader-worker',
];

/**
 * Libraries that every start needs, plain JavaScript in hundreds of files: they go along. All others are loaded from where
 * they are installed: those that are native, or find files of their own, and those that few need.
 */
const ALONG =
  /^(@bufbuild\/(cel|cel-spec|protobuf)|@noble\/(curves|hashes)|ajv|ajv-formats|commander|fastest-levenshtein|h3|inversify|ipaddr\.js|picocolors|re2js|reflect-metadata|srvx|structured-headers|typebox|uuid)(\/|$)/;

const libraries = {
  name: 'libraries',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^[^./]/ }, ({ path, importer }) =>
      // What a library that goes along imports goes along as well.
      ALONG.test(path) || importer.includes('node_modules') || path.startsWith('node:')
        ? undefined
        : { external: true },
    ),
};

/** A module finds what stands beside it, such as the script of a thread, wherever its code ends up: all chunks are one folder deep. */
const placed = new Set();
const ownPlaces = {
  name: 'own-places',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      if (!text.includes('import.meta.url')) return undefined;
      placed.add(path);
      const place = JSON.stringify(`../${relative(root, path).replace(/\.ts$/, '.js')}`);
      return {
        contents: text.replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`),
        loader: 'ts',
      };
    }),
};

const { outputFiles, metafile } = await build({
  absWorkingDir: root,
  entryPoints: Object.fromEntries(ENTRIES.map((path) => [path, `${path}.ts`])),
  outdir: out,
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  write: false,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // Not made small: a stack trace names functions and classes, and where the line is wanted, node --enable-source-maps.
  sourcemap: true,
  sourcesContent: false,
  legalComments: 'none',
  preserveSymlinks: true,
  plugins: [libraries, ownPlaces, onlyVersion],
  banner: {
    js: "import{createRequire as requireOf}from'node:module';const require=requireOf(import.meta.url);",
  },
  metafile: true,
  logLevel: 'warning',
});

/** Where code says where it is, that has to be so: see ownPlaces. */
const assertOneFolderDeep = () => {
  for (const [path, { inputs }] of Object.entries(metafile.outputs))
    for (const input of Object.keys(inputs))
      if (placed.has(join(root, input)) && path.split('/').length !== 3)
        throw new Error(`${input} asks for its place, and is in ${path}`);
};

/** What is in the bundles that pages load, which bundle.js makes. */
const IN_PAGES = ['d3-hierarchy', 'preact', 'uplot'];

/** What goes along keeps its licence. */
const licences = async () => {
  const folders = new Set([
    ...Object.keys(metafile.inputs).flatMap(
      (path) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [],
    ),
    ...IN_PAGES.map((name) => `node_modules/${name}`),
  ]);
  const texts = [...folders].toSorted().map(async (folder) => {
    const { name, version, license } = JSON.parse(
      await readFile(join(root, folder, 'package.json'), 'utf8'),
    );
    const file = (await readdir(join(root, folder))).find((one) => /^licen[cs]e/i.test(one));
    const text = file ? await readFile(join(root, folder, file), 'utf8') : '';
    return `${name} ${version} (${license})\n\n${text.trim()}\n`;
  });
  return (await Promise.all(texts)).join(`\n${'-'.repeat(80)}\n\n`);
};

const write = async (files) => {
  for (const [path, contents] of files) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, contents);
  }
  await chmod(join(out, 'config', 'main.js'), 0o755);
};

/**
 * One character beyond Latin-1, in a comment of a library, and the text of a whole file takes twice the memory. esbuild
 * escapes strings; what is left stands in regular expressions, where an escape means the same, or in comments.
 */
const inAscii = (text) =>
  text.replace(/^.*[^\x00-\x7f].*$/gm, (line) => {
    if (line.includes('`') && !/^\s*(\/\/|\/?\*)/.test(line))
      throw new Error(`a template may say what is not ASCII: ${line.trim().slice(0, 200)}`);
    return line.replace(
      /[^\x00-\x7f]/g,
      (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
  });

assertOneFolderDeep();
await write(
  new Map([
    ...outputFiles.map(({ path, contents, text }) => [
      path,
      path.endsWith('.js') ? inAscii(text) : contents,
    ]),
    [join(out, 'licences.txt'), await licences()],
  ]),
);
