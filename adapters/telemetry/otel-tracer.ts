import { AsyncLocalStorage } from 'node:async_hooks';
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span as OtelSpan,
  type Tracer as OtelSource,
} from '@opentelemetry/api';
import type {
  SentSpan,
  Span,
  SpanValues,
  TraceHeaders,
  Tracer,
} from '../../application/operations/tracer.port.ts';
import { failureOf } from './failure-of.ts';
import { contextOf, traceparentOf } from './trace-context.ts';

/** Traces by the API of OpenTelemetry. It registers nothing globally: only what is told to it makes spans. */
export class OtelTracer implements Tracer {
  private readonly underWay = new AsyncLocalStorage<OtelSpan>();

  constructor(private readonly source: OtelSource) {}

  received(name: string, from: TraceHeaders, attributes: SpanValues): Span {
    const span = this.source.startSpan(
      name,
      { kind: SpanKind.SERVER, attributes },
      after(contextOf(from)),
    );
    return this.open(span);
  }

  note(values: SpanValues): void {
    this.active()?.setAttributes(values);
  }

  async step<T>(name: string, attributes: SpanValues, work: () => Promise<T>): Promise<T> {
    const parent = this.active();
    if (!parent) return work();
    const within = trace.setSpan(ROOT_CONTEXT, parent);
    const span = this.source.startSpan(name, { attributes }, within);
    try {
      const result = await this.underWay.run(span, work);
      span.end();
      return result;
    } catch (error) {
      end(span, ...failureOf(error));
      throw error;
    }
  }

  current(): string | undefined {
    const span = this.active();
    return span && traceparentOf(span.spanContext());
  }

  sent(name: string, traceparent: string, attributes: SpanValues): SentSpan {
    const span = this.source.startSpan(
      name,
      { kind: SpanKind.CLIENT, attributes },
      after(contextOf({ traceparent, tracestate: undefined })),
    );
    return { ...this.open(span), traceparent: traceparentOf(span.spanContext()) };
  }

  /** What was begun by a call and goes on behind it, such as a timer, is no part of it; nor is what is not sampled. */
  private active(): OtelSpan | undefined {
    const span = this.underWay.getStore();
    return span?.isRecording() ? span : undefined;
  }

  private open(span: OtelSpan): Span {
    return {
      during: (work) => this.underWay.run(span, work),
      end: (values, failure) => end(span, values, failure),
    };
  }
}

const after = (parent: ReturnType<typeof contextOf>): Context =>
  parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;

const end = (span: OtelSpan, values: SpanValues, failure?: string): void => {
  span.setAttributes(values);
  if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
  span.end();
};
