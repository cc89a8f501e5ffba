import type { Traced } from '../../application/ports/tracer.port.ts';
import type { Stores, UnitOfWork } from '../../application/ports/unit-of-work.port.ts';
import type { Outbox } from '../../domain/event/outbox.port.ts';

/**
 * Units of work as steps of the call that they belong to: from the first statement until all of it is on the disk. Events
 * keep the place of the step in the trace, where their deliveries go on.
 */
export class TracedWork implements UnitOfWork {
  private readonly values: { readonly 'db.system.name': string };

  constructor(
    private readonly inner: UnitOfWork,
    database: 'sqlite' | 'mysql',
  ) {
    this.values = { 'db.system.name': database };
  }

  transaction<T>(work: (stores: Stores) => Promise<T>, call?: Traced): Promise<T> {
    const span = call?.span;
    if (!span) return this.inner.transaction(work);
    return span.step('commit', this.values, (traceparent) =>
      this.inner.transaction(
        traceparent === undefined ? work : (stores) => work(placedAt(traceparent, stores)),
      ),
    );
  }
}

const placedAt = (traceparent: string, stores: Stores): Stores => {
  const outbox: Outbox = { add: (event) => stores.outbox.add({ ...event, traceparent }) };
  return new Proxy(stores, {
    get: (target, name) =>
      name === 'outbox' ? outbox : (Reflect.get(target, name, target) as unknown),
  });
};
