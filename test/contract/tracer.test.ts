import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-node';
import { beforeEach, describe, expect, it } from 'vitest';
import { OtelTracer } from '../../adapters/telemetry/otel-tracer.ts';
import { samplerOf, type SamplerName } from '../../adapters/telemetry/samplers.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';

// Contract of application/ports/tracer.port.ts

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const NOBODY = { traceparent: undefined, tracestate: undefined };

let told: InMemorySpanExporter;
let tracer: OtelTracer;
const open = (sampler: SamplerName = 'parentbased_always_on'): void => {
  told = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({
    sampler: samplerOf(sampler, 1),
    spanProcessors: [new SimpleSpanProcessor(told)],
  });
  tracer = new OtelTracer(provider.getTracer('test'));
};
beforeEach(() => open());

const spanNamed = (name: string): ReadableSpan =>
  told.getFinishedSpans().find((span) => span.name === name)!;

describe('Tracer', () => {
  it('goes on with the trace of the caller, and says at the end what came of the call', () => {
    const from = { traceparent: `00-${TRACE}-${PARENT}-01`, tracestate: 'rojo=1' };
    const span = tracer.received('GET /v1/records', from, { a: 1 });
    span.note({ b: 'two' });
    expect(told.getFinishedSpans()).toEqual([]);
    span.end({ c: true });
    const { attributes, parentSpanContext, status } = spanNamed('GET /v1/records');
    expect(attributes).toEqual({ a: 1, b: 'two', c: true });
    expect(parentSpanContext).toMatchObject({ traceId: TRACE, spanId: PARENT });
    expect(spanNamed('GET /v1/records').spanContext().traceState?.serialize()).toBe('rojo=1');
    expect(status.code).toBe(0);
  });

  it('begins a trace where the headers name none', () => {
    const from = { traceparent: 'nonsense', tracestate: 'rojo=1' };
    tracer.received('call', from, {}).end({}, 'SERVICE_UNAVAILABLE');
    const { parentSpanContext, status } = spanNamed('call');
    expect(parentSpanContext).toBeUndefined();
    expect(status).toEqual({ code: 2, message: 'SERVICE_UNAVAILABLE' });
  });

  it('makes a step of a part of a call, and gives its result or its error unchanged', async () => {
    const span = tracer.received('call', NOBODY, {});
    const refusal = new NotaryError('NOT_FOUND', 'There is no such record.');
    const away = new NotaryError('SERVICE_UNAVAILABLE', 'The database is away.');
    const fail = (error: Error) => span.step('fails', {}, () => Promise.reject(error));
    let place: string | undefined;
    const commit = (traceparent: string | undefined): Promise<number> => {
      place = traceparent;
      return Promise.resolve(7);
    };
    expect(await span.step('commit', { db: 'sqlite' }, commit)).toBe(7);
    await expect(fail(refusal)).rejects.toBe(refusal);
    await expect(fail(away)).rejects.toBe(away);
    await expect(fail(new Error('a secret'))).rejects.toThrow('a secret');
    span.end({});
    const call = spanNamed('call').spanContext();
    const { attributes, parentSpanContext } = spanNamed('commit');
    expect(attributes).toEqual({ db: 'sqlite' });
    expect(parentSpanContext).toMatchObject({ spanId: call.spanId });
    expect(place).toBe(`00-${call.traceId}-${spanNamed('commit').spanContext().spanId}-01`);
    const failed = told.getFinishedSpans().filter(({ name }) => name === 'fails');
    expect(failed.map(({ attributes }) => attributes['error.type'])).toEqual([
      'NOT_FOUND',
      'SERVICE_UNAVAILABLE',
      '_OTHER',
    ]);
    // A refusal is no failure of the service, nor is what a use case goes on from; a message may hold what somebody sent.
    expect(failed.map(({ status }) => status.code)).toEqual([0, 2, 0]);
    expect(JSON.stringify(failed.map(({ status, events }) => [status, events]))).not.toContain(
      'secret',
    );
  });

  it('leaves work alone that goes on behind the end of its call', async () => {
    const span = tracer.received('call', NOBODY, {});
    span.end({});
    span.note({ late: true });
    expect(span.traceparent).toBeUndefined();
    expect(await span.step('commit', {}, (place) => Promise.resolve([2, place]))).toEqual([
      2,
      undefined,
    ]);
    expect(told.getFinishedSpans().map(({ name }) => name)).toEqual(['call']);
    expect(spanNamed('call').attributes).toEqual({});
  });

  it('lets another process go on with a call by the place of its span', () => {
    const span = tracer.received('call', NOBODY, {});
    const traceparent = span.traceparent!;
    span.end({});
    const sent = tracer.sent('deliver', traceparent, { try: 1 });
    sent.end({ status: 200 });
    const { attributes, parentSpanContext } = spanNamed('deliver');
    expect(attributes).toEqual({ try: 1, status: 200 });
    expect(parentSpanContext).toMatchObject({ spanId: spanNamed('call').spanContext().spanId });
    const { traceId, spanId } = spanNamed('deliver').spanContext();
    expect(sent.traceparent).toBe(`00-${traceId}-${spanId}-01`);
  });

  it.each([
    ['nonsense', 'nonsense'],
    ['another header', `00-${TRACE}-${PARENT}-01\r\nx-admin: 1`],
    ['an empty text', ''],
    ['bytes', new Uint8Array([0, 1, 2])],
    ['a number', 5],
  ])('sends a place of its own where somebody wrote %s into the database', (_, traceparent) => {
    const sent = tracer.sent('deliver', traceparent as string, {});
    sent.end({});
    const { traceId, spanId } = spanNamed('deliver').spanContext();
    expect(spanNamed('deliver').parentSpanContext).toBeUndefined();
    expect(traceId).not.toBe(TRACE);
    expect(sent.traceparent).toBe(`00-${traceId}-${spanId}-01`);
  });

  it('tells nothing of what is not sampled, and passes no place in it on', () => {
    const of = (flags: string): boolean => {
      const from = { traceparent: `00-${TRACE}-${PARENT}-${flags}`, tracestate: undefined };
      const span = tracer.received('call', from, {});
      const isTold = span.traceparent !== undefined;
      span.end({});
      return isTold;
    };
    expect([of('00'), of('01')]).toEqual([false, true]);
    // Where the operator decides, the caller does not.
    open('traceidratio');
    expect([of('00'), of('01')]).toEqual([true, true]);
    open('always_off');
    expect([of('00'), of('01')]).toEqual([false, false]);
  });
});
