import { Type } from 'typebox';
import type { NotaryError } from '../../domain/kernel/errors.ts';
import type { Guide } from '../call/guide.ts';
import { GUIDANCE, Sha256, Timestamp, oneOf, orNull } from '../call/schemas.ts';
import type { ViewOf } from '../call/view-of.ts';
import type { ContentVerdict } from './validate-content.ts';

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

export const ContentVerdictSchema = Type.Object({
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

export const contentVerdictView = (
  { recordType: row, valid, criteria, evidence, gates }: ContentVerdict,
  guide: Guide,
): ViewOf<typeof ContentVerdictSchema> => {
  const again = {
    action: 'validate',
    operation: 'validateContent',
    input: { type: row.type },
    description: 'Try again',
  };
  const create = {
    action: 'create',
    operation: 'createRecord',
    input: {},
    description: 'Create a record of this type',
  };
  return {
    valid,
    recordType: row.type,
    publisher: row.publisher,
    version: row.version,
    manifestDigest: row.manifestDigest,
    status: row.status,
    criteria: partView(criteria),
    evidence: partView(evidence),
    gates,
    suggestion: !valid
      ? 'Correct what is told, and try again.'
      : row.status === 'disabled'
        ? 'The content fits, but the type is disabled and takes no new records.'
        : 'The content fits.',
    nextSteps: valid && row.status === 'active' ? guide.steps(create, again) : guide.steps(again),
  };
};

const partView = (refusal: NotaryError | null | undefined): ViewOf<typeof PartSchema> | null => {
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
