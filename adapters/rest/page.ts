import type { Slice } from '../../domain/kernel/page.ts';
import type { Answer, View } from '../http/route.ts';

/** A slice as the page of the wire, with its cursor signed. */
export const presentPage = <T>(
  slice: Slice<T>,
  view: View,
  presentRow: (row: T) => unknown,
): Answer => ({
  status: 200,
  body: {
    data: slice.rows.map(presentRow),
    total: slice.total,
    ...(slice.totalIsCapped ? { totalIsCapped: true } : {}),
    hasMore: slice.next !== null,
    nextCursor: view.cursor(slice.next),
  },
});
