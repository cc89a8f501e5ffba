import { expect, it } from 'vitest';
import { Metrics } from '../../adapters/metrics/metrics.ts';
import { useApi } from '../support/service/api.ts';
import { busyMs, slowness } from '../support/service/event-loop-gap.ts';
import { metricsOf, valueOf } from '../support/service/health.ts';

// Contract of application/ports/measures.port.ts

const api = useApi();

it('has at most 5,000 series however many routes, methods and statuses come, and is made within 20 ms', async () => {
  const metrics = api.service.container.get(Metrics);
  // It counts from the first scrape on.
  await metrics.exposition();
  metrics.delivered('dead');
  for (let route = 0; route < 2_000; route++)
    for (let status = 200; status < 210; status++)
      metrics.answered(`M${route}`, `/v1/route-${route}`, status, 3);
  for (let status = 0; status < 3_000; status++) metrics.answered('GET', '/v1/x', status, 3);
  for (let name = 0; name < 2_000; name++) metrics.called(`a.B/C${name}`, 'OK', 3);
  const { text } = await metrics.exposition();
  expect(valueOf(text, 'service_webhook_deliveries_total{outcome="dead"}')).toBe(1);
  expect(text.split('\n').filter((line) => /^service_/.test(line)).length).toBeLessThan(5_000);
  const times: number[] = [];
  for (let n = 0; n < 15; n++) {
    const began = busyMs();
    expect((await metricsOf(api.service)).status).toBe(200);
    times.push(busyMs() - began);
  }
  // The quickest, because a collection of garbage falls on some.
  expect(Math.min(...times) / slowness()).toBeLessThan(20);
});
