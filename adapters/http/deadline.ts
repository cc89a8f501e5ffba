/**
 * Gives the result of `work`, or `late()` after `milliseconds`; the work itself still runs to its end. `work` must not
 * reject.
 *
 * @param begunAt when the time began to count, in ms of `performance.now()`; null: it does not count yet.
 */
export const withDeadline = <T>(
  work: Promise<T>,
  milliseconds: number,
  begunAt: () => number | null,
  late: () => T,
): Promise<T> => {
  if (milliseconds <= 0) return work;
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout;
    const look = (): void => {
      const begun = begunAt();
      const left = begun === null ? milliseconds : begun + milliseconds - performance.now();
      if (left < 1) resolve(late());
      else timer = setTimeout(look, left);
    };
    timer = setTimeout(look, milliseconds);
    void work.then((value) => {
      clearTimeout(timer);
      resolve(value);
    });
  });
};
