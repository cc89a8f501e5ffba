import type { Tracer } from '../../application/operations/tracer.port.ts';
import type { Stores, UnitOfWork } from '../../application/unit-of-work.port.ts';

/** Units of work as steps of the call that they belong to: from the first statement until all of it is on the disk. */
export class TracedWork implements UnitOfWork {
  private readonly values: { readonly 'db.system.name': string };

  constructor(
    private readonly inner: UnitOfWork,
    private readonly tracer: Pick<Tracer, 'step'>,
    database: 'sqlite' | 'mysql',
  ) {
    this.values = { 'db.system.name': database };
  }

  transaction<T>(work: (stores: Stores) => Promise<T>): Promise<T> {
    return this.tracer.step('commit', this.values, () => this.inner.transaction(work));
  }
}
