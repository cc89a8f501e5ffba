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

  /**
   * Page by page.
   *
   * @throws Error where a page leads back to one that was read: what is left out then is not known
   */
  async *pages(): AsyncGenerator<P, void, undefined> {
    let cursor: string | undefined;
    const read = new Set<string>();
    for (;;) {
      const page = await this.read(cursor);
      yield page;
      const next = page.hasMore ? page.nextCursor : null;
      if (next === null) return;
      // A listing that turns in a circle would never end, and one that stops there would look whole.
      if (read.has(next)) throw new Error('the listing leads back to a page that was read');
      read.add(next);
      cursor = next;
    }
  }

  /** Item by item. */
  async *[Symbol.asyncIterator](): AsyncGenerator<ItemOf<P>, void, undefined> {
    for await (const { data } of this.pages()) yield* data as readonly ItemOf<P>[];
  }
}
