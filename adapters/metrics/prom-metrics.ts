import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import {
  DOORS,
  type DeliveryOutcome,
  type Door,
  type Measures,
} from '../../application/ports/measures.port.ts';
import type { EntryType } from '../../domain/vault/entry-type.ts';
import { setGauges, type GaugeSources } from './gauges.ts';

/** Seconds. As few as tell a quick answer from a slow one: each is a series for every route. */
const REQUEST_BUCKETS = [0.005, 0.025, 0.1, 0.25, 1, 2.5, 10];
const SIGN_BUCKETS = [0.0002, 0.001, 0.005, 0.025, 0.1, 0.5, 2];
/** Pairs of a method and a route, methods of gRPC among them, and those with a status: what comes beyond is counted together. */
const MOST_ROUTES = 300;
const MOST_STATUSES = 1_500;
const OTHER = 'other';
const METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
]);

/** The metrics of this process. The labels have closed sets of values, so the number of series has a bound. */
export class PromMetrics implements Measures {
  readonly contentType: string;
  private readonly registry = new Registry();
  private readonly routes = new Set<string>();
  private readonly statuses = new Set<string>();
  private readonly requests = this.counter(
    'http_requests_total',
    'Requests that were answered, by route and status',
    ['method', 'route', 'status'],
  );
  private readonly durations = new Histogram({
    name: 'service_http_request_duration_seconds',
    help: 'Time from the head of a request to the head of its answer',
    labelNames: ['method', 'route'],
    buckets: REQUEST_BUCKETS,
    registers: [this.registry],
  });
  private readonly calls = this.counter(
    'grpc_calls_total',
    'Calls by gRPC that ended, by method and status',
    ['method', 'status'],
  );
  private readonly callDurations = new Histogram({
    name: 'service_grpc_call_duration_seconds',
    help: 'Time from the head of a call by gRPC to its answer; streams are not among them',
    labelNames: ['method'],
    buckets: REQUEST_BUCKETS,
    registers: [this.registry],
  });
  private readonly entries = this.counter('chain_entries_sealed_total', 'Entries sealed, by type', [
    'type',
  ]);
  private readonly signatures = new Histogram({
    name: 'service_sign_duration_seconds',
    help: 'Time for one signature of the vault, where it was made',
    buckets: SIGN_BUCKETS,
    registers: [this.registry],
  });
  private readonly unsigned = this.counter(
    'sign_failures_total',
    'Signatures that the signer did not make',
    [],
  );
  private readonly heads = this.counter(
    'head_verifications_total',
    'Heads of chains that were verified before something was built on them, by result',
    ['result'],
  );
  private readonly deliveries = this.counter(
    'webhook_deliveries_total',
    'Attempts to deliver to a webhook, by what came of them',
    ['outcome'],
  );
  private readonly refused = this.counter(
    'calls_shed_total',
    'Calls refused with 503 because more came than can be answered in time, by where they came in',
    ['door'],
  );
  private readonly gauges = new Map<string, Gauge>();

  constructor(private readonly sources: GaugeSources) {
    this.contentType = this.registry.contentType;
    // A rate needs a first value to grow from.
    for (const result of ['verified', 'refused']) this.heads.inc({ result }, 0);
    for (const outcome of ['delivered', 'retry', 'dead']) this.deliveries.inc({ outcome }, 0);
    for (const door of DOORS) this.refused.inc({ door }, 0);
  }

  sealed(type: EntryType): void {
    this.entries.inc({ type });
  }

  headVerified(held: boolean): void {
    this.heads.inc({ result: held ? 'verified' : 'refused' });
  }

  delivered(outcome: DeliveryOutcome): void {
    this.deliveries.inc({ outcome });
  }

  shed(door: Door): void {
    this.refused.inc({ door });
  }

  signed(ms: number, succeeded: boolean): void {
    if (succeeded) this.signatures.observe(ms / 1000);
    else this.unsigned.inc();
  }

  /** @param route as the route table spells it; null where no route has the path. */
  answered(asked: string, path: string | null, status: number, ms: number): void {
    const known = METHODS.has(asked) ? asked : OTHER;
    const isNew = bounded(this.routes, `${known} ${path}`, MOST_ROUTES);
    const method = isNew ? known : OTHER;
    const route = isNew ? (path ?? 'none') : OTHER;
    const code = bounded(this.statuses, `${method} ${route} ${status}`, MOST_STATUSES)
      ? String(status)
      : OTHER;
    this.requests.inc({ method, route, status: code });
    this.durations.observe({ method, route }, ms / 1000);
  }

  /**
   * @param name such as `notary.v1.RecordService/Create`.
   * @param ms null of a stream, which lasts for as long as its reader likes.
   */
  called(name: string, code: string, ms: number | null): void {
    const method = bounded(this.routes, `gRPC ${name}`, MOST_ROUTES) ? name : OTHER;
    const isCounted = bounded(this.statuses, `gRPC ${method} ${code}`, MOST_STATUSES);
    this.calls.inc({ method, status: isCounted ? code : OTHER });
    if (ms !== null) this.callDurations.observe({ method }, ms / 1000);
  }

  async text(): Promise<string> {
    await setGauges(this.sources, (name, help, labels, value) =>
      this.set(name, help, labels, value),
    );
    return this.registry.metrics();
  }

  private set(
    name: string,
    help: string,
    labels: Readonly<Record<string, string>>,
    value: number | null,
  ): void {
    let gauge = this.gauges.get(name);
    if (!gauge) {
      const registers = [this.registry];
      gauge = new Gauge({
        name: `service_${name}`,
        help,
        labelNames: Object.keys(labels),
        registers,
      });
      this.gauges.set(name, gauge);
    }
    if (value === null) gauge.remove(labels);
    else gauge.set(labels, value);
  }

  private counter<L extends string>(
    name: string,
    help: string,
    labelNames: readonly L[],
  ): Counter<L> {
    return new Counter({
      name: `service_${name}`,
      help,
      labelNames: [...labelNames],
      registers: [this.registry],
    });
  }
}

/** Whether it is in the set, or found place in it. */
const bounded = (known: Set<string>, name: string, most: number): boolean => {
  if (known.has(name)) return true;
  if (known.size >= most) return false;
  known.add(name);
  return true;
};
