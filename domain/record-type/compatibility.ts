import type { FieldError } from '../kernel/errors.ts';
import type { Manifest } from './manifest.ts';
import { fullBudget, narrowings, type InclusionBudget } from './schema-inclusion.ts';

export const MAX_BREACHES = 100;

/**
 * Says where the next version of a type breaks the compatibility that it promises against the
 * previous one. An empty list means that it keeps the promise. Paths point into the next manifest
 * (under `forward`, to the place that the older manifest narrows).
 *
 * - backward: every instance valid before is valid now;
 * - forward: every instance valid now was valid before;
 * - full: both.
 *
 * The check is sound but not complete: what cannot be proved compatible is reported as a breach
 * that says so.
 */
export const compatibilityBreaches = (
  previous: Manifest,
  next: Manifest,
  budget: InclusionBudget = fullBudget(),
): readonly FieldError[] => {
  const errors: FieldError[] = [];
  if (next.compatibilityMode !== 'none' && previous.operatingMode !== next.operatingMode)
    errors.push({
      path: '/operatingMode',
      keyword: 'operatingMode',
      message: `no instance of the previous version, which is ${previous.operatingMode}, is one of this`,
    });
  for (const name of ['criteriaSchema', 'completionSchema'] as const) {
    if (next.compatibilityMode === 'backward' || next.compatibilityMode === 'full')
      errors.push(...narrowings(previous[name], next[name], `/${name}`, budget));
    if (next.compatibilityMode === 'forward' || next.compatibilityMode === 'full')
      errors.push(
        ...narrowings(next[name], previous[name], `/${name}`, budget).map((error) => ({
          ...error,
          message: `the previous version accepts less here: ${error.message}`,
        })),
      );
  }
  return errors.slice(0, MAX_BREACHES);
};
