/** Gives what `work` resolves to, or `late()` after `milliseconds`. The work itself goes on to its own end. `work` must not reject. */
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
