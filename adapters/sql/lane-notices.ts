import type { LaneNotice } from '../../application/federation/lane-notice.port.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';

/** Tells those who send in this process that there are new messages. */
export class LaneNotices implements LaneNotice {
  readonly #listeners = new Set<(peerHubId: Uuid) => void>();

  onQueued(listener: (peerHubId: Uuid) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  queued(peerHubIds: Iterable<Uuid>): void {
    for (const peerHubId of peerHubIds) for (const listener of this.#listeners) listener(peerHubId);
  }
}
