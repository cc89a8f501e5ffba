import { randomBytes } from 'node:crypto';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { describe, expect, it } from 'vitest';
import { OtelTracer } from '../../../adapters/telemetry/otel-tracer.ts';
import { samplerOf } from '../../../adapters/telemetry/samplers.ts';

const CALLS = 4_000;
const hex = (bytes: number): string => randomBytes(bytes).toString('hex');

/** How many calls are told of whose callers name these traces. */
const told = (traceId: () => string, flags: string): number => {
  const spans = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({
    sampler: samplerOf('traceidratio', 0.25),
    spanProcessors: [new SimpleSpanProcessor(spans)],
  });
  const tracer = new OtelTracer(provider.getTracer('test'));
  for (let n = 0; n < CALLS; n++) {
    const traceparent = `00-${traceId()}-${hex(8)}-${flags}`;
    tracer.received('call', { traceparent, tracestate: undefined }, {}).end({});
  }
  return spans.getFinishedSpans().length / CALLS;
};

describe('under OTEL_TRACES_SAMPLER=traceidratio, which is for who lets no caller decide', () => {
  // The sampler of OpenTelemetry folds the id to 32 bits: those of the first are all zeros, of the second all ones.
  it.each([
    ['have its own calls told, and fill the queue of the exporter', () => hex(8).repeat(2), '01'],
    [
      'hide its calls',
      () => {
        const part = randomBytes(8);
        const other = Buffer.from(part);
        for (const at of [0, 1, 2, 3]) other[at] = ~other[at]! & 0xff;
        return Buffer.concat([part, other]).toString('hex');
      },
      '00',
    ],
  ])('no caller can %s by the ids of its traces', (_, traceId, flags) => {
    const part = told(traceId, flags);
    expect(part).toBeGreaterThan(0.15);
    expect(part).toBeLessThan(0.35);
  });

  it('a trace is told as a whole: its steps, and deliveries of a process that was told of it', async () => {
    const spans = new InMemorySpanExporter();
    const tracerOf = (): OtelTracer =>
      new OtelTracer(
        new NodeTracerProvider({
          sampler: samplerOf('traceidratio', 0.25),
          spanProcessors: [new SimpleSpanProcessor(spans)],
        }).getTracer('test'),
      );
    const [api, worker] = [tracerOf(), tracerOf()];
    const kept: string[] = [];
    for (let n = 0; n < 200; n++) {
      const call = api.received('call', { traceparent: undefined, tracestate: undefined }, {});
      await call.step('commit', {}, (place) => {
        if (place !== undefined) kept.push(place);
        return Promise.resolve();
      });
      call.end({});
    }
    for (const traceparent of kept) worker.sent('deliver', traceparent, {}).end({});
    const count = (name: string): number =>
      spans.getFinishedSpans().filter((span) => span.name === name).length;
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.length).toBeLessThan(200);
    expect([count('call'), count('commit'), count('deliver')]).toEqual(Array(3).fill(kept.length));
  });
});
