import { Type } from 'typebox';
import { page, type Page } from '../page.ts';
import { JsonObjectSchema } from '../../../application/call/schemas.ts';

/** @param document made once, at the first request for it. */
export const documentationPages = (document: () => object): readonly Page[] => {
  let text: string | null = null;
  let yaml: string | null = null;
  return [
    page({
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
      render: ({ mediaType }) => ({
        status: 200,
        headers: SECURITY,
        text: { mediaType, content: (text ??= JSON.stringify(document())) },
      }),
    }),
    page({
      path: '/docs/openapi.yaml',
      operationId: 'getOpenApiYaml',
      summary: 'This interface as an OpenAPI 3.1 document, in YAML',
      tag: 'Documentation',
      produces: ['application/yaml'],
      answers: {
        200: { description: 'The document', schema: Type.String(), example: 'openapi: 3.1.0' },
      },
      // Loaded at the first request: it is rarely asked for, and an idle service need not hold it
      // in memory.
      render: async ({ mediaType }) => {
        yaml ??= (await import('yaml')).stringify(document(), { aliasDuplicateObjects: false });
        return { status: 200, headers: SECURITY, text: { mediaType, content: yaml } };
      },
    }),
  ];
};

const SECURITY = {
  'Cache-Control': 'public, max-age=300',
  'Content-Security-Policy': "default-src 'none'",
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
};
