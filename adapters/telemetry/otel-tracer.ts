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
} from '../../application/ports/tracer.port.ts';
import { failureOf } from './failure-of.ts';
import { contextOf, traceparentOf } from './trace-context.ts';

/** Traces by the API of OpenTelemetry. It registers nothing globally: only what is told to it makes spans. */
export class OtelTracer implements Tracer {
  constructor(private readonly source: OtelSource) {}

  received(name: string, from: TraceHeaders, attributes: SpanValues): Span {
    const options = { kind: SpanKind.SERVER, attributes };
    const span = this.source.startSpan(name, options, after(contextOf(from)));
    return new ReceivedSpan(this.source, span);
  }

  sent(name: string, traceparent: string, attributes: SpanValues): SentSpan {
    const options = { kind: SpanKind.CLIENT, attributes };
    const from = contextOf({ traceparent, tracestate: undefined });
    const span = this.source.startSpan(name, options, after(from));
    return {
      traceparent: traceparentOf(span.spanContext()),
      end: (values, failure) => end(span, values, failure),
    };
  }
}

/** What goes on behind the end of a call, such as a timer, is no part of it; nor is anything of a call that is not sampled. */
class ReceivedSpan implements Span {
  constructor(
    private readonly source: OtelSource,
    private readonly span: OtelSpan,
  ) {}

  get traceparent(): string | undefined {
    return this.span.isRecording() ? traceparentOf(this.span.spanContext()) : undefined;
  }

  note(values: SpanValues): void {
    if (this.span.isRecording()) this.span.setAttributes(values);
  }

  async step<T>(
    name: string,
    attributes: SpanValues,
    work: (traceparent: string | undefined) => Promise<T>,
  ): Promise<T> {
    if (!this.span.isRecording()) return work(undefined);
    const within = trace.setSpan(ROOT_CONTEXT, this.span);
    const step = this.source.startSpan(name, { attributes }, within);
    try {
      const result = await work(traceparentOf(step.spanContext()));
      step.end();
      return result;
    } catch (error) {
      end(step, ...failureOf(error));
      throw error;
    }
  }

  end(values: SpanValues, failure?: string): void {
    end(this.span, values, failure);
  }
}

const after = (parent: ReturnType<typeof contextOf>): Context =>
  parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;

const end = (span: OtelSpan, values: SpanValues, failure?: string): void => {
  span.setAttributes(values);
  if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
  span.end();
};
