import { NotaryError } from '../../domain/kernel/errors.ts';

/** A member that stays as it was first applied, and whether the document still says so. */
export type Fixed = readonly [pointer: string, isSame: boolean];

/** @throws UNPROCESSABLE with every member that a document would change and that never changes. */
export const assertFixed = (members: readonly Fixed[], cure: string): void => {
  const changed = members.filter(([, isSame]) => !isSame);
  if (changed.length === 0) return;
  throw new NotaryError('UNPROCESSABLE', `What never changes was changed. ${cure}`, {
    errors: changed.map(([path]) => ({
      path,
      keyword: 'fixed',
      message: `is fixed once it was applied. ${cure}`,
    })),
  });
};

export const sameList = (
  one: readonly unknown[] | null,
  other: readonly unknown[] | null,
): boolean => JSON.stringify(one) === JSON.stringify(other);
