/**
 * The known name that a misspelt one most likely means, or null where none is near: at most one slip
 * (a letter too many, missing, wrong, or two letters swapped) in four letters. A far name would only
 * mislead.
 */
export const nearestName = (name: string, known: readonly string[]): string | null => {
  if (name.length > MAX_LENGTH) return null;
  let nearest: string | null = null;
  let least = Infinity;
  for (const candidate of known) {
    const allowed = Math.floor(Math.max(name.length, candidate.length) / LETTERS_A_SLIP);
    if (Math.abs(candidate.length - name.length) > allowed) continue;
    const slips = slipsBetween(name.toLowerCase(), candidate.toLowerCase());
    if (slips > allowed || slips >= least) continue;
    nearest = candidate;
    least = slips;
  }
  return nearest;
};

const MAX_LENGTH = 100;
const LETTERS_A_SLIP = 4;

/** Damerau-Levenshtein, in the form where no letter is changed twice (optimal string alignment). */
const slipsBetween = (a: string, b: string): number => {
  let older: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let slips = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        slips = Math.min(slips, older[j - 2]! + 1);
      row.push(slips);
    }
    [older, last] = [last, row];
  }
  return last[b.length]!;
};
