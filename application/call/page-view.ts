import type { Slice } from '../../domain/kernel/page.ts';
import type { Guide } from './guide.ts';
import type { Shown } from './operation.ts';

export interface PageView<T> {
  data: T[];
  total: number;
  totalIsCapped?: true;
  hasMore: boolean;
  nextCursor: string | null;
}

/** A slice as the page that callers see, with its cursor signed. */
export const pageView = <T, V>(
  slice: Slice<T>,
  guide: Guide,
  viewRow: (row: T) => V,
): Shown<PageView<V>> => ({
  view: {
    data: slice.rows.map(viewRow),
    total: slice.total,
    ...(slice.totalIsCapped ? { totalIsCapped: true } : {}),
    hasMore: slice.next !== null,
    nextCursor: guide.cursor(slice.next),
  },
});
