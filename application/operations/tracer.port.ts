/** What a span says besides its name: values of closed sets and ids of requests, never a body, a secret or a tenant. */
export type SpanValues = Readonly<Record<string, string | number | boolean>>;

/** Where the caller's own trace stands, in the headers of W3C Trace Context, as they came. */
export interface TraceHeaders {
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
}

export interface Span {
  /** What runs in it, now or later, is a part of its trace. */
  during<T>(work: () => T): T;
  /** Ends it. @param failure what went wrong on this side, in a word. */
  end(values: SpanValues, failure?: string): void;
}

/** A span that another service goes on with. */
export interface SentSpan extends Span {
  /** Where that service stands in the trace: the header `traceparent`. */
  readonly traceparent: string;
}

/**
 * Tells a collector what happened when, call by call. It never throws and keeps nobody waiting: what the collector does not
 * take in time is lost. Headers that are not of the form are nobody's: the trace begins here.
 */
export interface Tracer {
  /** A call that came in; it is told of by its end. */
  received(name: string, from: TraceHeaders, values: SpanValues): Span;
  /** Adds to the call under way, where there is one. */
  note(values: SpanValues): void;
  /** A part of the call under way; outside of any it is the work alone. */
  step<T>(name: string, values: SpanValues, work: () => Promise<T>): Promise<T>;
  /** The place under way in the form of `traceparent`; undefined where nothing is told of it. */
  current(): string | undefined;
  /** A request to another service. @param traceparent what `current` gave, also in another process. */
  sent(name: string, traceparent: string, values: SpanValues): SentSpan;
}
