import { isAbsolute, relative } from 'node:path';

/** Both paths are absolute. A directory counts as inside itself. */
export const isInside = (inner: string, outer: string): boolean => {
  const way = relative(outer, inner);
  return way === '' || (!isAbsolute(way) && way.split(/[\\/]/)[0] !== '..');
};
