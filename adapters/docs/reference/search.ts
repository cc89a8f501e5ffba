import MiniSearch from 'minisearch';
import { escaped, inline } from './html.ts';
import { framed, type PageFrame } from './page-frame.ts';
import { hrefOf, type Reference } from './reference.ts';

/** A part of the documentation that can be found: a section of a guide, or an operation. */
export interface FoundPart {
  readonly href: string;
  readonly title: string;
  /** Where it stands, such as the title of the guide. */
  readonly place: string;
  readonly text: string;
}

const MOST = 30;
const SHOWN = 200;

/** Finds words in the guides and the reference. Done by the service, so the page needs no script. */
export class DocumentationSearch {
  #index: Promise<MiniSearch<FoundPart>> | null = null;

  constructor(
    private readonly reference: Reference,
    private readonly files: PageFrame,
  ) {}

  /** @param query as typed; empty for the page with the field alone. */
  async page(query: string): Promise<string> {
    const wanted = query.trim();
    const main = `<h1>Search</h1>
${fieldOf(wanted)}
${wanted === '' ? '' : resultsOf(await this.find(wanted))}`;
    return framed(this.files, 'Search', main);
  }

  async find(query: string): Promise<readonly FoundPart[]> {
    const index = await (this.#index ??= this.build());
    return index
      .search(query, { prefix: true, fuzzy: 0.2, boost: { title: 3, place: 1.5 } })
      .slice(0, MOST)
      .map(({ href, title, place, text }) => ({
        href: String(href),
        title: String(title),
        place: String(place),
        text: String(text),
      }));
  }

  private async build(): Promise<MiniSearch<FoundPart>> {
    const index = new MiniSearch<FoundPart>({
      idField: 'href',
      fields: ['title', 'place', 'text'],
      storeFields: ['href', 'title', 'place', 'text'],
    });
    const guides = await this.files.read('guides.json');
    index.addAll([
      ...(guides ? (JSON.parse(new TextDecoder().decode(guides)) as readonly FoundPart[]) : []),
      ...this.reference.reader.operations.map((one) => ({
        href: hrefOf(one),
        title: one.summary,
        place: `${one.method} ${one.path}`,
        text: `${one.id} ${one.description}`,
      })),
    ]);
    return index;
  }
}

const fieldOf = (query: string): string =>
  `<form role="search" action="/docs/search" method="get"><label for="q">Words to look for in the guides and the reference</label>
<input id="q" name="q" type="search" maxlength="200" value="${escaped(query)}"> <button type="submit">Search</button></form>`;

const resultsOf = (found: readonly FoundPart[]): string =>
  found.length === 0
    ? '<p role="status">Nothing was found. Try fewer words, or a part of one.</p>'
    : `<p role="status">${found.length === MOST ? `The first ${MOST}` : found.length} found.</p>
<ol>
${found.map(({ href, title, place, text }) => `<li><a href="${escaped(href)}">${inline(title)}</a> <span class="optional">${escaped(place)}</span><br>${inline(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text)}</li>`).join('\n')}
</ol>`;
