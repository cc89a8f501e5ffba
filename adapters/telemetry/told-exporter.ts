import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-node';
import type { Log } from '../../application/log.port.ts';

type Done = Parameters<SpanExporter['export']>[1];
/** ExportResultCode.SUCCESS of @opentelemetry/core. */
const SUCCESS = 0;

/** Says once that the collector takes nothing, and once that it does again: not with each batch. */
export class ToldExporter implements SpanExporter {
  private lost = 0;

  constructor(
    private readonly inner: SpanExporter,
    private readonly log: Log,
  ) {}

  export(spans: ReadableSpan[], done: Done): void {
    this.inner.export(spans, (result) => {
      if (result.code === SUCCESS) this.sent();
      else this.failed(spans.length, result.error);
      done(result);
    });
  }

  async forceFlush(): Promise<void> {
    await this.inner.forceFlush?.();
  }

  shutdown(): Promise<void> {
    return this.inner.shutdown();
  }

  private sent(): void {
    if (this.lost === 0) return;
    this.log.info({ spansLost: this.lost }, 'the collector takes traces again');
    this.lost = 0;
  }

  private failed(spans: number, error: Error | undefined): void {
    if (this.lost === 0)
      this.log.warn(
        { reason: reasonOf(error) },
        'traces cannot be sent to OTEL_EXPORTER_OTLP_ENDPOINT: spans are dropped until they can, and nothing else changes',
      );
    this.lost += spans;
  }
}

/** Without what the collector said: it may repeat a header. */
const reasonOf = (error: (Error & { code?: unknown }) | undefined): string => {
  const code = error?.code;
  if (typeof code === 'number') return `the collector answered ${code}`;
  return typeof code === 'string' ? code : 'no answer';
};
