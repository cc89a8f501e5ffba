/** `1/3` is the first of three parts. `npm run test:all` and a run at the desk try all cases. */
const [part = 1, parts = 1] = (process.env['NOTARY_LONG_PART'] ?? '1/1').split('/').map(Number);

/**
 * The cases of a long table that this run tries: all of them, or every n-th if NOTARY_LONG_PART says so. `.ci/run` tries
 * another third at each commit.
 */
export const partOf = <T>(cases: readonly T[]): readonly T[] =>
  cases.filter((_, at) => at % parts === part - 1);
