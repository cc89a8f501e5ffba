/** One page of a listing, as the service shows it. */
export interface Page<T> {
  readonly data: readonly T[];
  /** Exact up to a cap. */
  readonly total: number;
  readonly hasMore: boolean;
  readonly nextCursor: string | null;
}

export type ItemOf<P extends Page<unknown>> = P['data'][number];

/** A listing, read page by page as it is walked. Each walk begins anew. */
export class Pages<P extends Page<unknown>> implements AsyncIterable<ItemOf<P>> {
  /** @param read the page at a cursor; the first one without */
  constructor(private readonly read: (cursor: string | undefined) => Promise<P>) {}

  /** The first page alone, with the total. */
  first(): Promise<P> {
    return this.read(undefined);
  }

  /** Page by page. */
  async *pages(): AsyncGenerator<P, void, undefined> {
    let cursor: string | undefined;
    for (;;) {
      const page = await this.read(cursor);
      yield page;
      const next = page.hasMore ? page.nextCursor : null;
      // A listing that does not move would never end.
      if (next === null || next === cursor) return;
      cursor = next;
    }
  }

  /** Item by item. */
  async *[Symbol.asyncIterator](): AsyncGenerator<ItemOf<P>, void, undefined> {
    for await (const { data } of this.pages()) yield* data as readonly ItemOf<P>[];
  }
}
