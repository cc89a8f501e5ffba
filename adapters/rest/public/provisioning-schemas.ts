import { Type } from 'typebox';
import { JsonObjectSchema } from '../../../application/call/schemas.ts';
import { DOCUMENTS } from '../../../application/provisioning/documents.ts';
import { isKind, KINDS } from '../../../application/ports/kinds.ts';
import { notFound } from '../../../domain/kernel/errors.ts';
import { page, type Page } from '../page.ts';

/** What provisioning files of each kind hold, for editors and validators. */
export const provisioningSchemaPages = (baseUrl: string): readonly Page[] => [
  page({
    path: '/docs/provisioning/{document}',
    operationId: 'getProvisioningSchema',
    summary: 'The JSON Schema of the provisioning files of one kind',
    description: `One of ${KINDS.map((kind) => `${kind}.json`).join(', ')}: made of what the operations take.`,
    tag: 'Documentation',
    params: Type.Object({
      document: Type.String({ maxLength: 64, description: 'Such as agents.json' }),
    }),
    produces: ['application/schema+json', 'application/json'],
    answers: {
      200: {
        description: 'JSON Schema 2020-12',
        schema: JsonObjectSchema,
        example: { title: 'An agent', type: 'object', required: ['org', 'key', 'name'] },
        headers: { 'Cache-Control': 'For five minutes' },
      },
    },
    problems: ['NOT_FOUND'],
    render: ({ params: { document }, mediaType }) => {
      const kind = document.endsWith('.json') ? document.slice(0, -'.json'.length) : '';
      if (!isKind(kind)) throw notFound('schema of provisioning files');
      const schema = {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        $id: `${baseUrl}/docs/provisioning/${kind}.json`,
        ...DOCUMENTS[kind],
      };
      return {
        status: 200,
        headers: { 'Cache-Control': 'public, max-age=300' },
        text: { mediaType, content: JSON.stringify(schema, null, 2) },
      };
    },
  }),
];
