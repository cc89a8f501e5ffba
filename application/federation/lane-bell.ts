import type { Uuid } from '../../domain/kernel/ids.ts';

/**
 * Says within this process that a message for a peer was committed, so that its first attempt waits for no poll. What
 * other processes queue is found by looking.
 */
export class LaneBell {
  readonly #listeners = new Set<(peerHubId: Uuid) => void>();

  /** After the commit. Never throws. */
  ring(peerHubId: Uuid): void {
    for (const listener of this.#listeners) listener(peerHubId);
  }

  /** @returns what ends it. */
  onRing(listener: (peerHubId: Uuid) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
