import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { productSources } from '../../support/product-sources.ts';

const OWN = 'domain/verification/';

/** Everything that the modules of the verifier export, as bundle.js makes files of them. */
const bundled = async (): Promise<{ readonly own: number; readonly all: number }> => {
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
  const own = Object.entries(output!.inputs)
    .filter(([path]) => path.startsWith(OWN))
    .reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0);
  return { own, all: output!.bytes };
};

it('the bundle of what stands in domain/verification is under 200 KB, and with all that it imports under 360', async () => {
  const { own, all } = await bundled();
  expect(own).toBeGreaterThan(100_000);
  expect(own).toBeLessThan(200_000);
  expect(all).toBeLessThan(360_000);
});
