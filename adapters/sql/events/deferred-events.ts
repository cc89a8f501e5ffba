import type { DomainEvent } from '../../../domain/event/event.ts';
import type { EventLog } from '../../../domain/event/event-log.port.ts';
import type { UnitOfWork } from '../../../application/ports/unit-of-work.port.ts';

const DELAY = 200;
/** Events in one transaction. */
const BATCH = 200;
/** At most this many are kept in memory while the database is away; the oldest are dropped first. */
const CAPACITY = 20_000;

/**
 * Buffers events for a moment and then writes them to the outbox. Events of a failed write are
 * written with the next ones.
 */
export class DeferredEvents implements EventLog {
  #waiting: DomainEvent[] = [];
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> = Promise.resolve();

  /** @param onError receives the errors of failed writes and of dropped events; nothing is ever thrown. */
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly onError: (error: unknown) => void,
    private readonly delay = DELAY,
  ) {}

  enqueue(event: DomainEvent): void {
    this.#waiting.push(event);
    this.#timer ??= setTimeout(() => void this.flush(), this.delay).unref();
  }

  /** Writes the buffered events. Never rejects. */
  flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  close(): Promise<void> {
    return this.flush();
  }

  async #write(): Promise<void> {
    const events = this.#waiting;
    this.#waiting = [];
    for (let from = 0; from < events.length; from += BATCH) {
      try {
        await this.unitOfWork.transaction(async (stores) => {
          for (const event of events.slice(from, from + BATCH)) await stores.outbox.add(event);
        });
      } catch (error) {
        this.#keep(events.slice(from));
        this.onError(error);
        return;
      }
    }
  }

  #keep(unwritten: readonly DomainEvent[]): void {
    const all = [...unwritten, ...this.#waiting];
    this.#waiting = all.slice(-CAPACITY);
    if (all.length > CAPACITY)
      this.onError(
        new Error(
          `${all.length - CAPACITY} events were dropped: the database was away for too long`,
        ),
      );
  }
}
