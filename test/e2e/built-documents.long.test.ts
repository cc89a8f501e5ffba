import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { BuiltFolder } from '../../adapters/docs/built-folder.ts';
import { interfaceDocuments } from '../../config/interface-documents.ts';
import { ANY_BASE_URL } from '../../adapters/rest/base-url.ts';
import { ownServices } from '../support/service/own-services.ts';

const make = ownServices();

/** If a build is old, this fails: run npm run build. */
it('the built service serves the documents that its sources make, for its own base URL', async () => {
  const service = make({ PUBLIC_URL: 'https://notary.example/base', GRPC_PORT: 'off' });
  await service.bootstrap();
  await service.start();
  const made = await interfaceDocuments(new BuiltFolder());
  const pages = [...made].filter(([name]) => name !== 'search.json');
  expect(pages.length).toBeGreaterThan(15);
  for (const [name, text] of pages) {
    const answer = await fetch(`${service.url}/docs/${name.replace(/\.html$/, '')}`);
    expect([name, answer.status]).toEqual([name, 200]);
    const served = await answer.text();
    const isSame = served === text.replace(ANY_BASE_URL, 'https://notary.example/base');
    expect(isSame, name).toBe(true);
  }
  const yaml = await (await fetch(`${service.url}/docs/openapi.yaml`)).text();
  const json = (await (await fetch(`${service.url}/docs/openapi.json`)).json()) as object;
  expect(parse(yaml)).toEqual(json);
  expect(json).toMatchObject({ servers: [{ url: 'https://notary.example/base' }] });
  const found = await (await fetch(`${service.url}/docs/search?q=webhook`)).text();
  expect(found).toContain('/docs/reference/webhooks#');
});

it('the package holds them', async () => {
  const listing = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    encoding: 'utf8',
    maxBuffer: 16_777_216,
  });
  const [{ files }] = JSON.parse(listing) as [{ files: readonly { path: string }[] }];
  const packed = new Set(files.map(({ path }) => path));
  const made = [...(await interfaceDocuments(new BuiltFolder())).keys()];
  expect(made.filter((name) => !packed.has(`dist/docs/${name}`))).toEqual([]);
});
