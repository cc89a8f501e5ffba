import type { LaneReads } from '../../domain/federation/lane-store.port.ts';
import type { Clock } from '../../domain/kernel/clock.port.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { UnitOfWork } from '../ports/unit-of-work.port.ts';

/** A peer is looked after so often at most, however much it sends, ms. */
const EVERY_MS = 2_000;

/** A peer whose message was just taken is there: what waits because it was away need not wait longer. */
export class PeerReturned {
  private readonly lookedAt = new Map<Uuid, number>();

  constructor(
    private readonly lanes: Pick<LaneReads, 'isMissed'>,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async notice(peerHubId: Uuid): Promise<void> {
    const began = performance.now();
    if (began - (this.lookedAt.get(peerHubId) ?? -Infinity) < EVERY_MS) return;
    this.lookedAt.set(peerHubId, began);
    const now = this.clock.now().toISOString();
    if (await this.lanes.isMissed(peerHubId, now))
      await this.unitOfWork.transaction((stores) => stores.federationLanes.hasten(peerHubId, now));
  }
}
