import type { IncomingMessage, ServerResponse } from 'node:http';
import { AnsweringServer } from './answering-server.ts';

/** A span as OTLP says it in JSON. */
export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly traceState: string | undefined;
  readonly name: string;
  /** 1 internal, 2 server, 3 client. */
  readonly kind: number;
  /** 2: an error. */
  readonly statusCode: number | undefined;
  readonly values: { readonly [name: string]: unknown };
  /** Of the process that told it. */
  readonly resource: { readonly [name: string]: unknown };
}

interface Attribute {
  readonly key: string;
  readonly value: { readonly [type: string]: unknown };
}

/** What is posted, as far as it is looked at. */
interface SentTraces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes?: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<CollectedSpan, 'statusCode' | 'values' | 'resource'> & {
        readonly status?: { readonly code?: number };
        readonly attributes?: readonly Attribute[];
      })[];
    }[];
  }[];
}

/** A collector of OpenTelemetry, as far as a service that tells traces can see. */
export class Collector extends AnsweringServer {
  readonly spans: CollectedSpan[] = [];
  readonly headers: IncomingMessage['headers'][] = [];
  /** All that came, as it came. */
  text = '';
  /** How it answers from now on. */
  behave: (response: ServerResponse) => void = (response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end('{}');

  protected async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    if (request.method !== 'POST' || request.url !== '/v1/traces')
      return void response.writeHead(404).end();
    const text = Buffer.concat(parts).toString('utf8');
    this.headers.push(request.headers);
    this.text += text;
    this.spans.push(...spansOf(JSON.parse(text) as SentTraces));
    this.behave(response);
  }

  named(name: string): readonly CollectedSpan[] {
    return this.spans.filter((span) => span.name === name);
  }

  /** The spans of one trace. */
  of(traceId: string): readonly CollectedSpan[] {
    return this.spans.filter((span) => span.traceId === traceId);
  }
}

const spansOf = ({ resourceSpans }: SentTraces): readonly CollectedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId || undefined,
        traceState: span.traceState,
        name: span.name,
        kind: span.kind,
        statusCode: span.status?.code,
        values: valuesOf(span.attributes),
        resource: valuesOf(resource.attributes),
      })),
    ),
  );

const valuesOf = (attributes: readonly Attribute[] = []): { readonly [name: string]: unknown } =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
