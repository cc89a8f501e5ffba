import type { Clock } from '../../../domain/kernel/clock.port.ts';
import type { IdSource, Uuid } from '../../../domain/kernel/ids.ts';
import type { Rehearsals } from './rehearsals.ts';

/** Stands still within a unit of work, so that each of its runs seals the same time. */
export class RehearsedClock implements Clock {
  constructor(
    private readonly inner: Clock,
    private readonly rehearsals: Rehearsals,
  ) {}

  now(): Date {
    return this.rehearsals.current?.now ?? this.inner.now();
  }
}

/** Gives each run of a unit of work the same ids. Those of a run that was rolled back stand nowhere. */
export class RehearsedIds implements IdSource {
  constructor(
    private readonly inner: IdSource,
    private readonly rehearsals: Rehearsals,
  ) {}

  next(): Uuid {
    const make = (): Uuid => this.inner.next();
    return this.rehearsals.current?.nextId(make) ?? make();
  }
}
