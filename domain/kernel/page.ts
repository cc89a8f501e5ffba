/** One page of a listing, newest first. `total` is exact up to a cap; `nextCursor` is null at the end. */
export interface Page<T> {
  readonly data: readonly T[];
  readonly total: number;
  readonly totalIsCapped?: boolean;
  readonly hasMore: boolean;
  readonly nextCursor: string | null;
}

/** Where the next page starts: the sort key and the id of the last row that was shown. */
export interface Keyset {
  readonly key: string;
  readonly id: string;
}

/** What a read model returns; the front-end signs `next` into a cursor bound to caller, filters and sort. */
export interface Slice<T> {
  readonly rows: readonly T[];
  readonly total: number;
  readonly totalIsCapped: boolean;
  readonly next: Keyset | null;
}

export interface SliceRequest {
  readonly limit: number;
  readonly after: Keyset | null;
}
