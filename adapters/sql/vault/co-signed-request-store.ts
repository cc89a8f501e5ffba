import type { CoSignedRequestStore } from '../../../domain/identity/co-signed-request-store.port.ts';
import type { Uuid } from '../../../domain/kernel/ids.ts';
import { CO_SIGNED_ENTRIES, CO_SIGNED_REQUESTS } from './co-signed-row.ts';
import type { UnitContext } from '../tables/unit-context.ts';

/** One for each unit of work, since it remembers whose body the unit has written. */
export class SqlCoSignedRequestStore implements CoSignedRequestStore {
  readonly #written = new Set<Uuid>();

  constructor(private readonly unit: UnitContext) {}

  async keep(
    { id, body, isKept }: Parameters<CoSignedRequestStore['keep']>[0],
    { chainKey, position }: Parameters<CoSignedRequestStore['keep']>[1],
  ): Promise<void> {
    if (!isKept && !this.#written.has(id)) {
      this.unit.insert(CO_SIGNED_REQUESTS, CO_SIGNED_REQUESTS.toRow({ id, body }));
      this.#written.add(id);
    }
    this.unit.insert(
      CO_SIGNED_ENTRIES,
      CO_SIGNED_ENTRIES.toRow({ chainKey, position, requestId: id }),
    );
  }
}
