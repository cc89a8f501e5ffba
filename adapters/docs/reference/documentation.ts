import type { PageFrame } from './page-frame.ts';
import { Reference } from './reference.ts';
import type { DocumentationSearch } from './search.ts';

/** The reference and the search over it and the guides. The index of words is loaded at the first search. */
export class Documentation {
  private readonly reference: Reference;
  #search: Promise<DocumentationSearch> | null = null;

  /** @param document the same at each call. */
  constructor(
    document: () => object,
    private readonly files: PageFrame,
  ) {
    this.reference = new Reference(document, files);
  }

  index(): Promise<string> {
    return this.reference.index();
  }

  section(slug: string): Promise<string | null> {
    return this.reference.section(slug);
  }

  async search(query: string): Promise<string> {
    this.#search ??= import('./search.ts').then(
      ({ DocumentationSearch }) => new DocumentationSearch(this.reference, this.files),
    );
    return (await this.#search).page(query);
  }
}
