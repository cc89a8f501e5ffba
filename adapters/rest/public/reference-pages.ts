import { Type } from 'typebox';
import { notFound } from '../../../domain/kernel/errors.ts';
import { EncodedDocument } from '../encoded-document.ts';
import { page, type Page } from '../page.ts';
import { withPolicy } from './page-policy.ts';

/** The reference of the interface and what can be found in the documentation, as HTML. */
export interface ReferenceSource {
  index(): Promise<string>;
  /** Null where there is no such section. */
  section(slug: string): Promise<string | null>;
  search(query: string): Promise<string>;
}

const HTML = 'text/html';
const SLUG = '^[a-z0-9-]{1,64}$';

export const referencePages = (source: ReferenceSource): readonly Page[] => {
  const made = new Map<string, EncodedDocument>();
  const index = new EncodedDocument(() => source.index());
  const section = async (slug: string): Promise<EncodedDocument> => {
    const known = made.get(slug);
    if (known) return known;
    const html = await source.section(slug);
    if (html === null) throw notFound('section');
    const document = new EncodedDocument(() => html);
    made.set(slug, document);
    return document;
  };
  return [
    page({
      ...WORDS,
      path: '/docs/reference',
      operationId: 'getReference',
      summary: 'Every operation of the interface, as a page',
      render: async ({ acceptEncoding }) => withPolicy(await index.answer(HTML, acceptEncoding)),
    }),
    page({
      ...WORDS,
      path: '/docs/reference/{section}',
      operationId: 'getReferenceSection',
      summary: 'The operations of one tag, or what they share, as a page',
      params: Type.Object({
        section: Type.String({ pattern: SLUG, description: 'As /docs/reference links it' }),
      }),
      problems: ['NOT_FOUND'],
      render: async ({ params, acceptEncoding }) =>
        withPolicy(await (await section(params.section)).answer(HTML, acceptEncoding)),
    }),
    page({
      path: '/docs/search',
      operationId: 'searchDocumentation',
      summary: 'Finds words in the guides and the reference',
      tag: 'Documentation',
      produces: [HTML],
      query: Type.Object({
        q: Type.Optional(Type.String({ maxLength: 200, description: 'The words' })),
      }),
      answers: { 200: { ...PAGE, description: 'What was found' } },
      render: async ({ query }) =>
        withPolicy({
          status: 200,
          headers: { 'Cache-Control': 'no-store' },
          text: { mediaType: HTML, content: await source.search(query.q ?? '') },
        }),
    }),
  ];
};

const PAGE = {
  description: 'The page',
  schema: Type.String(),
  example: '<!doctype html><title>Reference</title>',
};
const WORDS = {
  tag: 'Documentation',
  produces: [HTML],
  answers: { 200: { ...PAGE, headers: { ETag: 'Strong; send it as If-None-Match' } } },
} as const;
