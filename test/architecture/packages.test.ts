import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { importedNames, productSources } from '../support/runner/product-sources.ts';

/** What a user installs holds all that the product imports, and each library has its place. */
const ROOMS_OF: Readonly<Record<string, RegExp>> = {
  '@aws-sdk/client-s3': /^adapters\/anchor\/s3\//,
  '@bufbuild/cel': /^adapters\/cel\//,
  '@bufbuild/protobuf': /^adapters\/(cel|grpc)\//,
  '@grpc/grpc-js': /^adapters\/grpc\//,
  '@grpc/reflection': /^adapters\/grpc\//,
  '@modelcontextprotocol/server': /^adapters\/mcp\//,
  '@noble/curves': /^(domain|adapters)\//,
  '@noble/hashes': /^(domain|adapters)\//,
  '@opentelemetry/api': /^adapters\/telemetry\//,
  '@opentelemetry/otlp-transformer': /^adapters\/telemetry\//,
  '@opentelemetry/resources': /^adapters\/telemetry\//,
  '@opentelemetry/sdk-trace-node': /^adapters\/telemetry\//,
  '@peculiar/webcrypto': /^adapters\/signer\//,
  '@photostructure/sqlite': /^adapters\/sql\//,
  ajv: /^adapters\//,
  'ajv-formats': /^adapters\//,
  asn1js: /^adapters\/tsa\//,
  canonicalize: /^domain\/kernel\//,
  'cbor-x': /^domain\//,
  commander: /^adapters\/cli\//,
  'd3-hierarchy': /^adapters\/console\//,
  'fastest-levenshtein': /^(adapters|config)\//,
  'grpc-health-check': /^adapters\/grpc\//,
  h3: /^adapters\/(http|rest)\//,
  inversify: /^config\//,
  ioredis: /^adapters\/limits\//,
  'ipaddr.js': /^(domain|adapters)\//,
  jose: /^adapters\//,
  'json-rpc-2.0': /^adapters\/(a2a|mcp)\//,
  knex: /^adapters\/sql\//,
  minisearch: /^adapters\/docs\//,
  mysql2: /^adapters\/sql\//,
  oauth4webapi: /^adapters\/cli\/shell\//,
  picocolors: /^adapters\/cli\//,
  pino: /^adapters\/system\//,
  'pino-pretty': /^adapters\/system\//,
  pkijs: /^adapters\/tsa\//,
  preact: /^adapters\/console\//,
  'prom-client': /^adapters\/metrics\//,
  re2js: /^adapters\/(cel|json-schema)\//,
  'reflect-metadata': /^config\//,
  srvx: /^adapters\/http\//,
  'structured-headers': /^adapters\/http\//,
  transliteration: /^domain\/identity\//,
  typebox: /^(application|adapters)\//,
  uplot: /^adapters\/console\//,
  uuid: /^adapters\/system\//,
  yaml: /^adapters\/(?:rest|provisioning)\//,
};

/** Left out where they cannot be compiled, or nobody wants them: they are loaded where the settings name them. */
const OPTIONAL_ROOMS_OF: Readonly<Record<string, RegExp>> = {
  '@aws-sdk/client-kms': /^adapters\/signer\//,
  'node-webcrypto-p11': /^adapters\/signer\/pkcs11\//,
  pkcs11js: /^adapters\/signer\/pkcs11\//,
};

/** Dependencies that nothing imports yet, and what they wait for. */
const WAITING: Readonly<Record<string, string>> = {};

const imports = [...productSources().values()]
  .flatMap(importedNames)
  .filter(({ isPackage, to }) => isPackage && !to.startsWith('node:'));

describe('the packages that product code imports', () => {
  it('are dependencies, never development ones', () => {
    expect(imports.length).toBeGreaterThan(100);
    const installed = { ...packageJson.dependencies, ...packageJson.optionalDependencies };
    const lost = imports.filter(({ to }) => !(to in installed));
    expect(lost.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
  });

  it('are all the dependencies there are, but for those that wait', () => {
    const used = new Set(imports.map(({ to }) => to));
    const unused = Object.keys(packageJson.dependencies).filter((name) => !used.has(name));
    expect(unused).toEqual(Object.keys(WAITING));
  });

  it('stand each where the table says', () => {
    expect(Object.keys(packageJson.dependencies)).toEqual(Object.keys(ROOMS_OF));
    expect(Object.keys(packageJson.optionalDependencies)).toEqual(Object.keys(OPTIONAL_ROOMS_OF));
    const rooms = { ...ROOMS_OF, ...OPTIONAL_ROOMS_OF };
    const elsewhere = imports.filter(({ from, to }) => !rooms[to]?.test(from));
    expect(elsewhere.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
  });
});

describe('the package', () => {
  const [{ filename, size, files }] = JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  ) as [
    {
      readonly filename: string;
      readonly size: number;
      readonly files: readonly { readonly path: string }[];
    },
  ];
  const paths = files.map(({ path }) => path);
  const documents = [
    'README.md',
    ...readdirSync('docs/guides').map((name) => `docs/guides/${name}`),
  ];
  const named = (pattern: RegExp): readonly string[] =>
    documents.flatMap((document) => readFileSync(document, 'utf8').match(pattern) ?? []);

  it('holds each file and folder that the README and the guides name', () => {
    const wanted = named(
      /(?<![\w./-])(?:deploy|docs\/examples|docs\/guides|config\/observability|proto)\/[\w./-]*/g,
    ).map((path) => path.replace(/[./]+$/, ''));
    expect(wanted).toContain('deploy/notary.service');
    expect(wanted).toContain('config/observability/dashboard.json');
    const isPacked = (path: string): boolean =>
      paths.some((packed) => packed === path || packed.startsWith(`${path}/`));
    expect(wanted.filter((path) => !isPacked(path))).toEqual([]);
  });

  it('has the name in the guides that npm gives it', () => {
    const names = named(/notary-service[\w.-]*\.tgz/g);
    expect(names.length).toBeGreaterThan(0);
    expect([...new Set(names)]).toEqual([filename]);
  });

  it('holds no sources of the service and no tests, and stays small', () => {
    const rooms = new Set(paths.map((path) => path.split('/')[0]!));
    for (const room of ['adapters', 'application', 'domain', 'test', 'build', 'node_modules'])
      expect(rooms.has(room), room).toBe(false);
    const ofConfig = paths.filter((path) => path.startsWith('config/'));
    expect(ofConfig.filter((path) => !path.startsWith('config/observability/'))).toEqual([]);
    expect(size).toBeLessThan(6_000_000);
  });
});
