/**
 * Stops waiting at the deadline. A DNS look-up cannot be aborted, and a connection can end without
 * an event.
 */
export const before = <T>(deadline: AbortSignal, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const late = (): void => reject(deadline.reason as Error);
    if (deadline.aborted) late();
    deadline.addEventListener('abort', late, { once: true });
    void work.then(resolve, reject).finally(() => deadline.removeEventListener('abort', late));
  });
