import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { listingInto, loadedSources } from '../support/service/loaded-sources.ts';
import { ownServices } from '../support/service/own-services.ts';

const make = ownServices();

/** What a service loads until it idles, and by what `use` asks of it then. */
const loadedBy = async (
  env: Readonly<Record<string, string>> = {},
  use: (url: string) => Promise<unknown> = () => Promise.resolve(),
): Promise<ReturnType<typeof loadedSources>> => {
  const { directory } = make();
  await make({}, directory).bootstrap();
  const list = join(directory, 'loaded');
  const service = make({ GRPC_PORT: 'off', ...env, ...listingInto(list) }, directory);
  await service.start();
  await sleep(300);
  await use(service.url);
  expect(await service.stop()).toBe(0);
  return loadedSources(list);
};

/** Loaded with the first call, command or setting that needs it. */
const LATER = [
  /^adapters\/a2a\/(?!spoken-versions)/,
  /^adapters\/grpc\//,
  /^adapters\/mcp\/(?!spoken-versions)/,
  /^adapters\/federation\/inbound/,
  /^adapters\/cel\/(?!lazy-gate-evaluator)/,
  // The build makes these documents.
  /^adapters\/rest\/openapi(-files|-problems|-schemas)?\.ts/,
  /^adapters\/docs\/reference\/(reference|search-parts|openapi-reader)/,
  /^adapters\/signer\/(pkcs11\/|kms-key|transit-key)/,
  /^adapters\/telemetry\/(?!traced-work|failure-of)/,
  /^adapters\/tsa\/(query|read-token|roots)/,
  // What attacks the database of a demo.
  /^adapters\/(sql|rest)\/demo\//,
  /^config\/demo-attacks/,
  /^adapters\/cli\/(verify|show|demo|dump-threads)\.ts/,
  /^domain\/verification\/(verify-audit-export|dump\/verify-dump)\.ts/,
];

/** Of the libraries that are installed with the service those that every start needs. Another one costs each notary its memory: load it where it is used. */
const AT_START: readonly string[] = [
  '@noble/curves',
  '@noble/hashes',
  '@photostructure/sqlite',
  'ajv',
  'ajv-formats',
  'canonicalize',
  'cbor-x',
  'commander',
  'fastest-levenshtein',
  'h3',
  'ipaddr.js',
  'knex',
  'pino',
  're2js',
  'reflect-metadata',
  'srvx',
  'structured-headers',
  'typebox',
  'uuid',
];

it('loads at the start what every notary needs, and no library besides', async () => {
  const { own, packages } = await loadedBy();
  expect(own).toContain('application/record/create-record.ts');
  expect(own.filter((path) => LATER.some((one) => one.test(path)))).toEqual([]);
  const installed = { ...packageJson.dependencies, ...packageJson.optionalDependencies };
  expect(packages.filter((name) => name in installed)).toEqual(AT_START);
});

it('loads a front-end with the first call of it, or where a setting asks for it', async () => {
  const { own } = await loadedBy({ GRPC_PORT: '0' }, async (url) => {
    await fetch(`${url}/.well-known/agent-card.json`);
    await fetch(`${url}/mcp`, { method: 'POST' });
  });
  expect(own).toContain('adapters/a2a/a2a-adapter.ts');
  expect(own).toContain('adapters/grpc/methods.ts');
  expect(own).toContain('adapters/mcp/mcp-route.ts');
});

it('loads OpenTelemetry where a collector is set, and nowhere else', async () => {
  const isOfTraces = (name: string): boolean => name.startsWith('@opentelemetry/');
  const without = await loadedBy();
  expect(without.packages.filter(isOfTraces)).toEqual([]);
  const withIt = await loadedBy({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' });
  expect(withIt.packages.filter(isOfTraces)).toContain('@opentelemetry/sdk-trace-node');
  expect(withIt.own).toContain('adapters/telemetry/otel-tracer.ts');
});
