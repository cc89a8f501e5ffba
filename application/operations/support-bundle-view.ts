import { Type, type Static } from 'typebox';
import { oneOf, Timestamp } from '../call/schemas.ts';
import type { SettingValue, SupportBundle } from './get-support-bundle.ts';
import { SYSTEM_HEALTH } from './health-examples.ts';
import { SystemHealthSchema, systemHealthView } from './health-view.ts';

const SECTIONS = [
  'manifest',
  'version',
  'license',
  'health',
  'authCache',
  'config',
  'database',
  'environment',
  'guidance',
] as const;

export const SupportBundleSchema = Type.Object({
  manifest: Type.Object({
    generatedAt: Timestamp,
    sections: Type.Array(oneOf(SECTIONS)),
  }),
  version: Type.Object({ release: Type.String(), interface: Type.String(), node: Type.String() }),
  license: Type.Object({ tier: oneOf(['unlimited']) }),
  health: SystemHealthSchema,
  authCache: Type.Object({
    maxAgeMs: Type.Integer({
      description: 'A change of a credential takes effect within this time',
    }),
  }),
  config: Type.Unsafe<{ readonly [name: string]: SettingValue }>({
    type: 'object',
    description: 'The settings in force; a secret shows only whether it is set',
  }),
  database: Type.Object({
    kind: oneOf(['sqlite', 'mysql']),
    reachable: Type.Boolean(),
    migrated: Type.Boolean(),
    connections: Type.Object({
      used: Type.Integer(),
      free: Type.Integer(),
      waiting: Type.Integer(),
    }),
  }),
  environment: Type.Object({
    platform: Type.String(),
    arch: Type.String(),
    processors: Type.Integer(),
    memoryBytes: Type.Integer(),
    timeZone: Type.String(),
  }),
  guidance: Type.Array(Type.String(), {
    description: 'What to do about each reason, most severe first',
  }),
});

type View = Static<typeof SupportBundleSchema>;

export const supportBundleView = (bundle: SupportBundle): View => {
  const { installation, connections } = bundle;
  const health = systemHealthView(bundle.health);
  return {
    manifest: { generatedAt: bundle.generatedAt, sections: [...SECTIONS] },
    version: {
      release: installation.release,
      interface: installation.interfaceVersion,
      node: health.process.nodeVersion,
    },
    license: { tier: 'unlimited' },
    health,
    authCache: { maxAgeMs: installation.authCacheMs },
    config: { ...installation.config },
    database: {
      kind: installation.databaseKind,
      ...health.database,
      connections: { ...connections },
    },
    environment: { ...installation.environment },
    guidance:
      health.degradedReasons.length === 0
        ? ['Nothing is wrong that this service knows of.']
        : health.degradedReasons.map(({ code, suggestion }) => `${code}: ${suggestion}`),
  };
};

export const SUPPORT_BUNDLE = {
  manifest: { generatedAt: '2026-03-01T12:00:00.000Z', sections: [...SECTIONS] },
  version: { release: '0.1.0', interface: '1.4.0', node: SYSTEM_HEALTH.process.nodeVersion },
  license: { tier: 'unlimited' },
  health: SYSTEM_HEALTH,
  authCache: { maxAgeMs: 900 },
  config: { ROLE: 'all', PORT: 3000, API_KEY_PEPPER: '********' },
  database: {
    kind: 'mysql',
    reachable: true,
    migrated: true,
    connections: { used: 1, free: 3, waiting: 0 },
  },
  environment: {
    platform: 'linux',
    arch: 'x64',
    processors: 4,
    memoryBytes: 8_000_000_000,
    timeZone: 'UTC',
  },
  guidance: SYSTEM_HEALTH.degradedReasons.map(({ code, suggestion }) => `${code}: ${suggestion}`),
};
