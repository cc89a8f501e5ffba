import { Type } from 'typebox';
import { publicRoute, type Route } from '../../http/route.ts';
import { JsonObjectSchema } from '../wire.ts';

/** @param document made when it is first asked for, and once. */
export const documentationRoutes = (document: () => object): readonly Route[] => {
  let text: string | null = null;
  let yaml: string | null = null;
  return [
    publicRoute({
      method: 'GET',
      path: '/docs/openapi.json',
      operationId: 'getOpenApi',
      summary: 'This interface as an OpenAPI 3.1 document',
      tag: 'Documentation',
      produces: ['application/json', 'application/vnd.oai.openapi+json'],
      answers: {
        200: {
          description: 'The document',
          schema: JsonObjectSchema,
          example: { openapi: '3.1.0', info: { title: 'Notary Service', version: '1.4.0' } },
        },
      },
      execute: () => Promise.resolve((text ??= JSON.stringify(document()))),
      present: (content, _view, { mediaType }) => ({
        status: 200,
        headers: SECURITY,
        text: { mediaType, content },
      }),
    }),
    publicRoute({
      method: 'GET',
      path: '/docs/openapi.yaml',
      operationId: 'getOpenApiYaml',
      summary: 'This interface as an OpenAPI 3.1 document, in YAML',
      tag: 'Documentation',
      produces: ['application/yaml'],
      answers: {
        200: { description: 'The document', schema: Type.String(), example: 'openapi: 3.1.0' },
      },
      // Loaded by the first who asks: few do, and an idle service need not hold it.
      execute: async () =>
        (yaml ??= (await import('yaml')).stringify(document(), { aliasDuplicateObjects: false })),
      present: (content, _view, { mediaType }) => ({
        status: 200,
        headers: SECURITY,
        text: { mediaType, content },
      }),
    }),
  ];
};

const SECURITY = {
  'Cache-Control': 'public, max-age=300',
  'Content-Security-Policy': "default-src 'none'",
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
};
