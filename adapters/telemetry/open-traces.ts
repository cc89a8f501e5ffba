import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import type { Log } from '../../application/ports/log.port.ts';
import type { Tracer } from '../../application/ports/tracer.port.ts';
import { CollectorExporter } from './collector-exporter.ts';
import { Collector, type CollectorOptions } from './collector.ts';
import { OtelTracer } from './otel-tracer.ts';
import { samplerOf, type SamplerName } from './samplers.ts';

export interface TraceOptions extends CollectorOptions {
  /** '': as OTEL_RESOURCE_ATTRIBUTES says, else `notary`. */
  readonly serviceName: string;
  readonly version: string;
  readonly role: string;
  readonly sampler: SamplerName;
  readonly samplerRatio: number;
  readonly log: Log;
}

export interface Traces {
  readonly tracer: Tracer;
  /** Sends what is left, for so long as that may take, and lets go of the collector. */
  close(): Promise<void>;
}

/** How long the end of the process waits for the collector, ms. */
const FLUSH_MS = 2_000;
const NAME = 'service.name';

/** Loaded where a collector is set: the libraries take time and memory that others keep. */
export const openTraces = (options: TraceOptions): Traces => {
  const { serviceName, version, role, sampler, samplerRatio, log } = options;
  const collector = new Collector(options);
  const provider = new NodeTracerProvider({
    sampler: samplerOf(sampler, samplerRatio),
    resource: defaultResource()
      .merge(
        resourceFromAttributes({
          [NAME]: 'notary',
          'service.version': version,
          'service.instance.id': randomUUID(),
          'notary.role': role,
        }),
      )
      .merge(detectResources({ detectors: [envDetector] }))
      .merge(resourceFromAttributes(serviceName === '' ? {} : { [NAME]: serviceName })),
    spanProcessors: [new BatchSpanProcessor(new CollectorExporter(collector, log))],
  });
  return {
    tracer: new OtelTracer(provider.getTracer('notary', version)),
    close: async () => {
      const waiting = new AbortController();
      await Promise.race([
        provider.shutdown().catch(() => undefined),
        sleep(FLUSH_MS, undefined, { signal: waiting.signal }).catch(() => undefined),
      ]);
      waiting.abort();
      collector.close();
    },
  };
};
