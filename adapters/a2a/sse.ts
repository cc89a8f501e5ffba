/** So often an idle stream shows that it is alive, ms: less than any proxy waits, and than the server does. */
const ALIVE_MS = 10_000;

/**
 * Events as they are sent (HTML Living Standard, section 9.2), each with JSON data, and a comment where nothing comes for
 * a while. Whoever leaves ends it at once, although it waits.
 *
 * @param close ends what the events come from.
 * @param refused the data of what the events failed with.
 */
export const serverSentEvents = (
  events: AsyncIterator<unknown>,
  close: () => void,
  refused: (cause: unknown) => unknown,
  aliveMs = ALIVE_MS,
): AsyncIterableIterator<string> => {
  const coming = new Coming(events);
  let isDone = false;
  const over = { value: undefined, done: true } as const;
  const end = (): void => {
    isDone = true;
    close();
  };
  const iterator: AsyncIterableIterator<string> = {
    [Symbol.asyncIterator]: () => iterator,
    async next() {
      if (isDone) return over;
      try {
        const result = await coming.within(aliveMs);
        if (!result) return { value: ':\n\n', done: false };
        if (!result.done) return { value: eventOf(result.value), done: false };
        end();
        return over;
      } catch (error) {
        end();
        return { value: eventOf(refused(error)), done: false };
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
class Coming {
  #isAsked = false;
  #arrived: (() => IteratorResult<unknown>) | null = null;
  #tell: (() => void) | null = null;

  constructor(private readonly events: AsyncIterator<unknown>) {}

  /** @returns null where it does not come in so many ms. */
  async within(ms: number): Promise<IteratorResult<unknown> | null> {
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
    const arrive = (arrived: () => IteratorResult<unknown>): void => {
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

const eventOf = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;
