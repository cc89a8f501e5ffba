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
