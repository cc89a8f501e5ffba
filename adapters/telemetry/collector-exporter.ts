import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-node';
import type { Log } from '../../application/ports/log.port.ts';
import type { Collector } from './collector.ts';

type Done = Parameters<SpanExporter['export']>[1];
/** ExportResultCode of @opentelemetry/core. */
const SUCCESS = 0;
const FAILED = 1;

/** Says once that the collector takes nothing, and once that it does again: not with each batch. */
export class CollectorExporter implements SpanExporter {
  private readonly underWay = new Set<Promise<void>>();
  private lost = 0;

  constructor(
    private readonly collector: Pick<Collector, 'send'>,
    private readonly log: Log,
  ) {}

  export(spans: ReadableSpan[], done: Done): void {
    const sending = this.send(spans).then(
      () => done({ code: SUCCESS }),
      (error: Error) => done({ code: FAILED, error }),
    );
    this.underWay.add(sending);
    void sending.finally(() => this.underWay.delete(sending));
  }

  async forceFlush(): Promise<void> {
    await Promise.all(this.underWay);
  }

  shutdown(): Promise<void> {
    return this.forceFlush();
  }

  private async send(spans: ReadableSpan[]): Promise<void> {
    try {
      await this.collector.send(JsonTraceSerializer.serializeRequest(spans)!);
      this.taken();
    } catch (error) {
      this.failed(spans.length, error as Error);
      throw error;
    }
  }

  private taken(): void {
    if (this.lost === 0) return;
    this.log.info({ spansLost: this.lost }, 'the collector takes traces again');
    this.lost = 0;
  }

  private failed(spans: number, { message: reason }: Error): void {
    if (this.lost === 0)
      this.log.warn(
        { reason },
        'traces cannot be sent to OTEL_EXPORTER_OTLP_ENDPOINT: spans are dropped until they can, and nothing else changes',
      );
    this.lost += spans;
  }
}
