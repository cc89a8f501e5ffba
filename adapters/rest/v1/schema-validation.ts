import { Type } from 'typebox';
import type { ContentVerdict } from '../../../application/record-type/validate-content.ts';
import type { NotaryError } from '../../../domain/kernel/errors.ts';
import { route, type Route, type View } from '../../http/route.ts';
import { stepsTo } from '../guidance.ts';
import type { RestUseCases } from '../use-cases.ts';
import { GUIDANCE, JsonObjectSchema, Sha256, Timestamp, Uuid, oneOf, orNull } from '../wire.ts';
import { Publisher, TypeName } from './record-type-presenter.ts';

/** A dry run of content against a record type. */
export const schemaValidationRoutes = (useCases: RestUseCases): readonly Route[] => [
  route({
    method: 'POST',
    path: '/v1/schemas/{type}/validate',
    operationId: 'validateContent',
    summary: 'Say what criteria and evidence would meet, and store nothing',
    description:
      'The gates are judged where both parts are given and fit; as on a first completion without delegated records, and without the cascade rule.',
    tag: 'Schemas',
    access: { scope: 'schemas:read' },
    params: Type.Object({ type: TypeName }),
    query: Type.Object({
      version: Type.Optional(Type.Integer({ minimum: 1 })),
      publisher: Type.Optional(Publisher),
      orgId: Type.Optional(Uuid),
    }),
    body: ValidateBody,
    examples: {
      both: {
        criteria: { week: '2026-W09', minimumSources: 5 },
        evidence: { report: 'https://example.com/w09', sources: 4 },
      },
    },
    answers: {
      200: { description: 'What would be said', schema: VerdictSchema, example: VERDICT },
    },
    problems: ['AMBIGUOUS_PUBLISHER', 'ORG_REQUIRED'],
    execute: (context, { params, query, body }) =>
      useCases.validateContent.execute(context, { type: params.type, ...query, ...body }),
    present: (verdict, view) => ({ status: 200, body: presentVerdict(verdict, view) }),
  }),
];

const ValidateBody = Type.Object(
  { criteria: Type.Optional(JsonObjectSchema), evidence: Type.Optional(JsonObjectSchema) },
  { additionalProperties: false, minProperties: 1 },
);

const FieldError = Type.Object({
  path: Type.String(),
  keyword: Type.String(),
  message: Type.String(),
});
const PartSchema = Type.Object(
  {
    valid: Type.Boolean(),
    detail: Type.Optional(Type.String({ description: 'What the refusal would say' })),
    errors: Type.Array(FieldError),
    requiredFields: Type.Optional(Type.Array(Type.String())),
    optionalFields: Type.Optional(Type.Array(Type.String())),
    examplePayload: Type.Optional(Type.Unknown()),
  },
  {
    description:
      'As the refusal of creation or submission would say it; null where the part was not given',
  },
);
const GatesSchema = Type.Object({
  state: oneOf(['PASSED', 'FAILED', 'ADVISORY_PASSED', 'ADVISORY_FAILED', 'SKIPPED']),
  now: Timestamp,
  inputsDigest: Sha256,
  results: Type.Array(
    Type.Object({
      gateId: Type.String(),
      description: Type.String(),
      outcome: oneOf(['pass', 'fail', 'error']),
      severity: oneOf(['block', 'warn']),
      expression: Type.String(),
      inputsDigest: Sha256,
      detail: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
});
const VerdictSchema = Type.Object({
  valid: Type.Boolean({ description: 'No part is refused and no blocking gate fails' }),
  recordType: Type.String(),
  publisher: Type.String(),
  version: Type.Integer(),
  manifestDigest: Sha256,
  status: oneOf(['active', 'disabled']),
  criteria: orNull(PartSchema),
  evidence: orNull(PartSchema),
  gates: orNull(GatesSchema),
  ...GUIDANCE,
});

const DIGEST = 'c1f3f4a6d1a9d0e6f1b6f5a7c1f3f4a6d1a9d0e6f1b6f5a7c1f3f4a6d1a9d0e6';
const VERDICT = {
  valid: false,
  recordType: 'report.weekly',
  publisher: 'acme',
  version: 1,
  manifestDigest: DIGEST,
  status: 'active',
  criteria: { valid: true, errors: [] },
  evidence: { valid: true, errors: [] },
  gates: {
    state: 'ADVISORY_FAILED',
    now: '2026-03-02T09:30:00.000Z',
    inputsDigest: DIGEST,
    results: [
      {
        gateId: 'enough-sources',
        description: 'As many sources as were asked for',
        outcome: 'fail',
        severity: 'block',
        expression: 'evidence.sources >= criteria.minimumSources',
        inputsDigest: DIGEST,
        detail: 'the expression is false',
      },
    ],
  },
  suggestion: 'Correct what is told, and try again.',
  nextSteps: [
    {
      action: 'validate',
      method: 'POST',
      href: '/v1/schemas/report.weekly/validate',
      description: 'Try again',
    },
  ],
};

const presentPart = (refusal: NotaryError | null | undefined): object | null => {
  if (refusal === undefined) return null;
  if (refusal === null) return { valid: true, errors: [] };
  const { errors = [], requiredFields, optionalFields, examplePayload } = refusal.members;
  return {
    valid: false,
    detail: refusal.message,
    errors,
    requiredFields,
    optionalFields,
    examplePayload,
  };
};

const presentVerdict = (
  { recordType: row, valid, criteria, evidence, gates }: ContentVerdict,
  view: View,
): object => {
  const again = ['validate', 'validateContent', 'Try again', { type: row.type }] as const;
  return {
    valid,
    recordType: row.type,
    publisher: row.publisher,
    version: row.version,
    manifestDigest: row.manifestDigest,
    status: row.status,
    criteria: presentPart(criteria),
    evidence: presentPart(evidence),
    gates,
    suggestion: !valid
      ? 'Correct what is told, and try again.'
      : row.status === 'disabled'
        ? 'The content fits, but the type is disabled and takes no new records.'
        : 'The content fits.',
    nextSteps:
      valid && row.status === 'active'
        ? stepsTo(view, ['create', 'createRecord', 'Create a record of this type'], again)
        : stepsTo(view, again),
  };
};
