import { Type } from 'typebox';
import type { Answer } from '../../http/http-exchange.ts';
import { EncodedDocument } from '../encoded-document.ts';
import { page, type Page } from '../page.ts';
import { JsonObjectSchema } from '../../../application/call/schemas.ts';

/** @param document the same at each call. */
export const documentationPages = (document: () => object): readonly Page[] => {
  const json = new EncodedDocument(() => JSON.stringify(document()));
  // Loaded at the first request, for it is rarely asked for.
  const yaml = new EncodedDocument(async () =>
    (await import('yaml')).stringify(document(), { aliasDuplicateObjects: false }),
  );
  return [
    page({
      path: '/docs/openapi.json',
      operationId: 'getOpenApi',
      summary: 'This interface as an OpenAPI 3.1 document',
      description: ENCODED,
      tag: 'Documentation',
      produces: ['application/json', 'application/vnd.oai.openapi+json'],
      answers: {
        200: {
          description: 'The document',
          schema: JsonObjectSchema,
          example: { openapi: '3.1.0', info: { title: 'Notary Service', version: '1.4.0' } },
          headers: HEADERS,
        },
      },
      render: async ({ mediaType, acceptEncoding }) =>
        secured(await json.answer(mediaType, acceptEncoding)),
    }),
    page({
      path: '/docs/openapi.yaml',
      operationId: 'getOpenApiYaml',
      summary: 'This interface as an OpenAPI 3.1 document, in YAML',
      description: ENCODED,
      tag: 'Documentation',
      produces: ['application/yaml'],
      answers: {
        200: {
          description: 'The document',
          schema: Type.String(),
          example: 'openapi: 3.1.0',
          headers: HEADERS,
        },
      },
      render: async ({ mediaType, acceptEncoding }) =>
        secured(await yaml.answer(mediaType, acceptEncoding)),
    }),
  ];
};

const ENCODED = 'Compressed where Accept-Encoding takes br or gzip.';
const HEADERS = {
  ETag: 'Strong; of this media type and coding. Send it as If-None-Match',
  'Content-Encoding': 'br or gzip; missing where the document comes as it is',
  Vary: 'Accept, Accept-Encoding',
  'Cache-Control': 'For five minutes',
};

const secured = (answer: Answer): Answer => ({
  ...answer,
  headers: {
    'Cache-Control': 'public, max-age=300',
    'Content-Security-Policy': "default-src 'none'",
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    ...answer.headers,
  },
});
