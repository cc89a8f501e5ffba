import { AsyncResource } from 'node:async_hooks';
import type { LaneNotice } from '../../../application/federation/lane-notice.port.ts';
import type { Uuid } from '../../../domain/kernel/ids.ts';

/** Tells those who send in this process that there are new messages. */
export class LaneNotices implements LaneNotice {
  readonly #listeners = new Set<(peerHubId: Uuid) => void>();

  /** As EventNotices: a listener is called where it was given. */
  onQueued(listener: (peerHubId: Uuid) => void): () => void {
    const own = AsyncResource.bind(listener);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  queued(peerHubIds: Iterable<Uuid>): void {
    for (const peerHubId of peerHubIds) for (const listener of this.#listeners) listener(peerHubId);
  }
}
