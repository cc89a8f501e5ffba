import { readFile } from 'node:fs/promises';

/** Of package.json the version alone, so that a bundle does not change with what only the development needs. */
export const onlyVersion = {
  name: 'only-version',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]package\.json$/ }, async ({ path }) => {
      const { version } = JSON.parse(await readFile(path, 'utf8'));
      return { contents: JSON.stringify({ version }), loader: 'json' };
    }),
};
