import type { DomainEvent } from '../../../domain/event/event.ts';
import type { Outbox } from '../../../domain/event/outbox.port.ts';
import { OUTBOX } from './outbox-row.ts';
import type { UnitContext } from '../tables/unit-context.ts';

export class SqlOutbox implements Outbox {
  #added = 0;

  constructor(private readonly unit: UnitContext) {}

  async add(event: DomainEvent): Promise<void> {
    this.unit.insert(OUTBOX, OUTBOX.toRow({ ...event, ordinal: this.#added++ }));
  }
}
