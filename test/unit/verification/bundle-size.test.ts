import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { productSources } from '../../support/runner/product-sources.ts';

const OWN = 'domain/verification/';
/** What only records of two hubs need. */
const isOfPeers = (path: string): boolean =>
  path.startsWith(`${OWN}federation/`) || PEERS.has(path);
const PEERS: ReadonlySet<string> = new Set(
  [
    'entry/told-statement',
    'formats/check-peer',
    'formats/compare-sides',
    'formats/time-line',
    'platform/signing-hub',
    'read/read-federation',
    'verify-both-sides',
  ].map((name) => `${OWN}${name}.ts`),
);

/** Everything that the modules of the verifier export, as bundle.js makes files of them. */
const bundled = async () => {
  const modules = [...productSources().keys()].filter((path) => path.startsWith(OWN));
  expect(modules.length).toBeGreaterThan(100);
  const { metafile } = await build({
    stdin: {
      contents: modules.map((path, at) => `export * as m${at} from './${path}';`).join('\n'),
      resolveDir: process.cwd(),
      loader: 'ts',
    },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    lineLimit: 160,
    charset: 'utf8',
    legalComments: 'none',
    preserveSymlinks: true,
    metafile: true,
  });
  const [output] = Object.values(metafile.outputs);
  const sizeOf = (isOf: (path: string) => boolean): number =>
    Object.entries(output!.inputs)
      .filter(([path]) => isOf(path))
      .reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0);
  return {
    own: sizeOf((path) => path.startsWith(OWN) && !isOfPeers(path)),
    peers: sizeOf(isOfPeers),
    all: output!.bytes,
  };
};

it('what stands in domain/verification is under 233 KB, what records of two hubs add under 28, and all with what it imports under 428', async () => {
  const { own, peers, all } = await bundled();
  expect(own).toBeGreaterThan(100_000);
  expect(own).toBeLessThan(233_000);
  expect(peers).toBeGreaterThan(10_000);
  expect(peers).toBeLessThan(28_000);
  expect(all).toBeLessThan(428_000);
});
