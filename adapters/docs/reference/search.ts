import { setImmediate } from 'node:timers/promises';
import type MiniSearch from 'minisearch';
import { escaped, inline } from './html.ts';
import { framed, type PageFrame } from './page-frame.ts';
import type { FoundPart } from './search-parts.ts';

/** Words beyond these are left out: one search is one short turn of the event loop. */
const MAX_WORDS = 8;
/** Shorter words match whole words only, because a prefix of two letters begins every tenth word. */
const MIN_PREFIX_LENGTH = 3;
const MIN_FUZZY_LENGTH = 4;
const MAX_EDITS = 2;
const MAX_FOUND = 30;
const MAX_EXCERPT_LENGTH = 200;
/** Parts that are indexed before a look at the clock, some 1 ms. */
const PARTS_PER_LOOK = 8;
/** How long a turn of the event loop indexes, ms. Fewer, longer turns: beside other work each turn waits for its next one. */
const TURN_MS = 4;

/** Finds words in the guides and the reference. The service does it, so the page needs no script. */
export class DocumentationSearch {
  #index: Promise<MiniSearch<FoundPart>> | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly files: PageFrame) {}

  /** The distinct words of a query that are looked for, at most 8. */
  wordsOf(query: string): readonly string[] {
    return distinctWords(query).slice(0, MAX_WORDS);
  }

  /** @param query as typed; empty for the page with the field alone. */
  async page(query: string): Promise<string> {
    const wanted = query.trim();
    const main = `<h1>Search</h1>
${fieldOf(wanted)}
${distinctWords(wanted).length > MAX_WORDS ? `<p>Only the first ${MAX_WORDS} words were looked for.</p>\n` : ''}${wanted === '' ? '' : resultsOf(await this.find(wanted))}`;
    return framed(this.files, 'Search', main);
  }

  private async find(query: string): Promise<readonly FoundPart[]> {
    this.#index ??= this.build().catch((error: unknown) => {
      this.#index = null;
      throw error;
    });
    const index = await this.#index;
    await this.#turn();
    return index
      .search(this.wordsOf(query).join(' '), {
        prefix: (word) => word.length >= MIN_PREFIX_LENGTH,
        fuzzy: (word) => word.length >= MIN_FUZZY_LENGTH && 0.2,
        maxFuzzy: MAX_EDITS,
        boost: { title: 3, place: 1.5 },
      })
      .slice(0, MAX_FOUND)
      .map(({ href, title, place, text }) => ({
        href: String(href),
        title: String(title),
        place: String(place),
        text: String(text),
      }));
  }

  /** Resolves in a turn of the event loop of its own, because 20 searches in one turn take 30 ms. */
  #turn(): Promise<unknown> {
    this.#last = this.#last.then(() => setImmediate());
    return this.#last;
  }

  /** Takes 60 ms in turns of some milliseconds, so that other requests go on. The library is loaded here, because an idle service needs none. */
  private async build(): Promise<MiniSearch<FoundPart>> {
    const { default: Index } = await import('minisearch');
    const bytes = await this.files.read('search.json');
    if (!bytes) throw new Error('search.json is missing: run npm run build');
    const index = new Index<FoundPart>({
      idField: 'href',
      fields: ['title', 'place', 'text'],
      storeFields: ['href', 'title', 'place', 'text'],
    });
    const parts = JSON.parse(new TextDecoder().decode(bytes)) as readonly FoundPart[];
    let began = performance.now();
    for (let from = 0; from < parts.length; from += PARTS_PER_LOOK) {
      index.addAll(parts.slice(from, from + PARTS_PER_LOOK));
      if (performance.now() - began < TURN_MS) continue;
      await setImmediate();
      began = performance.now();
    }
    return index;
  }
}

/** Divided as the index divides texts. */
const distinctWords = (query: string): readonly string[] => [
  ...new Set(
    query
      .toLowerCase()
      .split(/[\n\r\p{Z}\p{P}]+/u)
      .filter((word) => word !== ''),
  ),
];

const fieldOf = (query: string): string =>
  `<form role="search" action="/docs/search" method="get"><label for="q">Words to look for in the guides and the reference</label>
<input id="q" name="q" type="search" maxlength="200" value="${escaped(query)}"> <button type="submit">Search</button></form>`;

const resultsOf = (found: readonly FoundPart[]): string =>
  found.length === 0
    ? '<p role="status">Nothing was found. Try fewer words, or a part of one.</p>'
    : `<p role="status">${found.length === MAX_FOUND ? `The first ${MAX_FOUND}` : found.length} found.</p>
<ol>
${found.map(({ href, title, place, text }) => `<li><a href="${escaped(href)}">${inline(title)}</a> <span class="optional">${escaped(place)}</span><br>${inline(text.length > MAX_EXCERPT_LENGTH ? `${text.slice(0, MAX_EXCERPT_LENGTH)}…` : text)}</li>`).join('\n')}
</ol>`;
