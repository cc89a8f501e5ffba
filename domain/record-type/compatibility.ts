import type { FieldError } from '../kernel/errors.ts';
import type { Manifest } from './manifest.ts';
import { fullBudget, narrowings, type InclusionBudget } from './schema-inclusion.ts';

export const MAX_BREACHES = 100;

/**
 * Why the next version of a type breaks the compatibility it promises against the previous one. Empty: it
 * keeps it. Paths point into the next manifest (under `forward`, at the place that the older one narrows).
 *
 * - backward: every instance valid before is valid now;
 * - forward: every instance valid now was valid before;
 * - full: both.
 *
 * Sound, not complete: what cannot be proved compatible is a breach that says so.
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
