import { Type } from 'typebox';
import { notFound } from '../../../domain/kernel/errors.ts';
import type { Answer } from '../../http/http-exchange.ts';
import { page, type Page } from '../page.ts';
import { ServedFiles, type BuiltFiles } from './built-files.ts';
import { withPolicy } from './page-policy.ts';

/** Finds words in the documentation. */
export interface SearchSource {
  /** The words of the query that are looked for. */
  wordsOf(query: string): readonly string[];
  /** The page of what was found, as HTML. */
  page(query: string): Promise<string>;
}

const HTML = 'text/html';
const SLUG = '^[a-z0-9-]{1,64}$';

/** The reference of the interface, which the build made, and the search. */
export const referencePages = (files: BuiltFiles, search: SearchSource): readonly Page[] => {
  const documents = new ServedFiles(files);
  const answer = async (file: string, acceptEncoding: string | undefined): Promise<Answer> => {
    const document = await documents.answer(file, HTML, acceptEncoding);
    if (!document) throw notFound('section');
    return withPolicy(document);
  };
  return [
    page({
      ...WORDS,
      path: '/docs/reference',
      operationId: 'getReference',
      summary: 'Every operation of the interface, as a page',
      render: ({ acceptEncoding }) => answer('reference.html', acceptEncoding),
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
      render: ({ params, acceptEncoding }) =>
        answer(`reference/${params.section}.html`, acceptEncoding),
    }),
    page({
      path: '/docs/search',
      operationId: 'searchDocumentation',
      summary: 'Finds words in the guides and the reference',
      description:
        'Looks for the first 8 distinct words. Words of one or two letters match whole words only; longer ones match beginnings of words as well, and words of four letters or more match in spite of a slip. Each word counts as one call of the rate limit.',
      tag: 'Documentation',
      produces: [HTML],
      query: Type.Object({
        q: Type.Optional(Type.String({ maxLength: 200, description: 'The words' })),
      }),
      answers: { 200: { ...PAGE, description: 'What was found' } },
      calls: ({ q = '' }) => search.wordsOf(q).length,
      render: async ({ query }) =>
        withPolicy({
          status: 200,
          headers: { 'Cache-Control': 'no-store' },
          text: { mediaType: HTML, content: await search.page(query.q ?? '') },
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
