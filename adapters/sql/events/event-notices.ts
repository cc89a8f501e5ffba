import { AsyncResource } from 'node:async_hooks';
import type { EventNotice } from '../../../application/event/event-notice.port.ts';

/** Tells those who wait in this process that there are new numbers. */
export class EventNotices implements EventNotice {
  readonly #listeners = new Set<() => void>();

  /** A listener is called where it was given, and not as a part of the call whose commit it is told of. */
  onNumbered(listener: () => void): () => void {
    const own = AsyncResource.bind(listener);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  numbered(): void {
    for (const listener of this.#listeners) listener();
  }
}
