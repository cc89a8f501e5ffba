import { Type } from 'typebox';
import {
  ERROR_CATALOGUE,
  notFound,
  type CatalogueEntry,
  type ErrorCode,
} from '../../../domain/kernel/errors.ts';
import { KIND_STATUS, wireCodeOf } from '../../http/problem.ts';
import { page, type Page } from '../page.ts';

/** The pages behind the `type` of problem documents. */
export const problemPages = (): readonly Page[] => [
  page({
    path: '/problems/{slug}',
    operationId: 'getProblem',
    summary: 'What a problem type means, and what to do about it',
    tag: 'Discovery',
    params: Type.Object({
      slug: Type.String({ maxLength: 64, description: 'Last part of the type of a problem' }),
    }),
    produces: ['application/json', 'text/html'],
    answers: {
      200: {
        description: 'The codes that come under this type',
        schema: ProblemTypeSchema,
        example: {
          type: '/problems/not-found',
          codes: [
            {
              code: 'NOT_FOUND',
              status: 404,
              title: 'Not found',
              retryable: false,
              suggestion: 'Check the identifier, and that the credential may read it.',
            },
          ],
        },
      },
    },
    problems: ['NOT_FOUND'],
    render: ({ params, mediaType }) => {
      const problem = problemType(params.slug);
      return mediaType === 'text/html'
        ? { status: 200, headers: PAGE_HEADERS, text: { mediaType, content: htmlOf(problem) } }
        : { status: 200, headers: CACHED, body: problem };
    },
  }),
];

interface ProblemType {
  readonly type: string;
  readonly codes: readonly {
    readonly code: string;
    readonly status: number;
    readonly title: string;
    readonly retryable: boolean;
    readonly suggestion: string;
  }[];
}

const ProblemTypeSchema = Type.Object({
  type: Type.String(),
  codes: Type.Array(
    Type.Object({
      code: Type.String(),
      status: Type.Integer(),
      title: Type.String(),
      retryable: Type.Boolean(),
      suggestion: Type.String(),
    }),
  ),
});

const CACHED = { 'Cache-Control': 'public, max-age=300' };
const PAGE_HEADERS = {
  ...CACHED,
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
};

const problemType = (slug: string): ProblemType => {
  const codes = (Object.entries(ERROR_CATALOGUE) as [ErrorCode, CatalogueEntry][])
    .filter(([, entry]) => entry.slug === slug)
    .map(([code, entry]) => ({
      code: wireCodeOf(code),
      status: KIND_STATUS[entry.kind],
      title: entry.title,
      retryable: entry.retryable,
      suggestion: entry.suggestion,
    }));
  if (codes.length === 0)
    throw notFound('problem type', {
      allowedValues: [...new Set(Object.values(ERROR_CATALOGUE).map((entry) => entry.slug))],
    });
  return { type: `/problems/${slug}`, codes };
};

/** All text of the page comes from the catalogue; nothing of the request is on it. */
const htmlOf = ({ type, codes }: ProblemType): string =>
  [
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${type}</title>`,
    '<style>body{font:16px/1.5 system-ui,sans-serif;max-width:42rem;margin:3rem auto;padding:0 1rem}code{background:#eee;padding:.1em .3em}</style>',
    `<h1><code>${type}</code></h1>`,
    ...codes.map(
      ({ code, status, title, retryable, suggestion }) =>
        `<h2>${status} <code>${code}</code></h2><p>${escapeHtml(title)}. ${escapeHtml(suggestion)}</p><p>${retryable ? 'The same request may succeed later.' : 'The same request will fail again.'}</p>`,
    ),
    '</html>',
  ].join('\n');

const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
