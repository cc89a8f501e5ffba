import type { Uuid } from '../../domain/kernel/ids.ts';
import { Lane } from './lane.ts';
import { LEASE_MS, LostLease, type LaneParts } from './lane-parts.ts';
import type { Place } from './lane-places.ts';

/** Delivers what there is to deliver of one subscription, if nobody else does. */
export class DeliverWebhook {
  /** Tokens of leases that may be held still, because the database went away meanwhile: who has one need not wait for its end. */
  private readonly left = new Map<Uuid, Uuid>();

  constructor(
    private readonly parts: LaneParts,
    private readonly chance: () => number,
  ) {}

  /** @returns false where another worker holds it. */
  async work(id: Uuid, stopping: Place): Promise<boolean> {
    const { unitOfWork, ids } = this.parts;
    const token = this.left.get(id) ?? ids.next();
    this.left.set(id, token);
    const claimed = await unitOfWork.transaction((stores) =>
      stores.deliveries.claim(id, token, LEASE_MS),
    );
    if (!claimed) {
      this.left.delete(id);
      return false;
    }
    try {
      await new Lane(this.parts, id, token, this.chance).run(stopping);
      this.left.delete(id);
      return true;
    } catch (error) {
      if (error instanceof LostLease) {
        this.left.delete(id);
        return false;
      }
      await this.release(id, token);
      throw error;
    }
  }

  /** Where the database answers, the next look need not wait for the end of the lease. */
  private async release(id: Uuid, token: Uuid): Promise<void> {
    try {
      await this.parts.unitOfWork.transaction((stores) => stores.deliveries.release(id, token));
      this.left.delete(id);
    } catch {
      // The next look begins with the same token.
    }
  }
}
