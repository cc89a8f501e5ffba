import { Type } from 'typebox';
import { notFound } from '../../../domain/kernel/errors.ts';
import type { Answer } from '../../http/http-exchange.ts';
import { page, type Page } from '../page.ts';
import { ServedFiles, type BuiltFiles } from './built-files.ts';
import { withPolicy } from './page-policy.ts';

/** Guides, the verifier for browsers and for Node, as files under /docs. */
export const builtDocumentPages = (files: BuiltFiles): readonly Page[] => {
  const documents = new ServedFiles(files);
  const answer = async (
    file: string,
    mediaType: string,
    acceptEncoding: string | undefined,
  ): Promise<Answer> => {
    const document = await documents.answer(file, mediaType, acceptEncoding);
    if (!document) throw notFound('document');
    // Whoever puts a file on that page is to see that it cannot leave it.
    const forms = file === 'verify.html' ? 'none' : 'self';
    return withPolicy(document, forms);
  };
  return [
    ...FILES.map(({ path, file, operationId, summary, mediaType }) =>
      page({
        path,
        operationId,
        summary,
        tag: 'Documentation',
        produces: [mediaType],
        answers: {
          200: {
            description: 'The file',
            schema: Type.String(),
            example: EXAMPLES[mediaType],
            headers: { ETag: 'Strong; send it as If-None-Match' },
          },
        },
        problems: ['NOT_FOUND'],
        render: ({ acceptEncoding }) => answer(file, mediaType, acceptEncoding),
      }),
    ),
    page({
      path: '/docs/guides/{guide}',
      operationId: 'getGuide',
      summary: 'A guide, as a page',
      tag: 'Documentation',
      params: Type.Object({
        guide: Type.String({ pattern: '^[a-z0-9-]{1,64}$', description: 'As /docs lists it' }),
      }),
      produces: ['text/html'],
      answers: {
        200: {
          description: 'The guide',
          schema: Type.String(),
          example: EXAMPLES['text/html'],
          headers: { ETag: 'Strong; send it as If-None-Match' },
        },
      },
      problems: ['NOT_FOUND'],
      render: ({ params, acceptEncoding }) =>
        answer(`guides/${params.guide}.html`, 'text/html', acceptEncoding),
    }),
  ];
};

const EXAMPLES = {
  'text/html': '<!doctype html><title>Documentation</title>',
  'text/css': 'body { margin: 0 auto }',
  'text/javascript': '#!/usr/bin/env node',
  'text/plain':
    '90fd0172ee3ca223c2a11a409a9c1b945c928db853b8164556d92dc7a5d1afae  notary-verify.mjs',
} as const;

interface BuiltFile {
  readonly path: string;
  readonly file: string;
  readonly operationId: string;
  readonly summary: string;
  readonly mediaType: keyof typeof EXAMPLES;
}

const FILES: readonly BuiltFile[] = [
  {
    path: '/docs',
    file: 'index.html',
    operationId: 'getDocumentation',
    summary: 'The guides and the reference, as a page',
    mediaType: 'text/html',
  },
  {
    path: '/llms.txt',
    file: 'llms.txt',
    operationId: 'getLlmsIndex',
    summary: 'Where language models find what, as llmstxt.org has it',
    mediaType: 'text/plain',
  },
  {
    path: '/llms-full.txt',
    file: 'llms-full.txt',
    operationId: 'getLlmsGuides',
    summary: 'All guides in one text',
    mediaType: 'text/plain',
  },
  {
    path: '/docs/verify',
    file: 'verify.html',
    operationId: 'getVerifyPage',
    summary: 'A page that verifies a file in the browser, and sends nothing',
    mediaType: 'text/html',
  },
  {
    path: '/docs/verify-page.js',
    file: 'verify-page.js',
    operationId: 'getVerifyPageScript',
    summary: 'The verifier of that page',
    mediaType: 'text/javascript',
  },
  {
    path: '/docs/pages.css',
    file: 'pages.css',
    operationId: 'getPageStyle',
    summary: 'How the pages look',
    mediaType: 'text/css',
  },
  ...['notary-verify.mjs', 'notary-gates.mjs'].flatMap((file): BuiltFile[] => {
    const name = file === 'notary-verify.mjs' ? 'Verifier' : 'GatesModule';
    return [
      {
        path: `/docs/${file}`,
        file,
        operationId: `get${name}`,
        summary:
          name === 'Verifier'
            ? 'The offline verifier as one file for Node, without dependencies'
            : 'What it loads from beside it for --gates',
        mediaType: 'text/javascript',
      },
      {
        path: `/docs/${file}.sha256`,
        file: `${file}.sha256`,
        operationId: `get${name}Digest`,
        summary: 'The SHA-256 of that file, as sha256sum -c reads it',
        mediaType: 'text/plain',
      },
    ];
  }),
];
