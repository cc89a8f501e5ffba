import type { Uuid } from '../../domain/kernel/ids.ts';

/**
 * Says that this process committed a message for a peer, so that its first attempt waits for no poll. Of what other
 * processes queue it says nothing: that is found by looking.
 */
export interface LaneNotice {
  /** @returns what ends it. */
  onQueued(listener: (peerHubId: Uuid) => void): () => void;
}
