import { Type } from 'typebox';
import type { Answer } from '../../http/http-exchange.ts';
import { JsonObjectSchema } from '../../../application/call/schemas.ts';
import { withBaseUrl } from '../base-url.ts';
import { page, type Page } from '../page.ts';
import { ServedFiles, type BuiltFiles } from './built-files.ts';

/** The OpenAPI document, which the build made for any base URL. */
export const documentationPages = (files: BuiltFiles, baseUrl: string): readonly Page[] => {
  const documents = new ServedFiles(files, (bytes) => withBaseUrl(bytes, baseUrl));
  const answer = async (
    file: string,
    mediaType: string,
    acceptEncoding: string | undefined,
  ): Promise<Answer> => {
    const document = await documents.answer(file, mediaType, acceptEncoding);
    if (!document) throw new Error(`${file} is missing: run npm run build`);
    return secured(document);
  };
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
      render: ({ mediaType, acceptEncoding }) => answer('openapi.json', mediaType, acceptEncoding),
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
      render: ({ mediaType, acceptEncoding }) => answer('openapi.yaml', mediaType, acceptEncoding),
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
