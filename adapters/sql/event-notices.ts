import type { EventNotice } from '../../application/event/event-notice.port.ts';

/** Tells those who wait in this process that there are new numbers. */
export class EventNotices implements EventNotice {
  readonly #listeners = new Set<() => void>();

  onNumbered(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  numbered(): void {
    for (const listener of this.#listeners) listener();
  }
}
