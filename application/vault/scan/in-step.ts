/** Rows in the order of their keys, taken as far as somebody else in the same order is. */
export class InStep<Row extends { readonly key: string }> {
  private held: Row[] = [];
  private readonly pages: AsyncIterator<readonly Row[]>;
  private isDone = false;

  constructor(pages: AsyncIterable<readonly Row[]>) {
    this.pages = pages[Symbol.asyncIterator]();
  }

  /** Those that were not taken yet, up to this key; all that are left where it is null. */
  async *upTo(key: string | null): AsyncIterable<Row> {
    for (;;) {
      const next = this.held[0] ?? (await this.read());
      if (!next || (key !== null && next.key > key)) return;
      this.held.shift();
      yield next;
    }
  }

  private async read(): Promise<Row | undefined> {
    while (this.held.length === 0 && !this.isDone) {
      const { done, value } = await this.pages.next();
      if (done) this.isDone = true;
      else this.held = [...value];
    }
    return this.held[0];
  }
}
