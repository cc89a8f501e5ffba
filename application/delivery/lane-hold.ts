import { TOTAL_MS } from '../../domain/delivery/attempt.ts';
import type { Reader } from '../../domain/delivery/webhook-store.port.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { Stores, UnitOfWork } from '../ports/unit-of-work.port.ts';
import { LEASE_MS, LostLease } from './lane-parts.ts';

/** More than a request may take, with some time to write its outcome. */
const MARGIN_MS = TOTAL_MS + 5_000;

/** The lease of one worker on one subscription. */
export class LaneHold {
  private until = performance.now() + LEASE_MS;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly id: Uuid,
    private readonly token: Uuid,
  ) {}

  /** Long enough for one more request. */
  get isHeld(): boolean {
    return performance.now() + MARGIN_MS <= this.until;
  }

  /** Works in a transaction that renews the lease, with the reader of the subscription locked. @throws LostLease */
  async held<T>(work: (stores: Stores, reader: Reader) => Promise<T>): Promise<T> {
    const began = performance.now();
    const value = await this.unitOfWork.transaction(async (stores) => {
      const reader = await stores.deliveries.hold(this.id, this.token, LEASE_MS);
      if (!reader) throw new LostLease(`another worker took over ${this.id}`);
      return work(stores, reader);
    });
    this.until = began + LEASE_MS;
    return value;
  }
}
