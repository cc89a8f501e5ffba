/** What a span says besides its name: values of closed sets and ids of requests, never a body, a secret or a tenant. */
export type SpanValues = Readonly<Record<string, string | number | boolean>>;

/** Where the caller's own trace stands, in the headers of W3C Trace Context, as they came. */
export interface TraceHeaders {
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
}

export interface Span {
  /** Its place in the form of the header `traceparent`; undefined where nothing is told of it, or it has ended. */
  readonly traceparent: string | undefined;
  /** Says more of it. */
  note(values: SpanValues): void;
  /**
   * A part of it, from the beginning of the work to its end; the work alone where nothing is told of it.
   *
   * @param work gets the place of the part.
   */
  step<T>(
    name: string,
    values: SpanValues,
    work: (traceparent: string | undefined) => Promise<T>,
  ): Promise<T>;
  /** @param failure what went wrong on this side, in a word. */
  end(values: SpanValues, failure?: string): void;
}

/** The span of a call for what works on the call: whoever opened it ends it. */
export type CallSpan = Omit<Span, 'end'>;

/** What belongs to a call that may be traced. It is handed on, since the runtime finds it only at a price: every promise of the process would be dearer. */
export interface Traced {
  /** Left out, or null, where the call is not traced. */
  readonly span?: CallSpan | null;
}

/** A span that another service goes on with. */
export interface SentSpan {
  /** Where that service stands in the trace. */
  readonly traceparent: string;
  /** As that of a span. */
  end(values: SpanValues, failure?: string): void;
}

/**
 * Tells a collector what happened when, call by call. It never throws and keeps nobody waiting: what the collector does not
 * take in time is lost. Headers that are not of the form are nobody's: the trace begins here.
 */
export interface Tracer {
  /** A call that came in; it is told of by its end. */
  received(name: string, from: TraceHeaders, values: SpanValues): Span;
  /** A request to another service. @param traceparent the place that it goes on from, perhaps noted by another process. */
  sent(name: string, traceparent: string, values: SpanValues): SentSpan;
}
