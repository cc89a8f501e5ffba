/** The 97.5 % quantile of the standard normal distribution: 95 % two-sided. */
const Z = 1.959963984540054;

/**
 * Lower bound of the 95 % Wilson score interval of `successes` over `trials`, between 0 and 1; null without trials.
 * Few trials give a low bound, so a single success does not outrank a long record.
 */
export const wilsonLowerBound = (successes: number, trials: number): number | null => {
  if (trials === 0) return null;
  // Returned exactly, because rounding would leave an error of 10^-17.
  if (successes === 0) return 0;
  const rate = successes / trials;
  const square = Z * Z;
  const centre = rate + square / (2 * trials);
  const margin = Z * Math.sqrt((rate * (1 - rate) + square / (4 * trials)) / trials);
  return (centre - margin) / (1 + square / trials);
};
