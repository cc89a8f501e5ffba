import type { DeliveryOutcome, Door, Measures } from '../../application/ports/measures.port.ts';
import type { EntryType } from '../../domain/vault/entry-type.ts';
import type { GaugeSources } from './gauges.ts';
import type { PromMetrics } from './prom-metrics.ts';

/**
 * The metrics of this process, counted from the first scrape on. A rate grows from the first value that Prometheus has, so
 * what came before would show nowhere; and who is never scraped pays neither the library nor the counting.
 */
export class Metrics implements Measures {
  private loading: Promise<PromMetrics> | null = null;
  private loaded: PromMetrics | null = null;

  constructor(private readonly sources: GaugeSources) {}

  sealed(type: EntryType): void {
    this.loaded?.sealed(type);
  }

  headVerified(held: boolean): void {
    this.loaded?.headVerified(held);
  }

  delivered(outcome: DeliveryOutcome): void {
    this.loaded?.delivered(outcome);
  }

  shed(door: Door): void {
    this.loaded?.shed(door);
  }

  signed(ms: number, succeeded: boolean): void {
    this.loaded?.signed(ms, succeeded);
  }

  /** @param route as the route table spells it; null where no route has the path. */
  answered(method: string, route: string | null, status: number, ms: number): void {
    this.loaded?.answered(method, route, status, ms);
  }

  /** @param ms null of a stream. */
  called(method: string, status: string, ms: number | null): void {
    this.loaded?.called(method, status, ms);
  }

  async exposition(): Promise<{ readonly contentType: string; readonly text: string }> {
    this.loading ??= this.load();
    const metrics = await this.loading;
    return { contentType: metrics.contentType, text: await metrics.text() };
  }

  private async load(): Promise<PromMetrics> {
    const { PromMetrics } = await import('./prom-metrics.ts');
    this.loaded = new PromMetrics(this.sources);
    return this.loaded;
  }
}
