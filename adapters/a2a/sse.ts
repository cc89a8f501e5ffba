import { setImmediate } from 'node:timers/promises';

/** The JSON text of one event, in pieces: those that several streams send alike are shared bytes. */
export type EventData = readonly (string | Uint8Array)[];

/** So often an idle stream shows that it is alive, ms: less than any proxy waits, and than the server does. */
const ALIVE_MS = 10_000;

/**
 * Events as they are sent (HTML Living Standard, section 9.2), each with JSON data, and a comment where nothing comes for
 * a while. Whoever leaves ends it at once, although it waits.
 *
 * @param events each makes its data when its turn comes: an event may wake thousands of streams at once.
 * @param close ends what the events come from.
 * @param refused the data of what the events failed with.
 */
export const serverSentEvents = (
  events: AsyncIterator<() => EventData>,
  close: () => void,
  refused: (cause: unknown) => EventData,
  aliveMs = ALIVE_MS,
): AsyncIterableIterator<string | Uint8Array> => {
  const coming = new Coming(events);
  let pieces: (string | Uint8Array)[] = [];
  let isDone = false;
  const over = { value: undefined, done: true } as const;
  const end = (): void => {
    isDone = true;
    close();
  };
  const iterator: AsyncIterableIterator<string | Uint8Array> = {
    [Symbol.asyncIterator]: () => iterator,
    async next() {
      const piece = pieces.shift();
      if (piece !== undefined) return { value: piece, done: false };
      if (isDone) return over;
      try {
        const result = await coming.within(aliveMs);
        if (!result) return { value: ':\n\n', done: false };
        if (!result.done) {
          await ownTurn();
          pieces = eventOf(result.value());
          return { value: pieces.shift()!, done: false };
        }
        end();
        return over;
      } catch (error) {
        end();
        pieces = eventOf(refused(error));
        return { value: pieces.shift()!, done: false };
      }
    },
    async return() {
      end();
      await events.return?.();
      return over;
    },
  };
  return iterator;
};

/** The next event, for whoever asks again and again. One promise of it is waited for, not one a time that it was asked for. */
class Coming<T> {
  #isAsked = false;
  #arrived: (() => IteratorResult<T>) | null = null;
  #tell: (() => void) | null = null;

  constructor(private readonly events: AsyncIterator<T>) {}

  /** @returns null where it does not come in so many ms. */
  async within(ms: number): Promise<IteratorResult<T> | null> {
    if (!this.#isAsked) this.#ask();
    if (!this.#arrived) await this.#told(ms);
    const arrived = this.#arrived;
    if (!arrived) return null;
    this.#arrived = null;
    this.#isAsked = false;
    return arrived();
  }

  #ask(): void {
    this.#isAsked = true;
    const arrive = (arrived: () => IteratorResult<T>): void => {
      this.#arrived = arrived;
      this.#tell?.();
    };
    this.events.next().then(
      (result) => arrive(() => result),
      (error: unknown) =>
        arrive(() => {
          throw error;
        }),
    );
  }

  #told(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms).unref();
      this.#tell = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** One event of all streams is made in each turn of the event loop, however many streams wait. */
const ownTurn = (): Promise<void> => (turns = turns.then(() => setImmediate()));
let turns: Promise<void> = Promise.resolve();

/** The pieces of one event as they are written. Neighbouring texts become one piece. */
const eventOf = (data: EventData): (string | Uint8Array)[] => {
  const pieces: (string | Uint8Array)[] = ['data: '];
  for (const piece of [...data, '\n\n']) {
    const last = pieces.at(-1)!;
    if (typeof last === 'string' && typeof piece === 'string')
      pieces[pieces.length - 1] = last + piece;
    else pieces.push(piece);
  }
  return pieces;
};
