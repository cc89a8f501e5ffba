import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { DEGRADED_REASONS } from '../../application/operations/degraded-reasons.ts';
import { RecordService } from '../../adapters/grpc/generated/notary/v1/record_service_pb.ts';
import { useApi } from '../support/service/api.ts';
import { GrpcClient } from '../support/clients/grpc-client.ts';
import { hasPrometheus, Prometheus } from '../support/peers/prometheus.ts';
import { metricsOf } from '../support/service/health.ts';
import { ok } from '../support/service/world.ts';

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string }[];
  }[];
}
interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string };
}

const FOLDER = new URL('../../config/observability/', import.meta.url);
const RULES = new URL('alerts.yml', FOLDER);
const dashboard = JSON.parse(readFileSync(new URL('dashboard.json', FOLDER), 'utf8')) as Dashboard;
const { groups } = parse(readFileSync(RULES, 'utf8')) as {
  readonly groups: readonly { readonly rules: readonly Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);
const TOKEN = 'a-token-for-the-scraper';

it('every reason of the closed table has its alert rule, in the words of the table', () => {
  const own = rules.filter(({ expr }) => expr.startsWith('service_degraded'));
  expect(own.map(({ expr, labels, annotations }) => [expr, labels.severity, annotations])).toEqual(
    Object.entries(DEGRADED_REASONS).map(([code, { severity, says, cure }]) => [
      `service_degraded{reason="${code}"} == 1`,
      severity,
      { summary: says, description: cure },
    ]),
  );
});

describe.skipIf(!hasPrometheus())('what a real Prometheus makes of it', () => {
  const api = useApi({ METRICS_TOKEN: TOKEN, GRPC_PORT: '0' });
  let prometheus: Prometheus;
  const bearer = { authorization: `Bearer ${TOKEN}` };

  beforeAll(async () => {
    prometheus = await Prometheus.start(new URL(api.service.url).host, TOKEN);
    const grpc = new GrpcClient(String(api.service.grpc));
    // A counter has a rate from its second scrape on.
    for (let round = 0; round < 8; round++) {
      for (let n = 0; n < 3; n++)
        await ok(
          api.world.principal.client.post('/v1/records', {
            type: 'note',
            criteria: { text: `${round} ${n}` },
          }),
        );
      await grpc.call(
        RecordService.method.create,
        { type: 'note', criteria: Buffer.from('{}'), references: [] },
        { authorization: `Bearer ${api.world.principal.client.key}` },
      );
      await sleep(1_000);
    }
    grpc.close();
  });
  afterAll(() => prometheus.stop());

  it('promtool finds nothing wrong with the metrics', async () => {
    const { text, type } = await metricsOf(api.service, bearer);
    expect(type).toBe('text/plain; version=0.0.4; charset=utf-8');
    const checked = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' });
    expect(checked.stderr + checked.stdout).toBe('');
    expect(checked.status).toBe(0);
  });

  it('promtool takes the alert rules', () => {
    const checked = spawnSync('promtool', ['check', 'rules', RULES.pathname], { encoding: 'utf8' });
    expect([checked.status, checked.stderr]).toEqual([0, '']);
  });

  /** Asks until the query finds something, because a late scrape leaves a gap. */
  const shown = async (asked: string) => {
    let found: Awaited<ReturnType<Prometheus['query']>> = [];
    await expect
      .poll(async () => (found = await prometheus.query(asked)).length, {
        interval: 250,
        message: asked,
      })
      .toBeGreaterThan(0);
    return found;
  };

  const queries = dashboard.panels.flatMap(({ title, targets }) =>
    targets.map(({ expr }) => [title, expr] as const),
  );
  it.each(queries)('the panel %s has something to show: %s', async (_title, expr) => {
    const asked = expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*');
    expect(asked).not.toContain('$');
    const found = await shown(asked);
    for (const { value } of found) expect(Number.isFinite(Number(value[1])), asked).toBe(true);
  });

  it.each(rules)('the alert $alert asks for series that there are, and is quiet', async (rule) => {
    // A scrape that came late, and the time that something took, are faults of a slow machine.
    if (!/_seconds/.test(rule.expr))
      await expect.poll(() => prometheus.query(rule.expr), { interval: 250 }).toEqual([]);
    const selectors = [...rule.expr.matchAll(/(service_\w+)(?:\{([^}]*)\})?/g)];
    expect(selectors.length).toBeGreaterThan(0);
    for (const [, name, labels = ''] of selectors) {
      // A status of 5xx is what does not happen here; its label does.
      const asked = labels.replace(/status=~"[^"]*"/, 'status=~".+"');
      await shown(`${name}{${asked}}`);
    }
  });
});
