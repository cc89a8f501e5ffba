import type { Log, LogFields } from '../../application/ports/log.port.ts';
import { NotaryError } from '../../domain/kernel/errors.ts';
import { rootCause } from '../../domain/kernel/root-cause.ts';

/**
 * An outage fails every request and every job, many times a second and always for the same reason,
 * whether it is told as an error or as a warning.
 * The first failure is a line at once, then there is one line a minute with the count, until a
 * minute passes without any. Every other error is a line of its own.
 */
export class CalmLog implements Log {
  private outage: Outage | null = null;

  constructor(
    private readonly log: Log,
    private readonly everyMs = 60_000,
  ) {}

  debug(fields: LogFields, message: string): void {
    this.log.debug(fields, message);
  }

  info(fields: LogFields, message: string): void {
    this.log.info(fields, message);
  }

  warn(fields: LogFields, message: string): void {
    if (!this.isOutage(fields.err)) this.log.warn(fields, message);
  }

  error(fields: LogFields, message: string): void {
    if (!this.isOutage(fields.err)) this.log.error(fields, message);
  }

  /** Whether it is part of an outage, which is counted then. */
  private isOutage(err: unknown): boolean {
    if (!(err instanceof NotaryError && err.code === 'SERVICE_UNAVAILABLE')) return false;
    if (this.outage) this.outage.newest = err;
    else this.begin(err);
    this.outage!.failures++;
    this.outage!.recent++;
    if (this.outage!.failures === 1) this.tell('outage');
    return true;
  }

  private begin(newest: NotaryError): void {
    const timer = setInterval(() => this.look(), this.everyMs);
    timer.unref();
    this.outage = { newest, timer, failures: 0, recent: 0, since: performance.now() };
  }

  private look(): void {
    if (this.outage!.recent > 0) return this.tell('outage goes on');
    const { failures, timer } = this.outage!;
    clearInterval(timer);
    this.outage = null;
    this.log.info({ failures }, 'outage over');
  }

  private tell(message: string): void {
    const outage = this.outage!;
    this.log.error(
      {
        reason: outage.newest.message,
        cause: rootCause(outage.newest),
        failures: outage.recent,
        forSeconds: Math.round((performance.now() - outage.since) / 1000),
      },
      message,
    );
    outage.recent = 0;
  }
}

interface Outage {
  newest: NotaryError;
  /** All of them, and those since the newest line. */
  failures: number;
  recent: number;
  /** By the monotonic clock, ms. */
  readonly since: number;
  readonly timer: NodeJS.Timeout;
}
