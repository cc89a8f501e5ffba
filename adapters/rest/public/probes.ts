import { Type } from 'typebox';
import {
  isReady,
  type CheckHealth,
  type Health,
} from '../../../application/operations/check-health.ts';
import { DEGRADED_REASONS } from '../../../application/operations/degraded-reasons.ts';
import { page, type Page } from '../page.ts';
import { oneOf } from '../../../application/call/schemas.ts';

/**
 * Health checks for orchestrators and people. Probes show the rate-limit headers and are never
 * refused.
 */
export const probePages = (
  checkHealth: Pick<CheckHealth, 'execute'>,
  version: string,
): readonly Page[] => [
  page({
    path: '/livez',
    operationId: 'getLiveness',
    summary: 'Whether the process runs',
    tag: 'Operations',
    limit: 'probe',
    answers: {
      200: {
        description: 'It does',
        schema: Type.Object({ status: Type.Literal('ok'), version: Type.String() }),
        example: { status: 'ok', version: '0.1.0' },
      },
    },
    render: () => ({ status: 200, body: { status: 'ok', version } }),
  }),
  page({
    path: '/readyz',
    operationId: 'getReadiness',
    summary: 'Whether requests can be served',
    tag: 'Operations',
    limit: 'probe',
    answers: {
      200: {
        description: 'They can',
        schema: Readiness,
        example: {
          status: 'ready',
          version: '0.1.0',
          checks: { database: true, writes: true, signer: true, migrations: true },
        },
      },
      503: {
        description: 'They cannot; checks says why, and reason if nothing can be written',
        schema: Readiness,
        example: {
          status: 'not_ready',
          version: '0.1.0',
          checks: { database: true, writes: false, signer: true, migrations: true },
          reason: DEGRADED_REASONS.disk_full.says,
        },
      },
    },
    render: async () => {
      const health = await checkHealth.execute();
      const ready = isReady(health);
      return {
        status: ready ? 200 : 503,
        ...(ready ? {} : { headers: { 'Retry-After': '5' } }),
        body: {
          status: ready ? 'ready' : 'not_ready',
          version,
          checks: checksOf(health),
          ...(health.writeRefusal && { reason: DEGRADED_REASONS[health.writeRefusal].says }),
        },
      };
    },
  }),
  page({
    path: '/health',
    operationId: 'getHealth',
    summary: 'How the service fares; 200 also when it is degraded',
    tag: 'Operations',
    limit: 'probe',
    answers: {
      200: {
        description: 'ok or degraded',
        schema: Type.Object({
          status: oneOf(['ok', 'degraded']),
          version: Type.String(),
          uptime: Type.Number({ description: 'Seconds' }),
          reason: Type.Optional(
            Type.String({ description: 'Why nothing can be written, and what to do' }),
          ),
        }),
        example: { status: 'ok', version: '0.1.0', uptime: 42 },
      },
    },
    render: async () => {
      const health = await checkHealth.execute();
      const status = isReady(health) && health.sharedLimits ? 'ok' : 'degraded';
      const refusal = health.writeRefusal && DEGRADED_REASONS[health.writeRefusal];
      return {
        status: 200,
        body: {
          status,
          version,
          uptime: health.uptimeSeconds,
          ...(refusal && { reason: `${refusal.says} ${refusal.cure}` }),
        },
      };
    },
  }),
  page({
    path: '/status',
    operationId: 'getStatus',
    summary: 'The parts of the service, for a status page',
    tag: 'Operations',
    limit: 'probe',
    answers: {
      200: {
        description: 'Every part with its own status',
        schema: StatusSchema,
        example: {
          status: 'operational',
          version: '0.1.0',
          components: [{ name: 'API', status: 'operational' }],
        },
      },
    },
    render: async () => ({
      status: 200,
      body: presentStatus(await checkHealth.execute(), version),
    }),
  }),
];

const Readiness = Type.Object({
  status: oneOf(['ready', 'not_ready']),
  version: Type.String(),
  checks: Type.Object({
    database: Type.Boolean(),
    writes: Type.Boolean({ description: 'Whether the database takes writes' }),
    signer: Type.Boolean(),
    migrations: Type.Boolean(),
  }),
  reason: Type.Optional(Type.String({ description: 'Why nothing can be written' })),
});

const ComponentStatus = oneOf(['operational', 'degraded', 'outage']);
const StatusSchema = Type.Object({
  status: ComponentStatus,
  version: Type.String(),
  components: Type.Array(Type.Object({ name: Type.String(), status: ComponentStatus })),
});

const checksOf = ({
  database,
  writeRefusal,
  signer,
  migrations,
}: Health): {
  readonly database: boolean;
  readonly writes: boolean;
  readonly signer: boolean;
  readonly migrations: boolean;
} => ({ database, writes: database && writeRefusal === null, signer, migrations });

/**
 * Without its database the service is down; any other failure leaves it able to answer some
 * requests.
 */
const presentStatus = (health: Health, version: string): object => {
  const word = (well: boolean): string => (well ? 'operational' : 'outage');
  const components = [
    { name: 'API', status: 'operational' },
    {
      name: 'Database',
      status: health.database && !health.migrations ? 'degraded' : word(health.database),
    },
    { name: 'Chain writes', status: word(checksOf(health).writes && health.signer) },
    {
      name: 'Workers',
      status:
        health.database && (!health.workers || health.writeRefusal !== null)
          ? 'degraded'
          : word(health.database),
    },
  ];
  return {
    status: !health.database
      ? 'outage'
      : isReady(health) && health.workers
        ? 'operational'
        : 'degraded',
    version,
    components,
  };
};
