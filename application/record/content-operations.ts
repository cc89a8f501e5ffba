import { Type } from 'typebox';
import { operation, type Target } from '../call/operation.ts';
import { JsonObjectSchema } from '../call/schemas.ts';
import { CONTENT_VERDICT } from '../record-type/examples.ts';
import { ONE_VERSION } from '../record-type/version-input.ts';
import { ContentVerdictSchema, contentVerdictView } from './content-verdict-view.ts';
import { ValidateContent } from './validate-content.ts';

const closed = { additionalProperties: false } as const;

const targetOf = ({ type }: { readonly type?: unknown }): Target | null =>
  typeof type === 'string' ? { kind: 'record-type', id: type } : null;

export const validateContent = operation({
  id: 'validateContent',
  words: {
    summary: 'Say what criteria and evidence would meet, and store nothing',
    description:
      'The gates are judged where both parts are given and fit; as on a first completion without delegated records, and without the cascade rule.',
    group: 'Schemas',
  },
  // Stores nothing, but a certificate that must co-sign what it sends must co-sign this content too.
  effect: 'write',
  access: () => ({ scope: 'schemas:read' }),
  input: Type.Object(
    {
      ...ONE_VERSION,
      // It has a member of its own, so that one of the two can be required.
      content: Type.Object(
        {
          criteria: Type.Optional(JsonObjectSchema),
          evidence: Type.Optional(JsonObjectSchema),
        },
        { ...closed, minProperties: 1 },
      ),
    },
    closed,
  ),
  examples: {
    both: {
      type: 'report.weekly',
      content: {
        criteria: { week: '2026-W09', minimumSources: 5 },
        evidence: { report: 'https://example.com/w09', sources: 4 },
      },
    },
  },
  output: ContentVerdictSchema,
  result: { description: 'What would be said', example: CONTENT_VERDICT },
  problems: ['AMBIGUOUS_PUBLISHER', 'ORG_REQUIRED'],
  target: targetOf,
  useCase: ValidateContent,
  view: (verdict, guide) => ({ view: contentVerdictView(verdict, guide) }),
});
