/**
 * Gives the result of `work`, or `late()` after `milliseconds`; the work itself still runs to its
 * end. `work` must not reject.
 */
export const withDeadline = <T>(
  work: Promise<T>,
  milliseconds: number,
  late: () => T,
): Promise<T> => {
  if (milliseconds <= 0) return work;
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(late()), milliseconds);
    void work.then((value) => {
      clearTimeout(timer);
      resolve(value);
    });
  });
};
